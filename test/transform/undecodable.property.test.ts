import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previewDocuments, type SourceOptions, validateDocuments } from '../../src/index.js';
import { minimalMapping } from '../helpers/reviews.js';
import { runs } from '../helpers/runs.js';

const COLUMNS = ['id', 'title', 'text', 'tag'] as const;
const USED = ['id', 'title', 'text'] as const;
const MAPPING = minimalMapping({ text: '{title} {text}' });

type Column = (typeof COLUMNS)[number];
type Row = Readonly<Record<Column, string>>;
/** Bytes that are put into a cell in front of one of its characters. */
interface Break {
  readonly row: number;
  readonly column: Column;
  readonly at: number;
  readonly bytes: readonly number[];
}

const word = fc.string({ unit: 'grapheme', maxLength: 12 });
const rows = fc
  .array(fc.record({ title: word, text: word, tag: word }), { minLength: 3, maxLength: 12 })
  .map((made) => made.map((row, n): Row => ({ ...row, id: `${n}`, text: `é漢😀 ${row.text}` })));
const broken = fc.record({
  row: fc.nat(11),
  column: fc.constantFrom(...COLUMNS),
  at: fc.nat(20),
  // Single bytes, and characters that are cut off.
  bytes: fc.oneof(
    fc.integer({ min: 0x80, max: 0xff }).map((byte) => [byte]),
    fc.constantFrom([0xe6, 0xbc], [0xf0, 0x9f, 0x98], [0xc3]),
  ),
});

type Escape = (text: string) => string;
interface Format {
  readonly source: SourceOptions;
  readonly file: (records: readonly Buffer[]) => Buffer;
  readonly record: (cells: readonly Buffer[]) => Buffer;
  readonly inside: Escape;
}

const join = (parts: readonly Buffer[], between: string): Buffer =>
  Buffer.concat(parts.flatMap((part, n) => (n === 0 ? [part] : [Buffer.from(between), part])));
const around = (before: string, bytes: Buffer, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
const object = (cells: readonly Buffer[]): Buffer =>
  around(
    '{',
    join(
      cells.map((cell, n) => around(`"${COLUMNS[n]}":"`, cell, '"')),
      ',',
    ),
    '}',
  );
const json: Escape = (text) => JSON.stringify(text).slice(1, -1);

const FORMATS: Readonly<Record<string, Format>> = {
  csv: {
    source: { format: 'csv' },
    file: (records) => around(`${COLUMNS.join(',')}\n`, join(records, '\n'), '\n'),
    record: (cells) =>
      join(
        cells.map((cell) => around('"', cell, '"')),
        ',',
      ),
    inside: (text) => text.replaceAll('"', '""'),
  },
  jsonl: {
    source: { format: 'jsonl' },
    file: (records) => join(records, '\n'),
    record: object,
    inside: json,
  },
  json: {
    source: { records: 'list' },
    file: (records) => around('{"list":[', join(records, ',\n'), ']}'),
    record: object,
    inside: json,
  },
};

function fileOf(format: Format, table: readonly Row[], breaks: readonly Break[]): Buffer {
  const records = table.map((row, n) =>
    format.record(
      COLUMNS.map((column) => {
        const one = breaks.find((other) => other.row === n && other.column === column);
        const characters = [...row[column]];
        const at = Math.min(one?.at ?? 0, characters.length);
        const part = (from: number, to: number): Buffer =>
          Buffer.from(format.inside(characters.slice(from, to).join('')));
        return Buffer.concat([part(0, at), Buffer.from(one?.bytes ?? []), part(at, Infinity)]);
      }),
    ),
  );
  return format.file(records);
}

async function documentsOf(bytes: Buffer, source: SourceOptions) {
  const made = [];
  for await (const { document, problems } of previewDocuments({
    input: [bytes],
    mapping: MAPPING,
    source,
  })) {
    const { downloaded: _, ...rest } = document ?? {};
    made.push({ document: rest, kinds: problems.map(({ kind }) => kind) });
  }
  return made;
}

/**
 * Whether a used field has broken bytes, or a replacement character of its own in a record that has
 * some: the two can't be told apart.
 */
function isSpoilt(table: readonly Row[], breaks: readonly Break[], row: number): boolean {
  const columns = breaks.flatMap((one) => (one.row === row ? [one.column] : []));
  if (columns.length === 0) return false;
  return USED.some((used) => columns.includes(used) || table[row]?.[used].includes('\ufffd'));
}

/** Found at random: seed 1483907468. */
const OWN_REPLACEMENT_CHARACTER: [Row[], Break[], boolean] = [
  [0, 1, 2].map((n) => ({ id: `${n}`, title: n === 1 ? '\ufffd' : '', text: 'é漢😀', tag: '' })),
  [
    { row: 1, column: 'tag', at: 0, bytes: [0x80] },
    { row: 0, column: 'id', at: 0, bytes: [0x80] },
  ],
  false,
];

describe('bytes broken in some columns of some records', () => {
  it.each(Object.entries(FORMATS))(
    'leave a file UTF-8 (%s): records whose used fields are whole give the same documents, the others are invalid',
    async (_, format) => {
      const { source } = format;
      await fc.assert(
        fc.asyncProperty(
          rows,
          fc.uniqueArray(broken, {
            minLength: 1,
            maxLength: 8,
            selector: (b) => `${b.row} ${b.column}`,
          }),
          fc.boolean(),
          async (table, all, packed) => {
            const breaks = all.filter(({ row }) => row < table.length);
            const bytes = fileOf(format, table, breaks);
            const whole = await documentsOf(fileOf(format, table, []), source);
            const made = await documentsOf(packed ? gzipSync(bytes) : bytes, source);
            expect(made).toHaveLength(table.length);
            for (const [row, { document, kinds }] of made.entries()) {
              if (isSpoilt(table, breaks, row)) expect(kinds).toContain('not-utf8');
              else
                expect({ document, kinds }).toEqual({ document: whole[row]?.document, kinds: [] });
            }
            const report = await validateDocuments({
              input: [bytes],
              mapping: MAPPING,
              source,
              threads: 0,
              throwOn: 'never',
            });
            expect(report.inputs[0]?.encoding).toBe('utf-8');
            const invalid = table.filter((_, row) => isSpoilt(table, breaks, row)).length;
            expect(report.counts).toMatchObject({ read: table.length, invalid });
          },
        ),
        { numRuns: runs(60), examples: [OWN_REPLACEMENT_CHARACTER] },
      );
    },
  );
});
