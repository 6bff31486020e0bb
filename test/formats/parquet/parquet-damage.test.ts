/** Parquet files that are damaged, or made to do harm: what they do to their decoder stays there. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { Decoder, type DecoderBounds } from '../../../src/formats/parquet/decoder.js';
import { decompressed } from '../../../src/input/decompress/decompressed.js';
import { fileInput } from '../../../src/input/file-input.js';
import { BrokenInput } from '../../../src/input/raw-input.js';
import { SeekableInput } from '../../../src/input/seekable.js';
import { countLineEnds } from '../../../src/model/chunk.js';
import { newFolder } from '../../helpers/files.js';
import { randomFrom } from '../../helpers/random-from.js';
import { cases, longTest, SOAKING } from '../../helpers/runs.js';
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
const TIMEOUT_MS = SOAKING ? 12 * 3_600_000 : 60_000;

/** The number of records that could be read, and what ended the reading. */
async function outcome(bytes: Buffer): Promise<{ records: number; error?: unknown }> {
  try {
    const { records, error } = await readAll(inPieces(bytes, 4096));
    return { records: records.length, error };
  } catch (error) {
    return { records: 0, error };
  }
}

/** Either all is read, or the decoder's end is told with what to do. */
async function expectSound(file: Buffer): Promise<number> {
  // One in some hundreds does not end, or takes any memory.
  const { lines, error } = await decode(file, { memory, patienceSeconds: 5 });
  if (error === undefined) return lines;
  expect(error).toBeInstanceOf(BrokenInput);
  expect((error as BrokenInput).remedy).toMatch(/^(Download or copy the whole file|Write it with)/);
  return lines;
}

/** A file of `damaged/`, which its README describes. */
function damagedFile(name: string): Buffer {
  return readFileSync(path.join(import.meta.dirname, 'damaged', `${name}.parquet`));
}

describe('a Parquet file with a mistake', () => {
  longTest(
    'in any byte gives what can be read, or an error of docferry',
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      await forSeeds(cases(12, 20_000), 1, async (seed) => {
        const random = randomFrom(seed);
        const damaged = Buffer.from(FILES[Math.floor(random() * FILES.length)] as Buffer);
        const pagesEnd = damaged.length - 8 - damaged.readUInt32LE(damaged.length - 8);
        const end = random() < 0.6 ? pagesEnd : damaged.length;
        for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
          damaged[4 + Math.floor(random() * (end - 4))] = Math.floor(random() * 256);
        }
        const lines = await expectSound(damaged);
        // All of the row groups before the damage.
        if (end === pagesEnd) expect(lines % GROUP).toBe(0);
      });
    },
  );

  longTest.each(['page-of-0-values', 'page-of-11-values'])(
    'in the number of values loses no value in silence: %s',
    async (name) => {
      const { records, error } = await outcome(damagedFile(name));
      expect(error).toMatchObject({ exitCode: 4 });
      expect(records).toBe(GROUP);
    },
  );
});

longTest(
  'a page with a checksum is read if it is right; if not, the row group ends the reading',
  async () => {
    expect((await outcome(damagedFile('checksums'))).error).toBeUndefined();
    const { records, error } = await outcome(damagedFile('wrong-checksum'));
    expect(records).toBe(GROUP);
    expect(String(error)).toMatch(/after record 10 .*its column "text" has a page with a wrong/);
  },
);

const memory = { heapMib: 100, memoryMib: 400 };

async function decode(
  file: Buffer,
  bounds: DecoderBounds,
): Promise<{ readonly lines: number; readonly error?: unknown }> {
  let lines = 0;
  const name = path.join(newFolder(), 'one.parquet');
  writeFileSync(name, file);
  const raw = fileInput(name, { path: name, size: file.length, modifiedMs: 0, inode: 0 });
  const bytes = await new SeekableInput(raw, decompressed(raw, file, 1)).open();
  try {
    for await (const piece of new Decoder(bounds).pieces(bytes, 'rows')) {
      lines += countLineEnds(piece);
    }
    return { lines };
  } catch (error) {
    return { lines, error };
  } finally {
    bytes.close();
  }
}

describe('a Parquet file that is made to do harm', () => {
  longTest.each([
    ['asks for more values than memory holds', 'run-of-two-billion'],
    ['asks for more bytes than memory holds', 'prefixes'],
  ])('and %s ends its decoder, not docferry; the rows before stay', async (_, name) => {
    const { lines, error } = await decode(damagedFile(name), { memory, patienceSeconds: 60 });
    expect(lines).toBe(GROUP);
    expect(error).toBeInstanceOf(BrokenInput);
    expect(error).toMatchObject({
      message: expect.stringMatching(/row group 2 takes more memory than allowed .*400 MiB in all/),
      remedy: expect.stringMatching(/If it isn't damaged, write it with smaller row groups/),
    });
  });

  longTest('and never comes to an end is ended; the rows before stay', async () => {
    const { lines, error } = await decode(damagedFile('run-without-end'), {
      memory,
      patienceSeconds: 5,
    });
    expect(lines).toBe(GROUP);
    expect(error).toBeInstanceOf(BrokenInput);
    expect(String(error)).toMatch(/decoding its row group 2 takes longer than 5 seconds/);
  });
});

describe('a Parquet file that is whole', () => {
  it('gives the start of a row that is too long, and the rows around it', async () => {
    const data = ['a', 'é'.repeat(3000), 'b'];
    const file = parquet([{ name: 'text', data, type: 'STRING' }]);
    const { records, chunks } = await readAll(inPieces(file, 4096), { maxRecordBytes: 100 });
    expect(records.map(({ problem, value }) => problem?.kind ?? value)).toEqual([
      { text: 'a' },
      'too-long',
      { text: 'b' },
    ]);
    const kept = Buffer.from((chunks[1] as { bytes: Uint8Array }).bytes);
    expect(kept).toEqual(Buffer.from(`{"text":"${data[1]}`).subarray(0, 100));
  });

  longTest('takes its figures in their places: a column that is too large is refused', async () => {
    expect(String((await outcome(damagedFile('column-of-a-tebi'))).error)).toMatch(
      /has 1099511627776 values; at most/,
    );
  });
});
