/**
 * A suite of JSON, after RFC 8259: y_ has to be accepted, n_ refused with a message, i_ is left
 * open by the RFC and told in docs/inputs.md. Each is read whole and byte by byte.
 */
import { describe, expect, it } from 'vitest';
import { type Report, type SourceOptions, validateDocuments } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { eachSample } from '../../helpers/runs.js';
import { inPieces, readAll } from '../read-all.js';
import { casesIn, contentOf, type FileCase } from './cases.js';

/** A value that has to be accepted: what it means, JSON.parse knows. */
type GoodValue = readonly [name: string, text: string];

/** A value that RFC 8259 leaves open, and what it becomes here. */
type OwnValue = readonly [name: string, text: string, becomes: unknown];

/** A value, what the message about it says, and whether a document around it ends with it. */
type BadValue = readonly [name: string, text: string, says: string, then?: 'ends early'];

/** Ways to put a value between two good records. */
interface Placement {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly source: SourceOptions;
}

const LINES: Placement = {
  file: 'x.jsonl',
  before: '{"n":1}\n{"n":2,"v":',
  after: '}\n{"n":3}\n',
  source: {},
};
const LIST: Placement = {
  file: 'x.json',
  before: '[{"n":1},\n{"n":2,"v":',
  after: '},\n{"n":3}]\n',
  source: {},
};
const AT_A_PATH: Placement = {
  file: 'x.json',
  before: '{"meta":{"n":0,"s":"]}"},"data":[{"n":1},\n{"n":2,"v":',
  after: '},\n{"n":3}],"end":[{}]}',
  source: { records: 'data' },
};
const DOCUMENTS: readonly Placement[] = [LIST, AT_A_PATH];
const EVERYWHERE: readonly Placement[] = [LINES, ...DOCUMENTS];

/** A record with a number of so many digits is read by another parser, which must agree. */
const LONG = '12345678901234567890';

interface Read {
  readonly records: readonly unknown[];
  readonly lines: readonly unknown[];
  /** What ended the reading early, or kept it from beginning. */
  readonly error: string | undefined;
}

/** Reads a file whole and byte by byte, in large chunks and small ones, which makes no difference. */
async function read(file: string, bytes: Buffer, source: SourceOptions): Promise<Read> {
  const format = file.endsWith('l') ? 'jsonl' : 'json';
  const ways: [piece: number, more: SourceOptions][] = [
    [bytes.length + 1, {}],
    [1, { chunkBytes: 64 }],
  ];
  const [whole, pieces] = await Promise.all(
    ways.map(async ([piece, more]): Promise<Read> => {
      const options = { format, ...source, ...more } as const;
      const found = await readAll(inPieces(bytes, piece), options).catch((error: unknown) => ({
        error,
        records: [],
      }));
      return {
        records: found.records.map(({ value, problem }) => value ?? problem?.kind),
        lines: found.records.map(({ line }) => line),
        error: found.error === undefined ? undefined : (found.error as Error).message,
      };
    }),
  );
  expect(pieces).toEqual(whole);
  return whole as Read;
}

const MAPPING = {
  name: 'JSON',
  profile: 'minimal',
  document: { sourceId: '{n}', text: 'some text' },
} as const;

/** Says of a file's records whether they are good, as a user would ask it. */
async function validate(file: string, bytes: Buffer, source: SourceOptions): Promise<Report> {
  const input = put(newFolder(), file, bytes);
  return await validateDocuments({
    input,
    mapping: MAPPING,
    source: { ...source, chunkBytes: 64 },
    threads: 0,
    throwOn: 'never',
  });
}

function bytesOf({ before, after }: Placement, text: string): Buffer {
  return Buffer.from(before + text + after);
}

async function expectGood(text: string, value: unknown, places = EVERYWHERE): Promise<void> {
  for (const place of places) {
    const found = await read(place.file, bytesOf(place, text), place.source);
    expect(found).toMatchObject({ error: undefined });
    expect(found.records).toEqual([{ n: 1 }, { n: 2, v: value }, { n: 3 }]);
  }
  const long = { ...LIST, after: `,"long":${LONG}}]`, before: '[{"v":' };
  const { records } = await read(long.file, bytesOf(long, text), long.source);
  expect(records).toEqual([{ v: value, long: LONG }]);
}

