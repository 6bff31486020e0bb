/**
 * Max-min fairness: nobody gets more than is asked for while another one asks for more, and what
 * nobody asks for goes to all alike.
 * @param total may be infinite, as may what is asked for
 */
export function fairShares(total: number, asks: readonly number[]): number[] {
  const shares = asks.map(() => 0);
  const smallestFirst = asks.map((ask, at) => ({ ask, at })).toSorted((a, b) => a.ask - b.ask);
  let left = total;
  for (const [served, { ask, at }] of smallestFirst.entries()) {
    const share = Math.min(ask, left / (asks.length - served));
    shares[at] = share;
    if (share < Number.POSITIVE_INFINITY) left -= share;
  }
  return shares.map((share) => share + left / asks.length);
}

/**
 * Shares as whole numbers with the same sum.
 * @param turn in the next one, what is left of rounding goes to others
 */
export function wholeShares(shares: readonly number[], turn: number): number[] {
  const whole = shares.map((share) => Math.floor(share + ROUNDING));
  let left = Math.round(sum(shares) - sum(whole));
  for (let step = 0; step < shares.length && left > 0; step += 1) {
    const at = (turn + step) % shares.length;
    if ((shares[at] as number) - (whole[at] as number) <= ROUNDING) continue;
    whole[at] = (whole[at] as number) + 1;
    left -= 1;
  }
  return whole;
}

const ROUNDING = 1e-9;

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
