/** `npm run soak` runs every property this many times as often as the suite does. */
const FACTOR = Number(process.env['DOCFERRY_SOAK'] ?? 1);

/** How often to run a property that the suite runs `usual` times. */
export function runs(usual: number): number {
  return usual * FACTOR;
}

/** The factor at which a soak has all its cases, as `npm run soak` has. */
const WHOLE_SOAK = 20;

/**
 * How many cases to go through where the suite has few, and a whole soak a number of its own;
 * `DOCFERRY_SOAK=2` has a tenth of that.
 */
export function cases(usual: number, soaked: number): number {
  if (process.env['DOCFERRY_SOAK'] === undefined) return usual;
  return Math.max(usual, Math.ceil((soaked * Math.min(FACTOR, WHOLE_SOAK)) / WHOLE_SOAK));
}
