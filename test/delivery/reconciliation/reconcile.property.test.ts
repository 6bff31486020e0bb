import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reconcile } from '../../../src/delivery/reconciliation/reconcile.js';
import type { UnconfirmedRequest } from '../../../src/delivery/reconciliation/request-case.js';
import { runs } from '../../helpers/runs.js';
import { type ReadingFaults, SimulatedService } from './simulated-service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const QUIET = MINUTE;
const settings = { settleMs: QUIET, timeoutMs: 10 * SECOND, giveUpMs: 10 * MINUTE };
const START = Date.parse('2024-06-01T12:00:00Z');

/** A time of three days in May. */
const published = fc.integer({ min: 0, max: 33 });
/** More documents than a world has. */
const SLOT = 128;

/**
 * Gives every document a minute of its own: of those that all share one, nothing would tell that
 * both pages and total are cut off.
 */
function minutes(day: string): (published: number) => string {
  let given = 0;
  return (slot) => {
    const minute = slot * SLOT + given;
    given += 1;
    return new Date(Date.parse(`${day}T00:00:00Z`) + minute * MINUTE).toISOString();
  };
}

/** A document in request; `appliedMs` after its request's end, and that much later it shows. */
const fate = fc.record({
  published,
  appliedMs: fc.option(fc.integer({ min: -5 * SECOND, max: QUIET - 1 }), { freq: 2 }),
  lagShare: fc.double({ min: 0, max: 1, noNaN: true }),
});

