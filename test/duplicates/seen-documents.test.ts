import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Earlier } from '../../src/duplicates/entry.js';
import { SeenDocuments } from '../../src/duplicates/seen-documents.js';
import { SpillError } from '../../src/duplicates/spill-file.js';
import { newFolder } from '../helpers/files.js';
import { longTest, runs } from '../helpers/runs.js';

afterEach(() => void vi.unstubAllEnvs());

/** What `SeenDocuments` does, as plainly as it can be done. */
class Plain {
  readonly #first = new Map<string, { content: number; ordinal: number }>();

  see(high: number, low: number, content: number, ordinal: number): Earlier | undefined {
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

/** Words of which some are far more frequent than others, and many differ in a few bits only. */
const crowded = fc.oneof(
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 0, max: 31 }).map((bit) => 2 ** bit),
  fc.integer({ min: 1, max: 40 }).map((from) => 2 ** 32 - from),
  fc.integer({ min: 1, max: 2 ** 32 - 1 }),
);

type Document = readonly [high: number, low: number, content: number];

/** A stream of documents over so many ids, each id as often as any other. */
function documentsOver(distinct: number, count: number, seed: number): Document[] {
  const next = wordsFrom(seed);
  const ids = Array.from({ length: distinct }, () => [next() || 1, next()] as const);
  return Array.from({ length: count }, (): Document => {
    const [high, low] = ids[next() % distinct] as readonly [number, number];
    return [high, low, next() % 3];
  });
}

/** What is said of each document of a sequence. */
function sayOf(seen: SeenDocuments | Plain, documents: readonly Document[]): unknown[] {
  return documents.map(([high, low, content], ordinal) => seen.see(high, low, content, ordinal));
}

describe('SeenDocuments', () => {
  it('says the same as a plain map, however little memory it may use', () => {
    const memory = fc.constantFrom(1, 256, 5000, 100_000, 2 ** 20, 2 ** 28);
    const ids = fc.record({ seed: fc.nat(), distinct: fc.integer({ min: 1, max: 5000 }) });
    fc.assert(
      fc.property(memory, ids, (bytes, { seed, distinct }) => {
        const documents = documentsOver(distinct, 4000, seed);
        const seen = new SeenDocuments(bytes);
        expect(sayOf(seen, documents)).toEqual(sayOf(new Plain(), documents));
        seen.close();
      }),
      { numRuns: runs(25) },
    );
  });

  it('tells ids apart whose hashes crowd', () => {
    const memory = fc.constantFrom(1, 1000, 2 ** 20);
    const crowd = fc.array(fc.tuple(crowded, crowded, fc.nat({ max: 2 })), { maxLength: 600 });
    fc.assert(
      fc.property(memory, crowd, (bytes, documents) => {
        const seen = new SeenDocuments(bytes);
        expect(sayOf(seen, documents)).toEqual(sayOf(new Plain(), documents));
        seen.close();
      }),
    );
  });

  longTest('knows every id of many in memory, and of many in a file', () => {
    for (const bytes of [2 ** 28, 2 ** 20]) {
      const seen = new SeenDocuments(bytes);
      const next = wordsFrom(bytes);
      const documents = Array.from({ length: 200_000 }, (): Document => [next() || 1, next(), 7]);
      expect(sayOf(seen, documents).filter(Boolean)).toEqual([]);
      expect(seen.size).toBe(200_000);
      const again = sayOf(seen, documents) as Earlier[];
      expect(again.every((earlier, index) => earlier.same && earlier.ordinal === index)).toBe(true);
      seen.close();
    }
  });

  it('leaves nothing where its file was, not even while the file is in use', () => {
    const folder = newFolder();
    vi.stubEnv('TMPDIR', folder);
    const seen = new SeenDocuments(1);
    const documents = documentsOver(3000, 3000, 1);
    sayOf(seen, documents);
    expect(readdirSync(folder)).toEqual([]);
    expect(sayOf(seen, documents).every(Boolean)).toBe(true);
    seen.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('uses no file as long as there is memory', () => {
    vi.stubEnv('TMPDIR', path.join(newFolder(), 'missing'));
    sayOf(new SeenDocuments(2 ** 28), documentsOver(3000, 3000, 1));
  });

  it('names the folder, the reason and the ways out when the file cannot be made', () => {
    const folder = path.join(newFolder(), 'missing');
    vi.stubEnv('TMPDIR', folder);
    const run = () => sayOf(new SeenDocuments(1), documentsOver(3000, 3000, 1));
    expect(run).toThrow(SpillError);
    expect(run).toThrow(folder);
    expect(run).toThrow(/ENOENT.*TMPDIR.*--remember-bytes/);
    mkdirSync(folder);
    expect(run).not.toThrow();
  });
});
