/**
 * What `Intl` has said of time zones. The first question to it, whatever is asked, takes as long as
 * half of Node's start; so the command line keeps the answers for its next start.
 */

/** From which instant on a zone's clocks are how far ahead of UTC, in milliseconds, in order. */
export type Offsets = readonly (readonly [from: number, ahead: number])[];

/** By zone, and by the number of the period since 1970. */
export const zonePeriods: Map<string, Map<number, Offsets>> = new Map();

/** How many periods of a zone are kept, more than a century: dates that make no sense have others. */
const MAX_KEPT = 100;

/** As text, for {@link recallZones}. */
export function zonesAsText(): string {
  const zones = Array.from(zonePeriods, ([zone, periods]) => [
    zone,
    [...periods].slice(0, MAX_KEPT),
  ]);
  return JSON.stringify(zones);
}

/** @param text as {@link zonesAsText} has given it under the same data of time zones */
export function recallZones(text: string): void {
  for (const [zone, periods] of JSON.parse(text) as [string, [number, Offsets][]][]) {
    zonePeriods.set(zone, new Map(periods));
  }
}
