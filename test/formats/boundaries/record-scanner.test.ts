import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRules, type RecordRules } from '../../../src/formats/boundaries/record-rules.js';
import { RecordScanner } from '../../../src/formats/boundaries/record-scanner.js';
import { eachSample, runs } from '../../helpers/runs.js';

/** Looks at everything again, or remembers everything from the start. */
const PATIENCES = [Number.POSITIVE_INFINITY, -1] as const;

/** Everything that a scanner says of some bytes, up to where more would be needed. */
function scanned(bytes: Buffer, rules: RecordRules, last: boolean, patience?: number): unknown[] {
  const scanner = new RecordScanner(rules, patience);
  scanner.load(bytes, last);
  const said: unknown[] = [];
  for (let at = 0; at < bytes.length; at = scanner.next) {
    const found = scanner.scan(at);
    if (found === 'more' || found === 'over') return [...said, [found, at]];
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
  it('says the same of broken quotes whether it remembers what it has seen or looks again', () => {
    fc.assert(
      fc.property(fc.oneof(broken, repeated), rules, fc.boolean(), (bytes, dialect, last) => {
        const [again, remembered] = PATIENCES.map((patience) =>
          scanned(bytes, dialect, last, patience),
        );
        expect(remembered).toEqual(again);
      }),
      { numRuns: runs(3000) },
    );
  });

  eachSample(1)([
    'a","\n',
    '"x""\n',
    'x,"\n',
    '"\n,',
    '",\n"',
    '"a","b\n',
    '""\n"',
    '"\n",",\n",\n',
  ])('looks at each byte a few times at most, however the quotes of %j are repeated', (pattern) => {
    const perByte = [100_000, 400_000].map((length) => {
      const bytes = new CountedBytes(pattern.repeat(length / pattern.length));
      scanned(bytes.buffer, csvRules(COMMA, { columns: 2, maxRecordBytes: 1 << 20 }), true);
      return bytes.lookedAt / length;
    });
    expect(perByte[1]).toBeLessThan(1.5 * perByte[0]!);
    expect(perByte[1]).toBeLessThan(100);
  });
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
