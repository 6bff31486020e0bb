const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/**
 * How long to wait before trying again, in milliseconds: anything up to a bound that doubles with
 * every failure in a row, so that several senders don't come back together.
 * @param failures how many in a row there were before this one
 * @param random from 0 up to 1
 */
export function backOffMs(failures: number, random: number): number {
  return random * Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
}
