import { describe, expect } from 'vitest';
import type { Batch } from '../../src/model/documents.js';
import { eachSample, longTest, SOAKING, sample } from '../helpers/runs.js';
import { accepted, batchFrom, refused, type Service, simulate } from './simulated-service.js';
import { SimulatedTime } from './simulated-time.js';

const MINUTE = 60_000;
const ONE = batchFrom(0, 3);

/** Requests a second: 100, then 10, then 100 again, a minute each. */
function capacityAt(ms: number): number {
  return ms >= MINUTE && ms < 2 * MINUTE ? 10 : 100;
}

/** Takes one after the other, and lets the others wait. */
function queueing(time: SimulatedTime, latencyMs: number): Service {
  const startedAt = time.now();
  let freeAt = startedAt;
  return async (batch) => {
    await time.sleep(latencyMs / 2);
    const from = Math.max(time.now(), freeAt);
    freeAt = from + 1_000 / capacityAt(from - startedAt);
    await time.sleep(freeAt - time.now() + latencyMs / 2);
    return accepted(batch);
  };
}

/** Counts, and refuses what is too much; what was not used is kept for `burstMs`. */
function counting(
  time: SimulatedTime,
  latencyMs: number,
  { burstMs, retryAfter }: { burstMs: number; retryAfter?: string },
): Service {
  const startedAt = time.now();
  let tokens = 1;
  let countedAt = startedAt;
  return async (batch) => {
    await time.sleep(latencyMs / 2);
    const capacity = capacityAt(time.now() - startedAt);
    const most = Math.max(1, (capacity * burstMs) / 1_000);
    tokens = Math.min(most, tokens + ((time.now() - countedAt) * capacity) / 1_000);
    countedAt = time.now();
    const taken = tokens >= 1;
    if (taken) tokens -= 1;
    await time.sleep((latencyMs / 2) * (0.8 + 0.4 * time.random()));
    return taken ? accepted(batch) : refused(429, 'slow down', retryAfter);
  };
}

function* batchesUntil(time: SimulatedTime, end: number): Generator<Batch> {
  while (time.now() < end) yield { ...ONE };
}

/** What is taken a second, as a share of the capacity, in spans of so many milliseconds. */
async function goodput(time: SimulatedTime, service: Service, concurrency: number | 'auto') {
  const startedAt = time.now();
  const { sent } = await simulate({
    time,
    service,
    batches: batchesUntil(time, startedAt + 3 * MINUTE),
    settings: { concurrency },
  });
  const takenAt = sent
    .filter(({ exchange }) => exchange?.kind === 'answer' && exchange.status === 200)
    .map(({ answeredAt }) => answeredAt - startedAt);
  const share = (from: number, to: number) =>
    (takenAt.filter((at) => at >= from && at < to).length * 1_000) / (to - from) / capacityAt(from);
  return { share, sent: sent.length, taken: takenAt.length };
}

describe('delivery to a service whose capacity changes', () => {
  const latencies = SOAKING ? [5, 100, 250] : sample([5, 250]);
  /** Least share of the capacity: in any five seconds, and on average. */
  const kinds: [string, (time: SimulatedTime, latencyMs: number) => Service, number, number][] = [
    ['queues', queueing, 0.5, 0.85],
    ['refuses at once', (time, ms) => counting(time, ms, { burstMs: 100 }), 0.4, 0.65],
    [
      'refuses, counting by the second',
      (time, ms) => counting(time, ms, { burstMs: 1_000 }),
      0.5,
      0.85,
    ],
    [
      'refuses, counting by the second, and says when to come back',
      (time, ms) => counting(time, ms, { burstMs: 1_000, retryAfter: '1' }),
      0.5,
      0.85,
    ],
    // Each time the limit is found a second is lost, and nothing can be caught up.
    [
      'refuses at once, and says when to come back',
      (time, ms) => counting(time, ms, { burstMs: 100, retryAfter: '1' }),
      0.4,
      0.65,
    ],
  ];
  const cases = kinds.flatMap(([name, start, least, average]) =>
    latencies.map((latencyMs) => [name, latencyMs, start, least, average] as const),
  );

  // One that queues and one that refuses: they are paced by different means.
  eachSample(2)(cases)(
    'uses it from 15 s after each change on, without too much: %s, %i ms away',
    async (_, latencyMs, start, least, average) => {
      const time = new SimulatedTime(7);
      const { share, sent, taken } = await goodput(time, start(time, latencyMs), 'auto');
      for (const change of [0, MINUTE, 2 * MINUTE]) {
        for (let from = change + 15_000; from < change + MINUTE; from += 5_000) {
          expect(share(from, from + 5_000), `from ${from} ms on`).toBeGreaterThanOrEqual(least);
          expect(share(from, from + 5_000), `from ${from} ms on`).toBeLessThanOrEqual(1.5);
        }
        expect(share(change + 15_000, change + MINUTE)).toBeGreaterThanOrEqual(average);
      }
      expect(sent - taken).toBeLessThanOrEqual(0.1 * sent);
    },
  );
});

describe('delivery to a service that handles so many at a time', () => {
  /** Answers in `ms` on average; what is more than `places` waits. */
  function parallel(time: SimulatedTime, places: number, ms: number, spread: number): Service {
    const freeAt = Array.from({ length: places }, () => time.now());
    return async (batch) => {
      freeAt.sort((a, b) => a - b);
      const from = Math.max(time.now(), freeAt[0] as number);
      freeAt[0] = from + ms * (1 - spread + 2 * spread * time.random());
      await time.sleep(freeAt[0] - time.now() + 5);
      return accepted(batch);
    };
  }

  async function took(places: number, ms: number, spread: number, concurrency: number | 'auto') {
    const time = new SimulatedTime(3);
    const { tookMs } = await simulate({
      time,
      service: parallel(time, places, ms, spread),
      batches: Array.from({ length: 2_000 }, () => ({ ...ONE })),
      settings: { concurrency },
    });
    return tookMs;
  }

  longTest.each([
    [4, 50, 0.5],
    [8, 200, 0],
    [12, 1_000, 0.5],
    [32, 100, 0.5],
  ])(
    'is at least nine tenths as fast as the best fixed number: %i places, %i ms, ± %f',
    async (places, ms, spread) => {
      const times: number[] = [];
      for (const concurrency of [1, 4, 8, 16, 32]) {
        times.push(await took(places, ms, spread, concurrency));
      }
      const auto = await took(places, ms, spread, 'auto');
      expect(Math.min(...times) / auto).toBeGreaterThanOrEqual(0.9);
    },
  );
});
