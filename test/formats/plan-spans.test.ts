import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../src/formats/open-sources.js';
import type { SourceOptions } from '../../src/formats/options.js';
import { type PlannedSpan, planSpans } from '../../src/formats/plan-spans.js';
import { hashSpan } from '../../src/input/file-input.js';
import type { Chunk } from '../../src/model/chunk.js';
import { SourceBrokenError } from '../../src/model/errors.js';
import type { Input, Source, Span } from '../../src/model/source.js';
import { newFolder, put } from '../helpers/files.js';
import { inPieces, readSource, values } from '../input/read-all.js';

const SMALL = { chunkBytes: 64 };
const ROWS = Array.from({ length: 100 }, (_, index) => `${index},row ${index}\n`);
const TABLE = `n,text\n${ROWS.join('')}`;
const ANY: Span = { from: { byte: 0, record: 1, line: 1 }, to: 10 };

async function open(input: Input, options: SourceOptions = {}): Promise<Source> {
  const [source] = await openSources(input, { ...SMALL, ...options });
  if (source === undefined) throw new Error('expected a source');
  return source;
}

async function plan(source: Source, bytes: number): Promise<PlannedSpan[]> {
  const planned: PlannedSpan[] = [];
  for await (const one of planSpans(source, { bytesFrom: () => bytes })) planned.push(one);
  return planned;
}

describe('spans', () => {
  it('are about as large as asked for, and the last one ends with the file', async () => {
    const text = `# a comment\n${TABLE}\n\n# the end`;
    const file = put(newFolder(), 'a.csv', text);
    const planned = await plan(await open(file, { comment: '#' }), 300);
    const lengths = planned.map(({ span: { from, to } }) => to - from.byte);
    expect(Math.max(...lengths)).toBeLessThan(400);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(300);
    expect(planned.at(-1)?.span.to).toBe(text.length);
    expect(planned.reduce((sum, { records }) => sum + records, 0)).toBe(100);
  });

  it('are read without what comes before', async () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => `${index},row ${index}\n`);
    const file = put(newFolder(), 'a.csv', `n,text\n${rows.join('')}`);
    const source = await open(file, { chunkBytes: 1 << 16 });
    const last = (await plan(source, 1 << 20)).at(-1);
    const read = await readSource(source, last?.span);
    expect(values(read).at(-1)).toEqual(['199999', 'row 199999']);
    expect(source.bytesRead()).toBe((last?.span.to ?? 0) - (last?.span.from.byte ?? 0));
  });

  it('of a file without records are none', async () => {
    const folder = newFolder();
    expect(await plan(await open(put(folder, 'a.csv', 'n,text\n')), 1)).toEqual([]);
    expect(await plan(await open(put(folder, 'a.jsonl', '\n')), 1)).toEqual([]);
  });

  it('are those before the break, of a file that breaks in the middle', async () => {
    const source = await open(put(newFolder(), 'a.csv', TABLE));
    const planned: PlannedSpan[] = [];
    const broken: Source = { ...source, chunks: (signal) => breaking(source, signal) };
    const planning = (async () => {
      for await (const one of planSpans(broken, { bytesFrom: () => 100 })) planned.push(one);
    })();
    await expect(planning).rejects.toThrow('the disk is gone');
    const read = await Promise.all(planned.map(({ span }) => readSource(source, span)));
    const rows = ROWS.map((row) => row.trimEnd().split(','));
    const found = read.flatMap(values);
    expect(found.length).toBeGreaterThan(20);
    expect(found).toEqual(rows.slice(0, found.length));
    expect(planned.reduce((sum, { records }) => sum + records, 0)).toBe(found.length);
  });

  it('end with the signal that aborts their planning', async () => {
    const source = await open(put(newFolder(), 'a.csv', TABLE));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(planSpans(source, { bytesFrom: () => 1, signal }).next()).rejects.toThrow(
      'enough',
    );
  });
});

async function* breaking(source: Source, signal?: AbortSignal): AsyncGenerator<Chunk> {
  let chunks = 0;
  for await (const chunk of source.chunks(signal)) {
    if (chunks === 7) throw new SourceBrokenError('the disk is gone');
    chunks += 1;
    yield chunk;
  }
}

describe('a source', () => {
  it.each<[string, string | Uint8Array, SourceOptions]>([
    ['a.csv', TABLE, {}],
    ['a.csv', `\ufeff${TABLE}`, {}],
    ['a.jsonl', '{"n":1}\n{"n":2}\n', {}],
  ])('%s is divisible', async (name, bytes, options) => {
    expect((await open(put(newFolder(), name, bytes), options)).divisible).toBe(true);
  });

  it.each<[string, string | Uint8Array, SourceOptions]>([
    ['a.csv.gz', gzipSync(TABLE), {}],
    ['a.json', '[{"n":1},{"n":2}]', {}],
    ['a.csv', Buffer.from(`\ufeff${TABLE}`, 'utf16le'), {}],
    ['a.csv', TABLE, { encoding: 'windows-1252' }],
  ])(
    '%s is not divisible if it is compressed, encoded or no lines',
    async (name, bytes, options) => {
      await expectWhole(await open(put(newFolder(), name, bytes), options));
    },
  );

  it('is not divisible if it can be read only once', async () => {
    await expectWhole(await open(inPieces(Buffer.from(TABLE), 100)));
    await expectWhole(await open([{ n: 1 }]));
  });
});

async function expectWhole(source: Source): Promise<void> {
  expect(source.divisible).toBe(false);
  expect(() => source.chunks(undefined, ANY)).toThrow(/can't be read in spans/);
  await expect(planSpans(source, { bytesFrom: () => 1 }).next()).rejects.toThrow(
    /can't be divided/,
  );
}

describe("a span's hash", () => {
  it("is its bytes' alone, however long it is", async () => {
    const bytes = Buffer.alloc(1_500_000, 'some text, ');
    const file = put(newFolder(), 'a.csv', bytes);
    for (const [from, to] of [
      [0, 10],
      [7, 1_500_000],
      [600_000, 1_200_000],
    ] as const) {
      const expected = createHash('sha256').update(bytes.subarray(from, to)).digest('hex');
      expect(await hashSpan(file, { from: { byte: from, record: 1, line: 1 }, to })).toBe(expected);
    }
  });

  it('is refused where the file is gone, or no file', async () => {
    const folder = newFolder();
    const refused = (path: string): unknown =>
      expect(hashSpan(path, ANY)).rejects.toMatchObject({
        name: 'SourceError',
        message: expect.stringContaining(path),
      });
    await refused(`${folder}/gone.csv`);
    await refused(folder);
    symlinkSync(`${folder}/loop`, `${folder}/loop`);
    await refused(`${folder}/loop`);
  });
});