const world = fc.record({
  requests: fc.array(
    fc.record({
      endedMs: fc.integer({ min: -3 * MINUTE, max: 0 }),
      fates: fc.array(fate, { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  others: fc.array(
    fc.record({ published, visibleMs: fc.integer({ min: -MINUTE, max: 3 * MINUTE }) }),
    { maxLength: 60 },
  ),
  acknowledged: fc.array(
    fc.record({
      published,
      at: fc.integer({ min: -5 * MINUTE, max: MINUTE }),
      lagShare: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 12 },
  ),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const faults = fc.record({
  pageSize: fc.integer({ min: 1, max: 40 }),
  reach: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 10, max: 60 })),
  beyond: fc.constantFrom('empty', 'refused', 'broken', 'total'),
  failing: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.4, noNaN: true })),
  stale: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
  answerMs: fc.integer({ min: 1, max: 200 }),
  // Of a capped list by id, nothing would tell that it is cut.
  listed: fc.constantFrom('newest', 'oldest'),
} as const);

/** Draws that depend on a seed alone. */
function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Fills a service; what shows, shows within `lagMs`. @param day the first of the three */
function fill(
  service: SimulatedService,
  { requests, others, acknowledged }: World,
  lagMs: number,
  day = '2024-05-10',
) {
  const timeOf = minutes(day);
  for (const [at, { published, visibleMs }] of others.entries()) {
    service.apply(`other${at}`, { published: timeOf(published), at: START + visibleMs });
  }
  for (const [number, sent] of acknowledged.entries()) {
    const published = timeOf(sent.published);
    const at = START + sent.at;
    service.acknowledge(`sent${number}`, { published, at, lagMs: sent.lagShare * lagMs });
  }
  return requests.map(({ endedMs, fates }, number): UnconfirmedRequest => {
    const times = fates.map(({ published, appliedMs, lagShare }, at) => {
      const time = timeOf(published);
      if (appliedMs === null) return time;
      const applied = { at: START + endedMs + appliedMs, lagMs: lagShare * lagMs };
      service.apply(`d${number}-${at}`, { published: time, ...applied });
      return time;
    });
    const sorted = times.toSorted();
    return {
      ids: fates.map((_, at) => `d${number}-${at}`),
      published: { from: sorted[0]!, to: sorted.at(-1)! },
      endedMs: START + endedMs,
    };
  });
}

function indexes({ fates }: World['requests'][number], applied: boolean): number[] {
  return [...fates.keys()].filter((at) => (fates[at]!.appliedMs !== null) === applied);
}

test('no document is wrongly called absent or there, whatever goes wrong with reading', async () => {
  let absent = 0;
  await fc.assert(
    fc.asyncProperty(
      world,
      faults,
      fc.integer({ min: 0, max: QUIET - SECOND }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(),
      async (given, wrong, delayMs, share, seed) => {
        // Index and replicas together are less late than the settle time.
        const lagMs = share * delayMs;
        const draw = drawsOf(seed);
        const service = new SimulatedService({
          ...wrong,
          staleMs: delayMs - lagMs,
          draw,
        } as ReadingFaults);
        service.now = START;
        const requests = fill(service, given, lagMs);
        const resolved = await reconcile(requests, settings, service.port);
        for (const [number, request] of given.requests.entries()) {
          const one = resolved[number]!;
          expect(indexes(request, true)).toEqual(expect.arrayContaining([...one.accepted]));
          expect(indexes(request, false)).toEqual(expect.arrayContaining([...one.absent]));
          const all = [...one.accepted, ...one.absent, ...one.undecided];
          expect(all.toSorted((a, b) => a - b)).toEqual([...request.fates.keys()]);
          expect(one.shownTwice).toEqual([]);
          expect(one.reason === null).toBe(one.undecided.length === 0);
          absent += one.absent.length;
        }
      },
    ),
    { numRuns: runs(300) },
  );
  expect(absent).toBeGreaterThan(0);
});

/** Requests that were acknowledged longer ago than the settle time, with the times of their documents. */
const settled = fc.array(
  fc.record({
    at: fc.integer({ min: -5 * MINUTE, max: -QUIET - SECOND }),
    slots: fc.array(published, { minLength: 2, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
);

test('no document is called absent that shows under another sourceId, whichever do, if an acknowledged one does', async () => {
  await fc.assert(
    fc.asyncProperty(
      world,
      settled,
      fc.integer({ min: 1, max: 9 }),
      fc.nat(QUIET - SECOND),
      fc.nat(),
      async (given, old, share, lagMs, seed) => {
        const draw = drawsOf(seed);
        const changed = new Map<string, boolean>();
        const isChanged = (sourceId: string): boolean => {
          if (!changed.has(sourceId)) changed.set(sourceId, draw() < share / 10);
          return changed.get(sourceId) as boolean;
        };
        const shownAs = (sourceId: string) => (isChanged(sourceId) ? `x${sourceId}` : sourceId);
        const service = new SimulatedService({ pageSize: 20, reach: 90, shownAs });
        service.now = START;
        changed.set('later', false);
        const requests = fill(service, { ...given, acknowledged: [] }, lagMs);
        for (const [number, { at, slots }] of old.entries()) {
          const timeOf = minutes('2024-05-10');
          const documents = slots.map((slot, index) => {
            const sourceId = `old${number}-${index}`;
            if (number + index === 0) changed.set(sourceId, true);
            return { sourceId, published: timeOf(slot) };
          });
          service.acknowledgeTogether(documents, { at: START + at, lagMs });
        }
        service.acknowledge('later', { at: START + SECOND, lagMs });
        const resolved = await reconcile(requests, settings, service.port);
        for (const [number, request] of given.requests.entries()) {
          const one = resolved[number]!;
          expect(indexes(request, true)).toEqual(expect.arrayContaining([...one.accepted]));
          expect(indexes(request, false)).toEqual(expect.arrayContaining([...one.absent]));
          if (one.undecided.length > 0) expect(one.needsCanary).toBe(false);
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

/** Pages of one document that break behind the tenth: the service was taken to be down. */
const FAILED_ONCE: [World, typeof faults extends fc.Arbitrary<infer T> ? T : never, 0, 0] = [
  {
    requests: [{ endedMs: 0, fates: [{ published: 0, appliedMs: null, lagShare: 0 }] }],
    others: [],
    acknowledged: Array.from({ length: 11 }, () => ({ published: 0, at: 0, lagShare: 0 })),
  },
  { pageSize: 1, reach: 10, beyond: 'broken', failing: 0, stale: 0, answerMs: 1, listed: 'newest' },
  ...([0, 0] as const),
];

/** Zones with and without a time of summer, near UTC and as far from it as they are, or were. */
const zone = fc.oneof(
  fc.constantFrom(
    ...['UTC', 'Europe/London', 'Europe/Lisbon', 'Africa/Casablanca', 'Atlantic/Azores'],
    ...['America/Scoresbysund', 'Antarctica/Troll', 'Europe/Madrid', 'America/New_York'],
    ...['Australia/Lord_Howe', 'Pacific/Chatham', 'Asia/Kathmandu', 'Pacific/Apia'],
  ),
  fc.integer({ min: -12, max: 14 }).map((hours) => `UTC${hours < 0 ? '' : '+'}${hours}`),
);
const times = fc.record({
  zone,
  byClock: fc.boolean(),
  wholeEnd: fc.boolean(),
  shown: fc.constantFrom('utc', 'offset', 'clock'),
} as const);
const listed = fc.constantFrom('newest', 'oldest', 'id');
/** Days before clocks are set in Europe, America, Greenland or Morocco, and others. */
const days = fc.constantFrom(
  ...['2024-03-30', '2024-10-26', '2024-03-09', '2024-11-02', '2023-03-18', '2024-03-29'],
  ...['2024-05-10', '2011-12-28', '2001-10-27', '1995-12-30', '1947-04-12'],
);

test('no document is wrongly called absent, in whatever zone filters and answers are', async () => {
  let absent = 0;
  await fc.assert(
    fc.asyncProperty(
      world,
      times,
      days,
      listed,
      fc.nat(),
      async (given, times, day, listed, lagMs) => {
        const service = new SimulatedService({ times, listed, pageSize: 20, reach: 90 });
        service.now = START;
        const requests = fill(service, given, lagMs % (QUIET - SECOND), day);
        service.acknowledge('later', { at: START + SECOND, published: `${day}T12:34:56Z` });
        const resolved = await reconcile(requests, settings, service.port);
        for (const [number, request] of given.requests.entries()) {
          expect(resolved[number]).toMatchObject({
            accepted: indexes(request, true),
            absent: indexes(request, false),
          });
          absent += resolved[number]!.absent.length;
        }
      },
    ),
    { numRuns: runs(300) },
  );
  expect(absent).toBeGreaterThan(0);
});

test('every document is decided where a later one shows and reading fails now and then', async () => {
  await fc.assert(
    fc.asyncProperty(
      world,
      faults,
      fc.integer({ min: 0, max: 10 * SECOND }),
      fc.nat(),
      async (given, wrong, lagMs, seed) => {
        const mild = { ...wrong, failing: wrong.failing / 4, stale: 0, draw: drawsOf(seed) };
        const service = new SimulatedService(mild as ReadingFaults);
        service.now = START;
        const requests = fill(service, given, lagMs);
        service.acknowledge('later', { at: START + SECOND, lagMs });
        const resolved = await reconcile(requests, settings, service.port);
        expect(
          resolved.map(({ accepted, absent, reason }) => ({ accepted, absent, reason })),
        ).toEqual(
          given.requests.map((request) => ({
            accepted: indexes(request, true),
            absent: indexes(request, false),
            reason: null,
          })),
        );
      },
    ),
    { numRuns: runs(150), examples: [FAILED_ONCE] },
  );
});
