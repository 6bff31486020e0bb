import fc from 'fast-check';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/formats/options.js';
import { longTest, runs } from '../../helpers/runs.js';
import { inPieces, type ReadSource, readAll, values } from '../../input/read-all.js';

type Writing = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>;

function parquet(columnData: ColumnSource[], writing: Writing = {}): Buffer {
  return Buffer.from(parquetWriteBuffer({ columnData, ...writing }));
}

function read(bytes: Buffer, options: SourceOptions = {}): Promise<ReadSource> {
  return readAll(inPieces(bytes, 1000), options);
}

describe('a Parquet file', () => {
  it('gives a record for each row, over all row groups', async () => {
    const data = Array.from({ length: 25 }, (_, row) => `r${row}`);
    const { source, records } = await read(
      parquet([{ name: 'id', data, type: 'STRING' }], { rowGroupSize: 10 }),
    );
    expect(source.detected).toEqual({ format: 'parquet', encoding: null, compression: null });
    expect(records.map(({ record, value }) => [record, value])).toEqual(
      data.map((id, row) => [row + 1, { id }]),
    );
  });

  it('reads values of every type', async () => {
    const cells: [name: string, type: ColumnSource['type'], value: unknown, read: unknown][] = [
      ['text', 'STRING', 'é "x"\n', 'é "x"\n'],
      ['nothing', 'STRING', null, null],
      ['small integer', 'INT64', 5n, 5],
      ['large integer', 'INT64', 9007199254740993n, '9007199254740993'],
      ['number', 'DOUBLE', 4.1, 4.1],
      ['number of single precision', 'FLOAT', 4.1, 4.1],
      ['no number', 'DOUBLE', Number.NaN, null],
      ['truth value', 'BOOLEAN', true, true],
      ['moment', 'TIMESTAMP', new Date('2026-01-31T14:30:00.250Z'), '2026-01-31T14:30:00.250Z'],
      ['moment before 1970', 'TIMESTAMP', new Date(-1), '1969-12-31T23:59:59.999Z'],
      ['JSON', 'JSON', { b: [1] }, { b: [1] }],
    ];
    const columns = cells.map(([name, type, value]) => ({ name, type, data: [value] }));
    expect(values(await read(parquet(columns as ColumnSource[])))).toEqual([
      Object.fromEntries(cells.map(([name, , , expected]) => [name, expected])),
    ]);
  });

  it('reads moments without a zone, days, and decimals with all of their digits', async () => {
    const whole = { repetition_type: 'REQUIRED' } as const;
    const decimal = { ...whole, converted_type: 'DECIMAL' } as const;
    const timestamp = { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } as const;
    const bytes = parquet(
      [
        { name: 'local', data: [1_769_869_800_123_456n] },
        { name: 'day', data: [20_484] },
        { name: 'price', data: [-1234567890123456789n] },
        { name: 'small', data: [0.005] },
      ],
      {
        schema: [
          { name: 'root', num_children: 4 },
          { ...whole, name: 'local', type: 'INT64', logical_type: timestamp },
          { ...whole, name: 'day', type: 'INT32', converted_type: 'DATE' },
          { ...decimal, name: 'price', type: 'INT64', scale: 2, precision: 19 },
          { ...decimal, name: 'small', type: 'INT32', scale: 3, precision: 9 },
        ],
      },
    );
    expect(values(await read(bytes))).toEqual([
      {
        local: '2026-01-31T14:30:00.123456',
        day: '2026-01-31',
        price: '-12345678901234567.89',
        small: '0.005',
      },
    ]);
  });

  longTest('gives what was written, whatever the chunks and row groups', async () => {
    const row = fc.record({
      id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      text: fc.option(fc.string({ unit: 'grapheme' })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 64, max: 300 }),
        async (rows, rowGroupSize, chunkBytes) => {
          const ids = rows.map(({ id }) => id);
          const texts = rows.map(({ text }) => text);
          const bytes = parquet(
            [
              { name: 'id', data: ids, type: 'INT64' },
              { name: 'text', data: texts, type: 'STRING' },
            ],
            { rowGroupSize },
          );
          const { records } = await read(bytes, { chunkBytes });
          const shown = (value: unknown): unknown => (value as { id: unknown }).id;
          expect(records.map(({ value }) => String(shown(value)))).toEqual(ids.map(String));
          expect(records.map(({ value }) => (value as { text: unknown }).text)).toEqual(texts);
        },
      ),
      { numRuns: runs(50) },
    );
  });
});

describe('a Parquet file that makes no sense', () => {
  const whole = parquet(
    [
      { name: 'id', data: Array.from({ length: 30 }, (_, row) => row), type: 'INT32' },
      { name: 'text', data: Array.from({ length: 30 }, (_, row) => `text ${row}`), type: 'STRING' },
    ],
    { rowGroupSize: 10 },
  );

  it('is refused when it is cut off', async () => {
    for (const length of [4, 11, whole.length - 1]) {
      await expect(read(whole.subarray(0, length))).rejects.toMatchObject({
        name: 'SourceError',
        message: expect.stringContaining('Parquet data can'),
      });
    }
  });
});
