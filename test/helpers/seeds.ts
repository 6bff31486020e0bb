import { randomInt } from 'node:crypto';
import pLimit from 'p-limit';

/**
 * Runs a random test once for each of so many seeds, and says with which one it failed.
 * `DOCFERRY_SEED` runs that one alone. A seed repeats all that the test draws; when which message
 * arrives is the machine's own.
 * @param atOnce how many run side by side: most of a case's time is waiting
 */
export async function forSeeds(
  count: number,
  atOnce: number,
  run: (seed: number) => Promise<void>,
): Promise<void> {
  const given = process.env['DOCFERRY_SEED'];
  const first = given === undefined ? randomInt(2 ** 31) : Number(given);
  const seeds = Array.from(
    { length: given === undefined ? count : 1 },
    (_, index) => first + index,
  );
  const failures: Error[] = [];
  await pLimit(atOnce).map(seeds, async (seed) => {
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
