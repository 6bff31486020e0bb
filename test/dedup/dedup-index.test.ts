import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DedupIndex,
  type PreviousOccurrence,
  TooManyIdsError,
} from '../../src/dedup/dedup-index.js';
import { runs } from '../helpers/runs.js';

const MAX_IDS = 1_000_000;

/** The same as a `DedupIndex`, as plainly as it can be done. */
class PlainIndex {
  readonly #first = new Map<string, { content: number; ordinal: number }>();

  insert(
    high: number,
    low: number,
    content: number,
    ordinal: number,
  ): PreviousOccurrence | undefined {
    const first = this.#first.get(`${high} ${low}`);
    if (first === undefined) {
      this.#first.set(`${high} ${low}`, { content, ordinal });
      return undefined;
    }
    return { same: first.content === content, ordinal: first.ordinal };
  }
}

/** 32-bit words that are spread evenly, the same ones for the same seed (xorshift). */
function wordsFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

type Document = readonly [high: number, low: number, content: number];

/** A stream of documents over so many ids, each id as often as any other. */
function documentsOver(distinct: number, count: number, seed: number): Document[] {
  const next = wordsFrom(seed);
  const ids = Array.from({ length: distinct }, () => [next(), next() || 1] as const);
  return Array.from({ length: count }, (): Document => {
    const [high, low] = ids[next() % distinct] as readonly [number, number];
    return [high, low, next() % 3];
  });
}

function insertAll(
  index: DedupIndex | PlainIndex,
  documents: readonly Document[],
): readonly (PreviousOccurrence | undefined)[] {
  return documents.map(([high, low, content], ordinal) =>
    index.insert(high, low, content, ordinal),
  );
}

describe('DedupIndex', () => {
  it('finds what a plain map finds', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 5000 }), (seed, distinct) => {
        const documents = documentsOver(distinct, 4000, seed);
        const found = insertAll(new DedupIndex(MAX_IDS), documents);
        expect(found).toEqual(insertAll(new PlainIndex(), documents));
      }),
      { numRuns: runs(25) },
    );
  });

  it('refuses more ids than it may hold, and still finds those that it has', () => {
    const index = new DedupIndex(2);
    insertAll(index, [
      [1, 1, 0],
      [2, 2, 0],
    ]);
    expect(index.insert(1, 1, 5, 2)).toEqual({ same: false, ordinal: 0 });
    expect(() => index.insert(3, 3, 0, 3)).toThrow(TooManyIdsError);
    expect(() => index.insert(3, 3, 0, 3)).toThrow(
      /more than 2 different sourceIds.*--shard\).*split it/,
    );
    expect(index.insert(2, 2, 0, 4)).toEqual({ same: true, ordinal: 1 });
  });
});
