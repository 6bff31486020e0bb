/** Parquet files that are damaged, or that declare more than is read at once. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type FileMetaData, parquetMetadata } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../helpers/random-from.js';
import { cases, longTest } from '../../helpers/runs.js';
import { forSeeds } from '../../helpers/seeds.js';
import { inPieces, readAll } from '../../input/read-all.js';

const ROWS = 30;
const GROUP = 10;
const ids = Array.from({ length: ROWS }, (_, row) => row);

type Writing = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>;

function parquet(columnData: ColumnSource[], writing: Writing = {}): Buffer {
  return Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: GROUP, ...writing }));
}

const compressed = parquet([
  { name: 'id', data: ids, type: 'INT32', encoding: 'DELTA_BINARY_PACKED' },
  { name: 'word', data: ids.map((id) => `word ${id % 4} `.repeat(20)), type: 'STRING' },
]);
const nested = parquet([{ name: 'tags', data: ids.map((id) => ['a', `b${id}`]) }], {
  schema: [
    { name: 'root', num_children: 1 },
    { name: 'tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL', converted_type: 'UTF8' },
  ],
});
const FILES: readonly Buffer[] = [damagedFile('plain'), compressed, nested];

/** A file of `damaged/`, which its README describes. */
function damagedFile(name: string): Buffer {
  return readFileSync(path.join(import.meta.dirname, 'damaged', `${name}.parquet`));
}

/** The number of records that could be read, and what ended the reading. */
async function outcome(bytes: Buffer): Promise<{ records: number; error?: unknown }> {
  try {
    const { records, error } = await readAll(inPieces(bytes, 4096));
    return { records: records.length, error };
  } catch (error) {
    return { records: 0, error };
  }
}

function footerStart(file: Buffer): number {
  return file.length - 8 - file.readUInt32LE(file.length - 8);
}

describe('a Parquet file with a mistake', () => {
  longTest('in any byte of its footer gives what can be read, or an error', async () => {
    await forSeeds(cases(12, 20_000), 1, async (seed) => {
      const random = randomFrom(seed);
      const damaged = Buffer.from(FILES[Math.floor(random() * FILES.length)] as Buffer);
      const start = footerStart(damaged);
      for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
        const at = start + Math.floor(random() * (damaged.length - start));
        damaged[at] = Math.floor(random() * 256);
      }
      const { error } = await outcome(damaged);
      if (error === undefined) return;
      expect(error).toMatchObject({ name: expect.stringMatching(/^Source(Broken)?Error$/) });
      expect(String(error)).toMatch(/(Download or copy|Write it with|Export it)[^.]*\.$/);
    });
  });

  it.each(['page-of-0-values', 'page-of-11-values'])(
    'in the number of values loses no value in silence: %s',
    async (name) => {
      const { records, error } = await outcome(damagedFile(name));
      expect(error).toMatchObject({ name: 'SourceBrokenError', exitCode: 4 });
      expect(records).toBe(GROUP);
    },
  );
});

/** A file whose footer is changed before it is written. */
function declaring(change: (metadata: Pick<FileMetaData, 'row_groups'>) => void): Buffer {
  const writer = new ByteWriter();
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'id', type: 'INT32', repetition_type: 'REQUIRED' } as const,
  ];
  const file = new ParquetWriter({ writer, schema });
  file.write({ columnData: [{ name: 'id', data: ids }], rowGroupSize: GROUP });
  change(file);
  file.finish();
  return Buffer.from(writer.getBytes());
}

const TEBI = 2n ** 40n;

describe('a Parquet file is refused before anything is read', () => {
  it.each<[string, RegExp, (group: FileMetaData['row_groups'][number]) => void]>([
    [
      'rows',
      /has 1099511627776 rows, .*at most 4194304 rows,/,
      (group) => Object.assign(group, { num_rows: TEBI }),
    ],
    [
      'bytes',
      /and 1099511627776 bytes; at most .* and 536870912 bytes are read at once/,
      (group) => Object.assign(group, { total_byte_size: TEBI }),
    ],
    [
      'bytes of a column',
      /and 1099511627776 bytes; at most/,
      ({ columns }) =>
        Object.assign(columns[0]?.meta_data ?? {}, { total_uncompressed_size: TEBI }),
    ],
  ])('that declares too many %s', async (_, message, change) => {
    const file = declaring(({ row_groups: [, second] }) => second && change(second));
    await expect(readAll(inPieces(file, 4096))).rejects.toMatchObject({
      name: 'SourceError',
      message: expect.stringMatching(message),
    });
    await expect(readAll(inPieces(file, 4096))).rejects.toThrow('Write it with smaller row groups');
  });

  it('that declares too many values of a column', async () => {
    await expect(readAll(inPieces(damagedFile('column-of-a-tebi'), 4096))).rejects.toThrow(
      /1099511627786 values and .*at most .* 16777216 values/,
    );
  });
});

it('a page that declares more than is read ends the reading, after the row groups before', async () => {
  const { row_groups: groups } = parquetMetadata(Uint8Array.from(compressed).buffer);
  const start = Number(groups[1]?.columns[1]?.meta_data?.data_page_offset);
  const damaged = Buffer.from(compressed);
  // The size is the header's second number, a varint: the largest that fits.
  const size = start + 3;
  const length = damaged.subarray(size).findIndex((byte) => byte < 0x80) + 1;
  damaged.fill(0xff, size, size + length - 1);
  damaged[size + length - 1] = 0x7f;
  const { records, error } = await outcome(damaged);
  expect(records).toBe(GROUP);
  expect(error).toMatchObject({ name: 'SourceBrokenError' });
});
