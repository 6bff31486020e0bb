import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/api/transport/exchange.js';
import type { Batch } from '../../src/model/documents.js';
import { eachSample } from '../helpers/runs.js';
import {
  accepted,
  batchFrom,
  refused,
  type Service,
  settledAs,
  simulate,
} from './simulated-service.js';
import { SimulatedTime } from './simulated-time.js';

const LATENCY_MS = 50;
/** Two documents in each. */
function batches(count: number): Batch[] {
  return Array.from({ length: count }, (_, at) => batchFrom(2 * at, 2));
}

function allNumbers(count: number): number[] {
  return Array.from({ length: 2 * count }, (_, at) => at);
}

/** Answers the requests that `fails` picks with a failure, and takes the others. */
function failing(
  time: SimulatedTime,
  fails: (number: number) => boolean,
  failure: () => Exchange,
): Service {
  let number = 0;
  return async (batch) => {
    number += 1;
    const exchange = fails(number) ? failure() : accepted(batch);
    await time.sleep(exchange.kind === 'not-sent' ? 1 : LATENCY_MS);
    return exchange;
  };
}

describe('a pause that the service asks for', () => {
  const time = () => new SimulatedTime(4, Date.UTC(2026, 0, 1));
  it.each([
    ['seconds', '7', 7_000],
    ['no time at all', '0', 0],
    ['an HTTP date', 'Thu, 01 Jan 2026 00:00:20 GMT', 20_000 - 3 * LATENCY_MS],
    ['nothing', undefined, 0],
    ['the longest that is allowed', '300', 300_000],
  ])('is kept by the whole run: %s', async (_, retryAfter, leastMs) => {
    const clock = time();
    const { sent, settled } = await simulate({
      time: clock,
      service: failing(
        clock,
        (number) => number === 3,
        () => refused(429, 'slow down', retryAfter),
      ),
      batches: batches(20),
      settings: { concurrency: 1 },
    });
    const refusedAt = sent[2]?.answeredAt ?? Number.NaN;
    const pause = Math.min(...sent.slice(3).map(({ at }) => at - refusedAt));
    expect(pause).toBeGreaterThanOrEqual(leastMs);
    expect(pause).toBeLessThanOrEqual(Math.max(leastMs, 500) + 1);
    expect(settledAs(settled, 'accepted')).toEqual(allNumbers(20));
  });

  it('holds back the requests that were about to be sent, too', async () => {
    const clock = time();
    const { sent } = await simulate({
      time: clock,
      service: failing(
        clock,
        (number) => number === 1,
        () => refused(429, 'slow down', '60'),
      ),
      batches: batches(20),
      settings: { concurrency: 4 },
      port: {
        // Slow to make durable: some are in the middle of it when the pause begins.
        writeIntent: async (batch) => {
          await clock.sleep(clock.random() * 4 * LATENCY_MS);
          return batch;
        },
      },
    });
    const [first] = sent;
    const during = sent.filter(
      ({ at }) => at > first!.answeredAt && at < first!.answeredAt + 60_000,
    );
    expect(during).toEqual([]);
    expect(sent).toHaveLength(21);
  });

  it('ends delivery at once, and says why, when it is longer than the service may be down', async () => {
    const clock = time();
    const { result, sent, settled, tookMs } = await simulate({
      time: clock,
      service: failing(
        clock,
        (number) => number > 2,
        () => refused(429, 'come back later', '3600'),
      ),
      batches: batches(20),
      settings: { concurrency: 1 },
    });
    expect(sent).toHaveLength(3);
    expect(result.stopMessage).toMatch(/a pause of 3600 s, longer than the 300 s that/);
    expect(settled.size).toBe(2);
    expect(tookMs).toBe(3 * LATENCY_MS);
  });
});

describe('a service that is overloaded now and then', () => {
  it.each([429, 503])(
    'is sent at most 1.1 times the batches when it answers %i to one in twenty, and takes all',
    async (status) => {
      const time = new SimulatedTime(status);
      const { sent, settled, withdrawn, result } = await simulate({
        time,
        service: failing(
          time,
          () => time.random() < 0.05,
          () => refused(status),
        ),
        batches: batches(500),
      });
      expect(settledAs(settled, 'accepted')).toEqual(allNumbers(500));
      expect(sent.length).toBeLessThanOrEqual(550);
      expect(result).toEqual({ requests: sent.length, retries: withdrawn.length });
    },
  );

  it('makes a bounded number of batches wait, however much it refuses', async () => {
    const time = new SimulatedTime(5);
    let read = 0;
    function* counted(): Generator<Batch> {
      for (const batch of batches(400)) {
        read += 1;
        yield batch;
      }
    }
    let taken = 0;
    let furthestAhead = 0;
    const { settled } = await simulate({
      time,
      service: failing(
        time,
        () => {
          furthestAhead = Math.max(furthestAhead, read - taken);
          const fails = time.random() < 0.4;
          if (!fails) taken += 1;
          return fails;
        },
        () => refused(429),
      ),
      batches: counted(),
    });
    // What waits to be sent again is held in memory, so it is bounded: 32, and as many under way.
    expect(furthestAhead).toBeLessThanOrEqual(32 + 32 + 1);
    expect(settledAs(settled, 'accepted')).toEqual(allNumbers(400));
  });
});

