import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  csvRules,
  type RecordRules,
  RecordScanner,
} from '../../../src/formats/boundaries/record-scanner.js';
import { eachSample, runs } from '../../helpers/runs.js';

/** Most fields with line ends that are walked through: as by default, and so few that it matters. */
const BOUNDS = [undefined, 0, 1, 3] as const;

/** Cases that failed once. */
const FORESEEN = [
  { seed: -1477526143, path: '165:1:0:7:7:7:8:15:32' },
  { seed: -1660372146, path: '57:2:0:12:13:10' },
  { seed: 653303344, path: '99:1:1:9:9:5:6' },
  { seed: 2058370169, path: '420:2:5:18:17:18:18:19:32:24:17' },
  {
    seed: -1881133796,
    path: '704:7:12:16:18:18:18:20:16:16:16:16:17:16:16:18:16:30:18:18:18:18:21:18:18:22',
  },
  { seed: -965337987, path: '506:4:25:27:28:28:28:28:29:33:23:21:18:18' },
  { seed: -1375700896, path: '5515:2:0:6:9:10' },
];

/** Everything that a scanner says of some bytes, up to where more would be needed. */
function scanned(bytes: Buffer, rules: RecordRules, last: boolean): unknown[] {
  const scanner = new RecordScanner(rules);
  scanner.load(bytes, last);
  const said: unknown[] = [];
  for (let at = 0; at < bytes.length; at = scanner.next) {
    const found = scanner.scan(at);
    if (found === 'need-more-data' || found === 'too-long') return [...said, [found, at]];
    said.push([found, scanner.end, scanner.next, scanner.lines, scanner.broken]);
  }
  return said;
}

const PIECES = [
  '"',
  '""',
  '"""',
  ',',
  '::',
  ':',
  '\n',
  '\r\n',
  '\r',
  'a',
  ' ',
  '\\',
  '#',
  '",\n',
  ',"',
];

const broken = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 60 })
  .map((pieces) => Buffer.from(pieces.join('')));
const repeated = fc
  .tuple(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), fc.integer({ min: 1, max: 30 }))
  .map(([pieces, times]) => Buffer.from(pieces.join('').repeat(times)));

/** Records that are sound, but may be too long. */
const whole = fc
  .array(fc.constantFrom('"a\nb"', '"b\r\n"', '"",', ',', 'aé', '"é', '\n', '\r', ',"c"'), {
    maxLength: 20,
  })
  .map((pieces) => Buffer.from(pieces.join('')));

/** Compares what follows each position with what a fresh scanner says that sees only so much of it. */
function expectForeseen(
  bytes: Buffer,
  dialect: RecordRules,
  most: number | undefined,
  lengths: (rest: number) => readonly number[],
): void {
  const scanner = new RecordScanner(dialect, most);
  scanner.load(bytes, true);
  for (let at = 0; at < bytes.length; at = scanner.next) {
    const all = foundAt(scanner, bytes, at);
    const rest = bytes.subarray(at);
    for (const length of lengths(rest.length)) {
      const start = rest.subarray(0, length);
      const other = new RecordScanner(dialect, most);
      other.load(start, false);
      const some = foundAt(other, start, 0);
      if (some['found'] !== 'need-more-data') expect(some).toEqual(all);
    }
    if (all['found'] === 'too-long') break;
  }
}

/** What a scanner says of a position, by offsets from there, and the character that is to be named. */
function foundAt(scanner: RecordScanner, bytes: Buffer, at: number): Record<string, unknown> {
  const found = scanner.scan(at);
  if (found === 'need-more-data' || found === 'too-long') return { found };
  const { end, next, lines, broken } = scanner;
  const after = broken?.after ?? -1;
  const following = after < 0 ? '' : bytes.subarray(after, after + 4).toString();
  return {
    found,
    end: end - at,
    next: next - at,
    lines,
    ...broken,
    after: Math.max(-1, after - at),
    following: [...following][0],
  };
}

