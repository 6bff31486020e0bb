import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_CASES, runs } from '../../helpers/runs.js';
import { lineOf } from '../../input/csv-oracle.js';
import { inPieces, readAll, values } from '../../input/read-all.js';
import { FEEDS, SECTIONS } from './feeds.js';

describe.each([
  ...Object.entries(FEEDS),
  [
    'products with sections between',
    { records: 'feed/p[]/reviews/review', text: SECTIONS },
  ] as const,
  ['reviews with sections between', { records: 'feed/p/reviews/review', text: SECTIONS }] as const,
])('a feed of %s', (_, { records, text }) => {
  const bytes = Buffer.from(text);

  it('gives the same records in chunks and pieces of any size', async () => {
    const whole = await readAll(inPieces(bytes, bytes.length), { records });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 64, max: 900 }),
        fc.integer({ min: 1, max: 200 }),
        async (chunkBytes, piece) => {
          const read = await readAll(inPieces(bytes, piece), { records, chunkBytes });
          expect(read.records).toEqual(whole.records);
          expect(read.error).toBeUndefined();
          for (const { position } of read.chunks) {
            expect(position.line).toBe(lineOf(bytes.subarray(0, position.byte).toString()));
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('gives the same records when reading pauses at any byte', async () => {
    const whole = await readAll(inPieces(bytes, bytes.length), { records });
    for (let cut = 1; cut < bytes.length; cut += ALL_CASES ? 5 : 23) {
      const parts = inParts(bytes.subarray(0, cut), bytes.subarray(cut));
      const read = await readAll(parts, { records, chunkBytes: Math.max(64, cut) });
      expect(read.error).toBeUndefined();
      expect(read.records).toEqual(whole.records);
    }
  });
});

async function* inParts(...parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

const NAMES = ['a', 'b-c', 'title', 'é', '__proto__', 'constructor'] as const;
const text = fc.string({
  unit: fc.constantFrom('a', ' ', '<', '&', '"', "'", '>', ']]>', 'ü', '😀', '\n', '\t'),
});

interface Leaf {
  readonly text: string;
  readonly attributes: readonly (readonly [string, string])[];
}

const leaf: fc.Arbitrary<Leaf> = fc.record({
  text,
  attributes: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), text), {
    selector: ([name]) => name,
    maxLength: 2,
  }),
});

/** An element: a leaf, or children by name, several of which are a list. */
type Tree = Leaf | readonly (readonly [string, readonly Tree[]])[];

const { tree } = fc.letrec<{ tree: Tree; children: Exclude<Tree, Leaf> }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, leaf, tie('children')),
  children: fc.uniqueArray(
    fc.tuple(fc.constantFrom(...NAMES), fc.array(tie('tree'), { minLength: 1, maxLength: 3 })),
    { selector: ([name]) => name, minLength: 1, maxLength: 3 },
  ),
}));

const isLeaf = (one: Tree): one is Leaf => 'text' in one;

const escaped = (one: string): string =>
  one
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#x9;');

function xmlOf(name: string, one: Tree): string {
  if (!isLeaf(one)) {
    const inside = one.flatMap(([child, trees]) => trees.map((inner) => xmlOf(child, inner)));
    return `<x:${name} >\n${inside.join('\n  ')}</x:${name}\n>`;
  }
  const attributes = one.attributes.map(([key, value]) => ` ${key} = "${escaped(value)}"`).join('');
  const cdata = one.text.includes('"') && !one.text.includes(']]>');
  return `<${name}${attributes}>${cdata ? `<![CDATA[${one.text}]]>` : escaped(one.text)}</${name}>`;
}

function expectedValue(one: Tree): unknown {
  if (!isLeaf(one)) {
    const entries = one.map(([name, trees]) => {
      const [only, ...others] = trees.map(expectedValue);
      return [name, others.length === 0 ? only : [only, ...others]];
    });
    return Object.fromEntries(entries);
  }
  if (one.attributes.length === 0) return one.text;
  const attributes = one.attributes.map(([name, value]) => [`@${name}`, value]);
  return Object.fromEntries([...attributes, ['#text', one.text]]);
}

it('gives the objects that were written as XML', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(tree, { minLength: 1 }),
      fc.integer({ min: 64, max: 500 }),
      async (trees, chunkBytes) => {
        const xml = `<l xmlns:x="urn:x">${trees.map((one) => xmlOf('r', one)).join('<other/>\n')}</l>`;
        const read = await readAll(inPieces(Buffer.from(xml), 50), { records: 'l/r', chunkBytes });
        const expected = trees
          .map(expectedValue)
          .map((one) => (typeof one === 'string' ? { '#text': one } : one));
        expect(read.error).toBeUndefined();
        expect(values(read)).toEqual(expected);
      },
    ),
    { numRuns: runs(300) },
  );
});
