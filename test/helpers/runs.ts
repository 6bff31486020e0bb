import { it } from 'vitest';

/**
 * How much a run of the suite goes through. `npm test` sees every command and one case of each
 * fault, but starts no Postgres and no scheduler; `npm run test:all`, which CI runs, sees every
 * case; and `npm run soak` repeats the random ones by this factor.
 */
const SOAK = Number(process.env['DOCFERRY_SOAK'] ?? 0);

/** Whether this is a soak. */
export const SOAKING: boolean = SOAK > 0;

/** Whether cases run that take long, and show what a short one shows for further inputs. */
export const ALL_CASES: boolean = SOAKING || process.env['DOCFERRY_TESTS'] === 'all';

/** A test that `npm test` leaves to `npm run test:all`: a shorter one shows the same, or most of it. */
export const longTest: typeof it = it.runIf(ALL_CASES) as typeof it;

/** Cases of a table that take long: the first of them, unless all are to run. */
export function sample<const T>(cases: readonly T[], few = 1): readonly T[] {
  return ALL_CASES ? cases : cases.slice(0, few);
}

/** The `each` of tests for such a table. */
export function eachSample(few = 1): typeof it.each {
  return ((table: readonly unknown[]) => it.each(sample(table, few))) as typeof it.each;
}

/** How often to run a property that the whole suite runs `usual` times. */
export function runs(usual: number): number {
  if (SOAKING) return usual * SOAK;
  return ALL_CASES ? usual : Math.ceil(usual / 8);
}

/** The factor at which a soak has all its cases, as `npm run soak` has. */
const WHOLE_SOAK = 20;

/**
 * How many cases to go through where the whole suite has few, and a whole soak a number of its
 * own; `DOCFERRY_SOAK=2` has a tenth of that.
 */
export function cases(usual: number, soaked: number): number {
  if (!SOAKING) return runs(usual);
  return Math.max(usual, Math.ceil((soaked * Math.min(SOAK, WHOLE_SOAK)) / WHOLE_SOAK));
}