const rules = fc
  .record({
    delimiter: fc.constantFrom(',', '::', '\t'),
    escape: fc.constantFrom('"', '\\', null),
    columns: fc.constantFrom(0, 1, 2, 3),
    maxRecordBytes: fc.constantFrom(3, 8, 20, 100, 1 << 20),
  })
  .map(({ delimiter, escape: mark, ...limits }) =>
    csvRules({ delimiter, quote: '"', escape: mark, comment: null }, limits),
  );

describe('a scanner', () => {
  // What a worker that reads a part of a file relies on.
  const foreseen = fc.property(
    fc.oneof(broken, repeated, whole),
    rules,
    fc.nat(),
    fc.constantFrom(...BOUNDS),
    (bytes, dialect, seen, most) => {
      expectForeseen(bytes, dialect, most, (rest) => [1 + (seen % rest)]);
    },
  );

  it('tells from what follows a position what stands there, or that it takes more', () => {
    fc.assert(foreseen, { numRuns: runs(6000) });
  });

  it.each([
    ['fields are missing', '1,"a\n2,2,2,2,2,",x,"\nq",t,u\n', 6, 100],
    ['it is too long, and quotes stand behind', '"a\nb",cdefgh,"x"\n', 0, 8],
    ['what it may have swallowed is too long', '1,"a\n2,"\nz",tttttttttttt,u\n', 4, 16],
  ])('does so where %s', (_, text, columns, maxRecordBytes) => {
    const dialect = csvRules(COMMA, { columns, maxRecordBytes });
    const every = (rest: number): number[] => Array.from({ length: rest }, (_, cut) => cut + 1);
    for (const most of BOUNDS) {
      expectForeseen(Buffer.from(text), dialect, most, every);
    }
  });

  it.each([
    [100, 'record'],
    [101, 'broken'],
  ])('takes %d fields with line ends in one row for a %s', (fields, found) => {
    const scanner = new RecordScanner(csvRules(COMMA));
    scanner.load(Buffer.from(`1${',"a\nb"'.repeat(fields)}\n2\n`), true);
    expect(scanner.scan(0)).toBe(found);
    expect(scanner.broken?.lines).toBe(found === 'broken' ? 0 : undefined);
  });

  it.each(FORESEEN)('still does so for seed $seed', (seed) => {
    fc.assert(foreseen, seed);
  });

  eachSample(1)(['a","\n', 'x,"\n', '",\n"', '"\n",",\n",\n'])(
    'looks at each byte a limited number of times, however the quotes of %j are repeated',
    (pattern) => {
      const perByte = [25_000, 100_000].map((length) => {
        const bytes = new CountedBytes(pattern.repeat(length / pattern.length));
        scanned(bytes.buffer, csvRules(COMMA, { columns: 2, maxRecordBytes: 1 << 20 }), true);
        return bytes.lookedAt / length;
      });
      expect(perByte[1]).toBeLessThan(1.5 * perByte[0]!);
      expect(perByte[1]).toBeLessThan(500);
    },
  );
});

const COMMA = { delimiter: ',', quote: '"', escape: '"', comment: null } as const;

type Search = (value: unknown, from?: unknown) => number;

/** Bytes that count how many of them are searched. */
class CountedBytes {
  lookedAt = 0;
  readonly buffer: Buffer;

  constructor(text: string) {
    this.buffer = this.#counted(Buffer.from(text));
  }

  #counted(buffer: Buffer): Buffer {
    const indexOf = buffer.indexOf.bind(buffer) as Search;
    const lastIndexOf = buffer.lastIndexOf.bind(buffer) as Search;
    const { subarray } = buffer;
    buffer.indexOf = (value: unknown, from: unknown = 0) => {
      const found = indexOf(value, from);
      this.lookedAt += Math.max(0, (found < 0 ? buffer.length : found + 1) - Number(from));
      return found;
    };
    buffer.lastIndexOf = (value: unknown) => {
      const found = lastIndexOf(value);
      this.lookedAt += buffer.length - Math.max(0, found);
      return found;
    };
    buffer.subarray = (from?: number, to?: number) =>
      this.#counted(subarray.call(buffer, from, to) as Buffer);
    return buffer;
  }
}
