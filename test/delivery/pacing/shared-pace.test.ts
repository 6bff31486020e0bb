import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/api/transport/exchange.js';
import { eachSample, longTest, runs } from '../../helpers/runs.js';
import { EXCHANGE_MS, mostInFlight, simulateCluster } from '../simulated-cluster.js';
import { accepted, refused, type Service } from '../simulated-service.js';
import { SimulatedTime } from '../simulated-time.js';

const END_MS = 40_000;

function workers(count: number, to = END_MS) {
  return Array.from({ length: count }, () => ({ from: 0, to }));
}

/** Takes all, however much it is. */
function uncapped(time: SimulatedTime, ms = 200): Service {
  return async (batch) => {
    await time.sleep(ms * (0.9 + 0.2 * time.random()));
    return accepted(batch);
  };
}

/** Takes so many at a time, and refuses the others. */
function limited(time: SimulatedTime, places: number, ms = 200): Service {
  let taken = 0;
  return async (batch) => {
    await time.sleep(5);
    if (taken >= places) return refused(429, 'too many');
    taken += 1;
    await time.sleep(ms * (0.9 + 0.2 * time.random()));
    taken -= 1;
    return accepted(batch);
  };
}

/** Counts, and refuses more than so many a second. */
function counting(time: SimulatedTime, capacity: number): Service {
  let [tokens, countedAt] = [1, time.now()];
  return async (batch) => {
    await time.sleep(10);
    tokens = Math.min(capacity / 10, tokens + ((time.now() - countedAt) * capacity) / 1_000);
    countedAt = time.now();
    const taken = tokens >= 1;
    if (taken) tokens -= 1;
    await time.sleep(10);
    return taken ? accepted(batch) : refused(429, 'slow down');
  };
}

/** Fails from one moment until another. */
function outage(time: SimulatedTime, fromMs: number, toMs: number, failure: () => Exchange) {
  const startedAt = time.now();
  const up = () => time.now() - startedAt < fromMs || time.now() - startedAt >= toMs;
  const service: Service = async (batch) => {
    await time.sleep(50);
    return up() ? accepted(batch) : failure();
  };
  return { up, service };
}