describe('a service that is down', () => {
  const DOWN_MS = 5 * 60_000;

  /** Down from the third second on, for five minutes. */
  function outage(time: SimulatedTime, failure: () => Exchange) {
    const startedAt = time.now();
    const down = () => {
      const since = time.now() - startedAt;
      return since > 3_000 && since < 3_000 + DOWN_MS;
    };
    return { startedAt, down, service: failing(time, down, failure) };
  }

  eachSample(1)([
    ['answers 503', () => refused(503, 'down for maintenance')],
    [
      'does not answer',
      (): Exchange => ({ kind: 'no-answer', message: 'timeout', timedOut: true }),
    ],
    ['refuses connections', (): Exchange => ({ kind: 'not-sent', message: 'ECONNREFUSED' })],
  ])(
    'is asked at most once a second while it %s, and gets the rest afterwards',
    async (_, fail) => {
      const time = new SimulatedTime(6);
      const { startedAt, down, service } = outage(time, fail);
      const probed: number[] = [];
      const told: string[] = [];
      const { sent, settled, result, tookMs } = await simulate({
        time,
        service,
        batches: batches(4_000),
        settings: { concurrency: 8, rate: 200, maxOutageMs: 2 * DOWN_MS },
        port: {
          notice: (message) => told.push(message),
          probe: async () => {
            probed.push(time.now());
            await time.sleep(LATENCY_MS);
            return !down() || time.random() < 0.3;
          },
        },
      });
      const failures = sent.filter(
        ({ exchange }) => exchange!.kind !== 'answer' || !isAccepted(exchange!),
      );
      const openAt = failures[4]!.answeredAt;
      const reopened = startedAt + 3_000 + DOWN_MS;
      const asked = [...probed, ...sent.map(({ at }) => at)]
        .filter((at) => at > openAt + 1 && at < reopened)
        .toSorted((a, b) => a - b);
      expect(asked.length).toBeGreaterThan(5);
      const gaps = asked.slice(1).map((at, index) => at - asked[index]!);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000 - 1e-6);
      expect(probed.length).toBeGreaterThan(5);
      // Up again: found out within half a minute and some, and sent as before.
      expect(result.stopMessage).toBeUndefined();
      expect(tookMs).toBeLessThan(DOWN_MS + 120_000);
      const unknown = settledAs(settled, 'unknown');
      expect([...settledAs(settled, 'accepted'), ...unknown].toSorted((a, b) => a - b)).toEqual(
        allNumbers(4_000),
      );
      expect(unknown.length).toBeLessThan(2 * 60);
      // Once, however many pauses an outage has.
      expect(told).toEqual([expect.stringMatching(/^Sending pauses for \d+ s \(.+\)/)]);
    },
  );

  it('is given up once it has been down for longer than it may be, with the reason', async () => {
    const time = new SimulatedTime(7);
    const { result, settled, tookMs } = await simulate({
      time,
      service: failing(
        time,
        (number) => number > 10,
        () => refused(503, 'down for maintenance'),
      ),
      batches: batches(1_000),
      settings: { concurrency: 4, maxOutageMs: 60_000 },
    });
    expect(result.stopMessage).toMatch(/more than 60 s; the last failed: .*down for maintenance/);
    expect(tookMs).toBeGreaterThan(60_000);
    expect(tookMs).toBeLessThan(60_000 + 35_000);
    expect(settledAs(settled, 'accepted')).toHaveLength(20);
  });

  it('ends a pause at once when the run is interrupted', async () => {
    const time = new SimulatedTime(9);
    const interruption = new AbortController();
    const startedAt = time.now();
    void time.sleep(10_000).then(() => interruption.abort());
    const { sent, tookMs } = await simulate({
      time,
      service: failing(
        time,
        () => true,
        () => refused(429, 'slow down', '200'),
      ),
      batches: batches(10),
      settings: { concurrency: 1 },
      port: { signal: interruption.signal },
    });
    expect(sent.map(({ at }) => at)).toEqual([startedAt]);
    expect(tookMs).toBe(10_000);
  });
});

function isAccepted(exchange: Exchange): boolean {
  return exchange.kind === 'answer' && exchange.status === 200;
}