async function expectBad([, text, says, then]: BadValue, places = EVERYWHERE): Promise<void> {
  for (const place of places) {
    const bytes = bytesOf(place, text);
    const found = await read(place.file, bytes, place.source);
    const breaksOff = then === 'ends early' && place !== LINES;
    const report = await validate(place.file, bytes, place.source);
    if (breaksOff) {
      expect(found.records[0]).toEqual({ n: 1 });
      expect(found.error).toMatch(/^stream ends early after record [12] .*, on line \d/);
      expect(report).toMatchObject({ exitCode: 4, counts: { unsent: 1 } });
      expect(report.stop?.message).toMatch(/x\.json.*after record [12] .*, on line \d/s);
    } else {
      expect(found).toMatchObject({ error: undefined });
      expect(found.records).toEqual([{ n: 1 }, 'not-json', { n: 3 }]);
      expect(report).toMatchObject({ exitCode: 1, counts: { read: 3, invalid: 1, unsent: 2 } });
      expectMessage(report, says);
    }
  }
}

/** The one problem names the file, the record, its line, the reason and what to do. */
function expectMessage(report: Report, says: string): void {
  expect(report.problems).toHaveLength(1);
  const [one] = report.problems[0]?.examples ?? [];
  expect(one?.source).toMatch(/x\.jsonl?$/);
  expect(one).toMatchObject({ record: 2, line: 2 });
  expect(one?.message).toMatch(/^is not valid JSON: .+; fix or remove it$/);
  expect(one?.message).toMatch(new RegExp(says));
}

describe('JSON values', () => {
  eachSample(20)(casesIn<GoodValue>('json-good'))('%s', async (_, [, text]) => {
    await expectGood(text, JSON.parse(text));
  });

  eachSample(20)(casesIn<GoodValue>('json-good-over-lines'))('%s', async (_, [, text]) => {
    await expectGood(text, JSON.parse(text), DOCUMENTS);
  });

  eachSample(20)(casesIn<BadValue>('json-bad'))('%s', async (_, bad) => {
    expect(() => JSON.parse(`{"v":${bad[1]}}`)).toThrow();
    await expectBad(bad);
  });

  eachSample(20)(casesIn<BadValue>('json-bad-over-lines'))('%s', async (_, bad) => {
    await expectBad(bad, DOCUMENTS);
  });

  it.each(casesIn<OwnValue>('json-own'))('%s', async (_, [, text, becomes]) => {
    await expectGood(text, becomes);
  });
});

async function expectFile(file: string, one: FileCase) {
  const [, , expected, options = {}] = one;
  const bytes = contentOf(one);
  if (typeof expected === 'string') {
    const refused = await validate(file, bytes, options).then(
      () => 'it is read',
      (error: Error) => error.message,
    );
    expect(refused).toMatch(new RegExp(expected));
    return;
  }
  const found = await read(file, bytes, options);
  expect(found.records).toEqual(expected.records);
  if (expected.lines !== undefined) expect(found.lines).toEqual(expected.lines);
  const report = await validate(file, bytes, options);
  expect(report.counts.read).toBe(expected.records.length);
  if (expected.breaksOff === undefined) {
    expect(found.error).toBeUndefined();
    expect(report.stop).toBeNull();
  } else {
    expect(found.error).toMatch(new RegExp(expected.breaksOff));
    expect(report.exitCode).toBe(4);
    expect(report.stop?.message).toMatch(/x\.jsonl? ends early/);
  }
}

describe('files of JSON Lines', () => {
  eachSample(25)(casesIn('json-lines'))('%s', async (_, one) => {
    await expectFile('x.jsonl', one);
  });
});

describe('JSON documents', () => {
  eachSample(40)(casesIn('json-documents'))('%s', async (_, one) => {
    await expectFile('x.json', one);
  });
});
