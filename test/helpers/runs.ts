/** `npm run soak` runs every property this many times as often as the suite does. */
const FACTOR = Number(process.env['DOCFERRY_SOAK'] ?? 1);

/** How often to run a property that the suite runs `usual` times. */
export function runs(usual: number): number {
  return usual * FACTOR;
}

/** How many cases to go through where the suite has few, and the soak a number of its own. */
export function cases(usual: number, soaked: number): number {
  return process.env['DOCFERRY_SOAK'] === undefined ? usual : soaked;
}
