import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSources } from '../../../src/formats/open-sources.js';
import type { SourceOptions } from '../../../src/formats/options.js';
import { planSpans } from '../../../src/formats/plan-spans.js';
import { recordAsRead } from '../../../src/formats/read-records.js';
import { newFolder } from '../../helpers/files.js';
import { runs } from '../../helpers/runs.js';
import { inPieces, type ReadRecord, readAll, readSource, values } from '../../input/read-all.js';

const recordsOf = async (document: unknown, records: string): Promise<unknown[]> => {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const read = { records, chunkBytes: 64 };
  return values(await readAll(inPieces(Buffer.from(text), 100), read));
};

it('gives the reviews of all products, with the product before and after its list', async () => {
  const products = [
    { name: 'Inn', reviews: [{ text: 'Fine' }, { text: 'Loud' }], city: 'Bath' },
    { name: 'Mill', reviews: [] },
    { name: 'Quay' },
    { name: 'Barn', reviews: [{ text: 'Cold' }] },
  ];
  const inn = { name: 'Inn', city: 'Bath' };
  const expected = [
    { text: 'Fine', parent: inn },
    { text: 'Loud', parent: inn },
    { text: 'Cold', parent: { name: 'Barn' } },
  ];
  expect(await recordsOf({ products }, 'products[].reviews[]')).toEqual(expected);
  expect(await recordsOf({ products }, 'products[].reviews')).toEqual(expected);
  expect(await recordsOf(products, '[].reviews[]')).toEqual(expected);
  const lines = products.map((product) => JSON.stringify(product)).join('\n');
  expect(await recordsOf(lines, 'reviews[]')).toEqual(expected);
  const printed = products.map((product) => JSON.stringify(product, null, 1)).join('\n');
  expect(await recordsOf(printed, 'reviews[]')).toEqual(expected);
});

it('gives the values of objects, with their keys', async () => {
  const byId = { '901': { text: 'Fine' }, '902': { text: 'Loud', key: 'own' } };
  expect(await recordsOf({ reviews: byId, count: 2 }, 'reviews[]')).toEqual([
    { text: 'Fine', key: '901' },
    { text: 'Loud', key: 'own' },
  ]);
  expect(await recordsOf(byId, '[]')).toHaveLength(2);
  const byName = { Inn: [{ text: 'Fine' }], Mill: [{ text: 'Loud' }, { text: 'Cold' }] };
  expect(await recordsOf(byName, '[][]')).toEqual([
    { text: 'Fine', parent: { key: 'Inn' } },
    { text: 'Loud', parent: { key: 'Mill' } },
    { text: 'Cold', parent: { key: 'Mill' } },
  ]);
});

it('goes through several levels, and takes texts as values', async () => {
  const hotels = [{ name: 'Inn', data: { rooms: { Blue: { notes: ['Fine', 'Loud'], beds: 2 } } } }];
  const parent = { key: 'Blue', beds: 2, parent: { name: 'Inn', data: {} } };
  expect(await recordsOf({ hotels }, 'hotels[].data.rooms[].notes[]')).toEqual([
    { value: 'Fine', parent },
    { value: 'Loud', parent },
  ]);
});

it('makes an element that is malformed, or has no list, one invalid record', async () => {
  const text = '[{"reviews":[{"a":1}]},{"reviews":[oops]},{"reviews":7},8,{"reviews":[null]}]';
  const { records } = await readAll(inPieces(Buffer.from(text), 100), { records: '[].reviews[]' });
  expect(records.map(({ problem }) => problem?.message)).toEqual([
    undefined,
    expect.stringContaining('is not valid JSON'),
    'has number at "reviews" where a list of records is expected',
    'is 8 where an element with records is expected',
    expect.stringContaining('is null'),
  ]);
});

it.each([
  ['{"data":{"a":{"b":1},"c":{"b":2}}}', 'data', 'there is one at data[]'],
  [
    '{"products":[{"reviews":[{"a":1}]}]}',
    'products[].review[]',
    'one at products, products[].reviews[]',
  ],
  ['{"reviews":[{"a":1}]}\n{"reviews":[]}\n', 'review[]', 'there is one at reviews'],
  ['[{"reviews":[{"a":1}]}]', 'reviews[]', 'there is one at [].reviews[]'],
])('names the lists of %s', async (text, records, message) => {
  await expect(recordsOf(text, records)).rejects.toThrow(message);
});

