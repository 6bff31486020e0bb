import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/index.js';
import {
  DocferryError,
  guessMapping,
  type Report,
  type SourceOptions,
  validateDocuments,
} from '../../src/index.js';
import { loadMapping, parseMapping } from '../../src/mapping/load/load-mapping.js';
import { ROOT } from '../helpers/markdown.js';
import { randomFrom } from '../helpers/random-from.js';
import { cases, longTest, SOAKING } from '../helpers/runs.js';
import { forSeeds } from '../helpers/seeds.js';
import { inPieces } from '../input/read-all.js';
import { mutate } from './mutate.js';
import { ARCHIVES, ORIGINALS, type Original } from './originals.js';

/** How many inputs one seed draws. */
const A_SEED = 100;
const HOURS = 3_600_000;
const timeout = SOAKING ? 12 * HOURS : 60_000;

/** Seeds that failed once. */
const REGRESSIONS = [1000674, 4001186];
const GUESS_REGRESSIONS = [2110401417];

const others = ORIGINALS.map(({ bytes }) => bytes);

/** A file with mistakes in it, and how it is to be read. */
interface Broken {
  readonly input: () => AsyncIterable<Uint8Array>;
  readonly source: SourceOptions;
}

async function broken(original: Original, random: () => number): Promise<Broken> {
  const mutated = mutate(original.bytes, others, random);
  const bytes = (await original.wrap?.(mutated)) ?? mutated;
  const tiny = original.packed === true ? 61 : 7;
  const piece = random() < 0.2 ? tiny : 1 + Math.floor(random() * 9_000);
  const chunks = random() < 0.3 ? { chunkBytes: 64, maxRecordBytes: 300 } : {};
  return { input: () => inPieces(bytes, piece), source: { ...original.source, ...chunks } };
}

async function validated(
  original: Original,
  random: () => number,
): Promise<Report | DocferryError> {
  const { input, source } = await broken(original, random);
  const mapping = (await mappingOf(original)) as Mapping;
  const options = { input: input(), mapping, source, threads: 0, asOf: '2026-01-01' };
  return await orRefused(validateDocuments({ throwOn: 'never', ...options }));
}

async function orRefused<T>(work: PromiseLike<T>): Promise<T | DocferryError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DocferryError) return error;
    throw error;
  }
}

const mappings = new Map<string, Promise<object>>();
function mappingOf({ mapping }: Original): Promise<object> | object {
  if (typeof mapping !== 'string') return mapping;
  const known = mappings.get(mapping) ?? loadMapping(path.join(ROOT, `mappings/${mapping}.yaml`));
  mappings.set(mapping, known);
  return known;
}

function expectSound(result: Report | DocferryError): void {
  if (result instanceof DocferryError) {
    expectRefusal(result);
    return;
  }
  const { read, skipped, invalid, duplicate, unsent } = result.counts;
  expect(read).toBe(skipped + invalid + duplicate + unsent);
  expect([0, 1, 4]).toContain(result.exitCode);
  expect(JSON.stringify(result)).not.toMatch(/\\n {4}at |This is a bug/);
}

function expectRefusal({ exitCode, message }: DocferryError): void {
  expect([2, 4]).toContain(exitCode);
  expect(message).not.toMatch(/\n {4}at |undefined|\[object/);
}

/** Runs work, which must not keep a processor busy longer than so many milliseconds. */
async function within<T>(most: number, work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  // The processor's time, in microseconds: what else goes on on the machine doesn't count.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(most);
  return result;
}

/** Validates broken copies of some files; gives how many good records there were left in them. */
async function validateBroken(
  originals: readonly Original[],
  count: number,
  seed: number,
): Promise<number> {
  const random = randomFrom(seed);
  let good = 0;
  for (let index = 0; index < count; index += 1) {
    const original = originals[Math.floor(random() * originals.length)] as Original;
    const result = await within(1_000, () => validated(original, random));
    expectSound(result);
    if (!(result instanceof DocferryError)) good += result.counts.unsent;
  }
  return good;
}

describe('mutated files', () => {
  // What is loaded the first time is no file's fault.
  beforeAll(async () => {
    for (const original of [...ORIGINALS, ...ARCHIVES]) await validated(original, randomFrom(1));
  });

  it('keep the sum, end in time and crash nothing', { timeout }, async () => {
    const play = async (seed: number): Promise<void> => {
      // Most files lose a few records only.
      expect(await validateBroken(ORIGINALS, A_SEED, seed)).toBeGreaterThan(100);
    };
    await forSeeds(cases(4, 10_000), 1, play, REGRESSIONS);
  });

  longTest('do so as archives and workbooks', { timeout }, async () => {
    await forSeeds(cases(1, 1_000), 1, async (seed) => {
      expect(await validateBroken(ARCHIVES, A_SEED, seed)).toBeGreaterThan(100);
    });
  });

  it('give a mapping that can be read when one is guessed for them', { timeout }, async () => {
    const play = async (seed: number): Promise<void> => {
      const random = randomFrom(seed);
      for (let index = 0; index < A_SEED / 10; index += 1) {
        const original = ORIGINALS[Math.floor(random() * ORIGINALS.length)] as Original;
        const { input, source } = await broken(original, random);
        const guess = await within(5_000, () =>
          orRefused(guessMapping({ input: input(), source, ready: false })),
        );
        if (guess instanceof DocferryError) expectRefusal(guess);
        else {
          const { read, valid, duplicate, skipped, invalid } = guess.records;
          expect(read).toBe(valid + duplicate + skipped + invalid);
          parseMapping(guess.mapping, 'guessed.yaml');
        }
      }
    };
    await forSeeds(cases(2, 1_000), 1, play, GUESS_REGRESSIONS);
  });
});
