import type { RateLimit } from './plan.js';

/**
 * Counts requests in a window that slides with the clock. Answers `undefined` for a request that
 * may pass, else after how many whole seconds one will; refused requests don't count.
 */
export function createRateLimit(limit: RateLimit): (nowMs: number) => number | undefined {
  const windowMs = limit.perSeconds * 1000;
  let passed: number[] = [];
  return (nowMs) => {
    passed = passed.filter((atMs) => atMs > nowMs - windowMs);
    const [oldest = nowMs] = passed;
    if (passed.length >= limit.requests) {
      return Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000));
    }
    passed.push(nowMs);
    return undefined;
  };
}