it.each<[string, string]>([
  ['on lines', '{"reviews":null}\n{"reviews":[{"a":1}]}\n'],
  ['in a text sequence', '\x1e{"page":1}\n\x1e{"reviews":[{"a":1}]}\n'],
])('finds lists that the first of several documents %s lacks', async (_, text) => {
  expect(await recordsOf(text, 'reviews[]')).toEqual([expect.objectContaining({ a: 1 })]);
  await expect(recordsOf(text, 'views[]')).rejects.toThrow('there is one at reviews');
});

const review = fc.record({ text: fc.string(), id: fc.bigInt({ min: 0n, max: 1n << 70n }) });
const lists = fc.oneof(
  fc.array(fc.oneof(review, fc.constant(null), fc.string())),
  fc.dictionary(fc.string(), review),
  fc.constantFrom(null, 7, '', 'none'),
);
const elements = fc.array(fc.record({ name: fc.string(), in: fc.record({ reviews: lists }) }), {
  minLength: 1,
});

const write = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `<${one}>` : one)).replace(
    /"<(\d+)>"/g,
    '$1',
  );

it.each([
  ['a document', '[].in.reviews[]', (all: unknown[]) => write(all), 'json'],
  [
    'a list in a document',
    'all[].in.reviews[]',
    (all: unknown[]) => write({ 'n"': [1], of: { a: 2 }, all }),
    'json',
  ],
  ['lines', 'in.reviews[]', (all: unknown[]) => `${all.map(write).join('\n')}\n`, 'jsonl'],
])(
  '%s is the same in any chunks, and its records written one by one',
  async (_, records, textOf, ext) => {
    const file = path.join(newFolder(), `x.${ext}`);
    await fc.assert(
      fc.asyncProperty(elements, fc.integer({ min: 64, max: 400 }), async (all, chunkBytes) => {
        all.push({ name: 'last', in: { reviews: [{ text: 'x', id: 1n }] } });
        writeFileSync(file, textOf(all));
        const options: SourceOptions = { records, format: ext as 'json' };
        const whole = await readAll(file, options);
        const cut = await readAll(file, { ...options, chunkBytes });
        expect(cut.records.map(({ value }) => value)).toEqual(
          whole.records.map(({ value }) => value),
        );
        const again = path.join(newFolder(), `again.${ext}`);
        writeFileSync(again, await rewritten(file, options));
        expect(values(await readAll(again, options))).toEqual(values(whole));
      }),
      { numRuns: runs(60) },
    );
  },
);

it('numbers the records of lines alike in spans and as a whole', async () => {
  const file = path.join(newFolder(), 'x.jsonl');
  const lines = Array.from({ length: 200 }, (_, n) =>
    JSON.stringify({ n, reviews: Array.from({ length: n % 4 }, (__, id) => ({ id })) }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  const options = { records: 'reviews[]', chunkBytes: 64 };
  const whole = await readAll(file, options);
  const [source] = await openSources(file, options);
  if (source === undefined) throw new Error('no source');
  const parts: ReadRecord[] = [];
  for await (const { span, records } of planSpans(source, { bytesFrom: () => 500 })) {
    const part = await readSource(source, span);
    expect(part.records).toHaveLength(records);
    parts.push(...part.records);
  }
  expect(parts).toEqual(whole.records);
  expect(parts.at(-1)).toMatchObject({ record: 300, line: 200, value: { id: 2 } });
});

/** Writes each record on its own, as a rejects file does. */
async function rewritten(file: string, options: SourceOptions): Promise<string> {
  const [source] = await openSources(file, options);
  if (source === undefined) throw new Error('no source');
  const texts: string[] = [];
  for await (const chunk of source.chunks()) {
    for (let at = 0; at < chunk.records; at += 1) {
      texts.push(Buffer.from(recordAsRead(chunk, at).raw).toString());
    }
  }
  const [head, tail] = [source.head, source.tail].map((part) => Buffer.from(part).toString());
  return `${head}${texts.join(source.layout.inList ? ',\n' : '\n')}${tail}`;
}
