import { createHash } from 'node:crypto';

/**
 * A number from 0 up to, but not including, 1 that depends on nothing but the key: the same on
 * every machine and in every order of asking.
 */
export function draw(key: string): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** A draw from the standard normal distribution (Box–Muller). */
export function drawNormal(key: string): number {
  // 1 - u is never 0, whose logarithm is not a number to go on with.
  const radius = Math.sqrt(-2 * Math.log(1 - draw(`${key} radius`)));
  return radius * Math.cos(2 * Math.PI * draw(`${key} angle`));
}
