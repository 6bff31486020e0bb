import { randomInt } from 'node:crypto';
import pLimit from 'p-limit';
import { ALL_CASES } from './runs.js';

/**
 * Runs a random test once for each of so many seeds, and says with which one it failed.
 * `DOCFERRY_SEED` runs that one alone, or all of `1000..1999`. A seed repeats all that the test
 * draws; when which message arrives is the machine's own.
 * @param atOnce how many run side by side: most of a case's time is waiting
 * @param regressions seeds that failed once, which all cases include
 */
export async function forSeeds(
  count: number,
  atOnce: number,
  run: (seed: number) => Promise<void>,
  regressions: readonly number[] = [],
): Promise<void> {
  const failures: Error[] = [];
  await pLimit(atOnce).map(seedsFor(count, regressions), async (seed) => {
    // Those under way go on: what they use is still there for them.
    if (failures.length > 0) return;
    try {
      await run(seed);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      failures.push(new Error(`DOCFERRY_SEED=${seed} failed: ${message}`, { cause: error }));
    }
  });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

function seedsFor(count: number, regressions: readonly number[]): readonly number[] {
  const given = process.env['DOCFERRY_SEED'];
  if (given === undefined) {
    return [...(ALL_CASES ? regressions : []), ...seedsFrom(randomInt(2 ** 31), count)];
  }
  const [first = Number.NaN, last = first] = given.split('..').map(Number);
  const seeds = last - first + 1;
  if (seeds >= 1 && Number.isSafeInteger(first)) return seedsFrom(first, seeds);
  throw new Error(`DOCFERRY_SEED is "${given}"; expected a number, or two such as 1000..1999`);
}

function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