describe('workers that share a pace', () => {
  longTest('send more together the more they are, to a service that takes it', async () => {
    const taken: number[] = [];
    for (const count of [1, 2, 4, 8]) {
      const time = new SimulatedTime(count);
      const { takenBetween } = await simulateCluster({
        time,
        service: uncapped(time),
        workers: workers(count),
      });
      taken.push(takenBetween(25_000, END_MS));
    }
    const [one] = taken as [number];
    expect(taken[1]).toBeGreaterThan(1.9 * one);
    expect(taken[2]).toBeGreaterThan(3.8 * one);
    expect(taken[3]).toBeGreaterThan(7.6 * one);
  });

  it('have as many requests in flight each as the user fixed', async () => {
    const time = new SimulatedTime(1);
    const settings = { concurrency: 4 };
    const service = uncapped(time, 50);
    const { takenBetween } = await simulateCluster({
      time,
      service,
      settings,
      workers: workers(4, 10_000),
    });
    for (const number of [0, 1, 2, 3]) {
      expect(takenBetween(5_000, 10_000, `worker ${number}`)).toBeGreaterThan(0.9 * 400);
    }
  });

  eachSample()([
    [4, 3],
    [4, 10],
    [8, 40],
  ])('use a service that takes so many at a time: %i workers, %i places', async (count, places) => {
    const time = new SimulatedTime(3);
    const { sent, taken, takenBetween } = await simulateCluster({
      time,
      service: limited(time, places),
      workers: workers(count, 60_000),
    });
    const capacity = (places * 40_000) / 205;
    expect(takenBetween(20_000, 60_000)).toBeGreaterThan(0.5 * capacity);
    // Where there are fewer places than workers, one more in flight is much.
    expect(sent.length - taken.length).toBeLessThan(0.15 * sent.length);
  });

  eachSample()(['auto', 4] as const)(
    'use a service that takes so many a second, %s at a time',
    async (concurrency) => {
      const time = new SimulatedTime(4);
      const { sent, taken, takenBetween } = await simulateCluster({
        time,
        service: counting(time, 50),
        settings: { concurrency },
        workers: workers(4, 60_000),
      });
      expect(takenBetween(20_000, 60_000)).toBeGreaterThan(0.7 * 50 * 40);
      expect(sent.length - taken.length).toBeLessThan(0.1 * sent.length);
    },
  );

  it('leave what one of them does not use to the others', async () => {
    const time = new SimulatedTime(5);
    const idle = { from: 0, to: END_MS, batchesPerSecond: 1 };
    const { paces, takenBetween } = await simulateCluster({
      time,
      service: limited(time, 24),
      workers: [...workers(2), idle],
    });
    const late = paces.filter(({ at }) => at > 20_000).map(({ pace }) => pace.grants);
    const mean = (name: string) =>
      late.reduce((sum, grants) => sum + (grants[name]?.concurrency ?? 0), 0) / late.length;
    expect(mean('worker 2')).toBeLessThan(0.5 * mean('worker 0'));
    expect(takenBetween(20_000, END_MS, 'worker 2')).toBeGreaterThan(15);
  });

  it('leave the service alone when it asks one of them for that, even without a leader', async () => {
    const time = new SimulatedTime(6);
    const startedAt = time.now();
    let asked = false;
    const { sent, asked: all } = await simulateCluster({
      time,
      leaderless: { from: 22_000, to: 30_000 },
      workers: [...workers(6), { from: 25_000, to: END_MS }, { from: 33_000, to: END_MS }],
      service: async (batch) => {
        await time.sleep(200);
        if (asked || time.now() - startedAt < 20_000) return accepted(batch);
        asked = true;
        return refused(429, 'slow down', '15');
      },
    });
    const refusal = sent.find(({ exchange }) => isThrottled(exchange))!;
    const since = all.map(({ at }) => at - refusal.answeredAt).filter((ms) => ms > 0);
    expect(since.filter((ms) => ms > EXCHANGE_MS && ms < 15_000 - 1)).toEqual([]);
    expect(since.some((ms) => ms >= 15_000 && ms < 17_000)).toBe(true);
  });

  it.each([
    ['answers 503', () => refused(503, 'down')],
    ['refuses connections', (): Exchange => ({ kind: 'not-sent', message: 'ECONNREFUSED' })],
  ])(
    'are stopped by a service that %s, but for one that probes, and resume',
    async (_, failure) => {
      const time = new SimulatedTime(7);
      const [downMs, upMs] = [15_000, 75_000];
      const { up, service } = outage(time, downMs, upMs, failure);
      const { asked, gaveUp, takenBetween } = await simulateCluster({
        time,
        service,
        up,
        settings: { concurrency: 2 },
        workers: workers(5, 120_000),
      });
      const during = asked.filter(({ at }) => at > downMs + 2_000 && at < upMs);
      const gaps = during.slice(1).map(({ at }, index) => at - during[index]!.at);
      expect(Math.min(...gaps)).toBeGreaterThan(1_000 - 1e-6);
      expect(during.length).toBeGreaterThan(5);
      expect(during.length).toBeLessThan(30);
      expect(new Set(during.map(({ worker }) => worker)).size).toBeGreaterThan(1);
      for (const number of [0, 1, 2, 3, 4]) {
        expect(takenBetween(100_000, 120_000, `worker ${number}`)).toBeGreaterThan(30);
      }
      expect(gaveUp.every((reason) => reason === undefined)).toBe(true);
    },
  );

  it('give up together, with the reason, when the service is down for too long', async () => {
    const time = new SimulatedTime(8);
    const { up, service } = outage(time, 10_000, 1e9, () => refused(503, 'maintenance'));
    const { gaveUp, asked } = await simulateCluster({
      time,
      service,
      up: () => up(),
      settings: { maxOutageMs: 30_000 },
      workers: workers(4, 300_000),
    });
    expect(gaveUp).toHaveLength(4);
    for (const reason of gaveUp) expect(reason).toMatch(/more than 30 s; the last: /);
    expect(asked.at(-1)!.at).toBeLessThan(80_000);
  });

  it('continue with one request each when their leader is gone, and as before with another', async () => {
    const time = new SimulatedTime(9);
    const { sent, takenBetween } = await simulateCluster({
      time,
      service: uncapped(time),
      workers: workers(4, 60_000),
      leaderless: { from: 20_000, to: 32_000 },
    });
    const alone = sent.filter(({ at }) => at > 24_000 && at < 32_000);
    expect(mostInFlight(alone)).toBeLessThanOrEqual(4);
    expect(takenBetween(24_000, 32_000)).toBeGreaterThan(0.8 * 4 * 8 * 5);
    expect(takenBetween(50_000, 60_000)).toBeGreaterThan(0.9 * takenBetween(10_000, 20_000));
  });

  const spans = fc
    .record({
      from: fc.nat(15_000),
      lasts: fc.integer({ min: 5_000, max: 20_000 }),
      batchesPerSecond: fc.constantFrom(undefined, undefined, 0.5, 3),
    })
    .map(({ from, lasts, batchesPerSecond }) => ({
      from,
      to: from + lasts,
      ...(batchesPerSecond === undefined ? {} : { batchesPerSecond }),
    }));
  const worlds = {
    seed: fc.nat(),
    team: fc.array(spans, { minLength: 1, maxLength: 8 }),
    leaderless: fc.tuple(fc.nat(20_000), fc.nat(8_000)).map(([from, ms]) => {
      return { from, to: from + ms };
    }),
  };

  it('never send more than the user’s rate together, whoever comes and goes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...worlds, rate: fc.constantFrom(1, 10, 60) }),
        async ({ seed, team, leaderless, rate }) => {
          const time = new SimulatedTime(seed);
          const { sent } = await simulateCluster({
            time,
            service: uncapped(time, 50),
            workers: team,
            settings: { rate, concurrency: 8 },
            leaderless,
          });
          const times = sent.map(({ at }) => at);
          // What was saved up by each, and what is sent before all have heard of other shares.
          const burst = 2 * team.length + rate * (EXCHANGE_MS / 1_000);
          for (const [index, from] of times.entries()) {
            const within = times.slice(index).filter((at) => at - from <= 10_000);
            expect(within.length).toBeLessThanOrEqual(rate * 10 + burst);
          }
        },
      ),
      { numRuns: runs(20) },
    );
  });

  it('keep to what is granted, and all that can be sent goes, whatever the service does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          ...worlds,
          concurrency: fc.constantFrom(3, 'auto' as const),
          places: fc.constantFrom(1, 4, 20, 1_000),
          throttledAt: fc.nat(20_000),
          down: fc.tuple(fc.nat(20_000), fc.nat(10_000)),
        }),
        async ({ seed, team, leaderless, concurrency, places, throttledAt, down }) => {
          const time = new SimulatedTime(seed);
          const startedAt = time.now();
          const { up, service } = outage(time, down[0], down[0] + down[1], () => refused(503));
          const takes = limited(time, places);
          let throttled = false;
          const { sent, paces, takenBetween } = await simulateCluster({
            time,
            up,
            leaderless,
            settings: { concurrency },
            // One that is there until the end shows that all goes well again.
            workers: [...team, { from: 0, to: 100_000 }],
            service: async (batch) => {
              if (!up()) return service(batch);
              if (throttled || time.now() - startedAt < throttledAt) return takes(batch);
              throttled = true;
              return refused(429, 'slow down', '2');
            },
          });
          const most = concurrency === 'auto' ? 32 : concurrency;
          for (const { pace } of paces) {
            const granted = Object.values(pace.grants).map((grant) => grant.concurrency);
            expect(Math.max(0, ...granted)).toBeLessThanOrEqual(most);
          }
          expect(mostInFlight(sent)).toBeLessThanOrEqual(most * (team.length + 1));
          expect(takenBetween(90_000, 100_000)).toBeGreaterThan(10);
        },
      ),
      { numRuns: runs(20) },
    );
  });
});

function isThrottled(exchange: Exchange | undefined): boolean {
  return exchange?.kind === 'answer' && exchange.status === 429;
}
