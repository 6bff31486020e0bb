/**
 * A suite of CSV: y_ has to be read, n_ costs its record or is refused, with a message; i_ is left
 * open by RFC 4180 and told in docs/inputs.md. Each is read whole and byte by byte.
 */
import { describe, expect, it } from 'vitest';
import { type SourceOptions, validateDocuments } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { eachSample } from '../../helpers/runs.js';
import { inPieces, readAll } from '../read-all.js';
import { casesIn, contentOf, type FileCase, type ReadAs } from './cases.js';

interface Read {
  readonly columns: readonly string[] | null | undefined;
  readonly records: readonly unknown[];
  readonly lines: readonly unknown[];
}

/** Reads a table whole and byte by byte, in large chunks and small ones, which makes no difference. */
async function read(bytes: Buffer, options: SourceOptions): Promise<Read> {
  const ways: [piece: number, more: SourceOptions][] = [
    [bytes.length + 1, {}],
    [1, { chunkBytes: 64 }],
    [7, { chunkBytes: 100 }],
  ];
  const [whole, ...others] = await Promise.all(
    ways.map(async ([piece, more]): Promise<Read> => {
      const found = await readAll(inPieces(bytes, piece), { ...options, ...more });
      expect(found.error).toBeUndefined();
      return {
        columns: found.source.detected.columns,
        records: found.records.map(({ value, problem }) => value ?? problem?.kind),
        lines: found.records.map(({ line }) => line),
      };
    }),
  );
  for (const other of others) expect(other).toEqual(whole);
  return whole as Read;
}

const MAPPING = {
  name: 'CSV',
  profile: 'minimal',
  document: { sourceId: { hash: ['a'] }, text: 'some text' },
} as const;

/** Says of a file's records whether they are good, as a user would ask it. */
function validate(bytes: Buffer, options: SourceOptions) {
  const input = put(newFolder(), 'x.csv', bytes);
  const source = { ...options, chunkBytes: 64 };
  return validateDocuments({ input, mapping: MAPPING, source, threads: 0, throwOn: 'never' });
}

async function expectTable(one: FileCase, stated: SourceOptions) {
  const [, , expected, given] = one;
  const bytes = contentOf(one);
  const options = { ...stated, ...given };
  if (typeof expected === 'string') {
    await expect(validate(bytes, options)).rejects.toThrow(new RegExp(expected));
    return;
  }
  const { columns, records, lines } = await read(bytes, options);
  if (expected.columns !== undefined) expect(columns).toEqual(expected.columns);
  expect(records).toEqual(expected.records);
  if (expected.lines !== undefined) expect(lines).toEqual(expected.lines);
  await expectMessage(bytes, options, expected, lines);
}

/** The problem names the file, the record, its line, the reason and what to do. */
async function expectMessage(
  bytes: Buffer,
  options: SourceOptions,
  { records, says }: ReadAs,
  lines: readonly unknown[],
): Promise<void> {
  const report = await validate(bytes, options);
  const wrong = records.findIndex((record) => typeof record === 'string');
  expect(report.counts.read).toBe(records.length);
  if (records[wrong] === 'not-utf8') {
    // The mapping uses no column, so this costs nothing.
    expect(report).toMatchObject({ counts: { invalid: 0 }, notices: [] });
    return;
  }
  const [first] = report.problems.filter(({ kind }) => kind === records[wrong]);
  expect(first === undefined).toBe(wrong < 0);
  if (first === undefined || says === undefined) return;
  const [one] = first.examples;
  expect(one?.source).toMatch(/x\.csv$/);
  expect(one).toMatchObject({ record: wrong + 1, line: lines[wrong] });
  expect(one?.message).toMatch(new RegExp(says));
}

describe('CSV, with comma and quote', () => {
  const stated = { format: 'csv', delimiter: ',', quote: '"' } as const;

  eachSample(40)(casesIn('csv'))('%s', async (_, one) => {
    await expectTable(one, stated);
  });
});

describe('CSV, with nothing stated', () => {
  it.each(casesIn('csv-detected'))('%s', async (_, one) => {
    await expectTable(one, {});
  });
});
