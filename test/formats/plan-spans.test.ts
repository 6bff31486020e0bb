import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../src/formats/open-sources.js';
import type { SourceOptions } from '../../src/formats/options.js';
import { type PlannedSpan, planSpans } from '../../src/formats/plan-spans.js';
import type { Input, Source, Span } from '../../src/model/source.js';
import { collect } from '../helpers/collect.js';
import { newFolder, put } from '../helpers/files.js';
import { inPieces } from '../input/read-all.js';

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
  return await collect(planSpans(source, { bytesFrom: () => bytes }));
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
});

describe('a source', () => {
  it.each<[string, string | Uint8Array, SourceOptions]>([
    ['a.csv', TABLE, {}],
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
