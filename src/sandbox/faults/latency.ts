import { draw, drawNormal } from './draw.js';
import type { Latency } from './plan.js';

/** How long the request of this key waits, in milliseconds; at most a day. */
export function drawLatency(latency: Latency, key: string): number {
  return Math.min(drawWait(latency, key), DAY_MS);
}

/** Timers overflow some weeks later; the schema holds all other durations to a day. */
const DAY_MS = 86_400_000;

/** Standard deviations between the median of a normal distribution and its 99th percentile. */
const P99 = 2.326_347_874;

function drawWait(latency: Latency, key: string): number {
  if ('fixed' in latency) return latency.fixed;
  if ('from' in latency) return latency.from + draw(key) * (latency.to - latency.from);
  const sigma = Math.log(latency.p99 / latency.median) / P99;
  return latency.median * Math.exp(sigma * drawNormal(key));
}
