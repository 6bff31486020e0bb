import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/api/transport/exchange.js';
import { Delivery } from '../../src/delivery/deliver.js';
import type { Verdict } from '../../src/delivery/judge-answer.js';
import type { ShownPage } from '../../src/delivery/reconciliation/pages.js';
import type { RefusalMeaning } from '../../src/delivery/reconciliation/refusals.js';
import type { Window } from '../../src/delivery/reconciliation/window.js';
import { placeOf } from '../../src/formats/records.js';
import type { Batch } from '../../src/model/documents.js';
import { ServiceDownError } from '../../src/model/errors.js';
import { EventHub } from '../../src/outcomes/events.js';
import { OutcomeRecorder } from '../../src/outcomes/outcome-recorder.js';
import { StopConditions } from '../../src/outcomes/stop-conditions.js';
import { documentsOf } from '../helpers/documents.js';
import { runs } from '../helpers/runs.js';
import { accepted, meansOf, numbersIn, refused, SETTINGS } from './simulated-service.js';
import { SimulatedTime } from './simulated-time.js';

const SETTLE_MS = 60_000;
const MINUTE_MS = 60_000;

/** What a service stores of a batch with bad documents, which it refuses. */
const STORES = {
  none: () => [],
  good: (numbers: readonly number[], isBad: (n: number) => boolean) =>
    numbers.filter((n) => !isBad(n)),
  'all before the first bad one': (numbers: readonly number[], isBad: (n: number) => boolean) =>
    numbers.slice(0, numbers.findIndex(isBad)),
} as const;

interface World {
  readonly sizes: readonly number[];
  readonly bad: ReadonlySet<number>;
  readonly stores: keyof typeof STORES;
  readonly seed: number;
  /** How long what was stored takes to show, as a share of the settle time. */
  readonly lagShare?: number;
  /** Shares of requests: answers that are lost, requests that are, pages that fail. */
  readonly lostAnswers?: number;
  readonly lostRequests?: number;
  readonly failingPages?: number;
  readonly known?: RefusalMeaning;
}

/** A whole delivery, reconciliation included, to a service that refuses what is bad. */
async function importInto(world: World) {
  const { sizes, bad, stores, seed, lagShare = 0 } = world;
  const { lostAnswers = 0, lostRequests = 0, failingPages = 0 } = world;
  const time = new SimulatedTime(seed);
  const stored: { readonly n: number; readonly showsMs: number }[] = [];
  const sent: number[][] = [];
  const lost: Exchange = { kind: 'no-answer', message: 'reset' };

  async function send(batch: Batch): Promise<Exchange> {
    const numbers = numbersIn(batch);
    sent.push(numbers);
    await time.sleep(5 + 20 * time.random());
    if (time.random() < lostRequests) return lost;
    const isBad = (n: number): boolean => bad.has(n);
    const refuses = numbers.some(isBad);
    const taken = refuses ? STORES[stores](numbers, isBad) : numbers;
    const showsMs = time.now() + time.random() * lagShare * SETTLE_MS;
    stored.push(...taken.map((n) => ({ n, showsMs })));
    if (time.random() < lostAnswers) return lost;
    return refuses ? refused(400, 'a document is bad') : accepted(batch);
  }

  async function page({ from, to }: Window, offset: number): Promise<ShownPage> {
    await time.sleep(10);
    if (time.random() < failingPages) throw new ServiceDownError('no answer');
    const shown = stored
      .map(({ n, showsMs }, at) => ({ n, showsMs, id: at + 1, at: publishedMs(n) }))
      .filter(({ showsMs, at }) => showsMs <= time.now() && from <= at && at < to + MINUTE_MS)
      .toSorted((a, b) => b.at - a.at || b.id - a.id);
    const documents = shown.slice(offset, offset + 100).map(({ n, id, at }) => {
      return { id, source: 'RVW', sourceId: String(n), published: new Date(at).toISOString() };
    });
    return { documents, total: shown.length };
  }

  const stops = new StopConditions({ kind: 'never' });
  const recorder = new OutcomeRecorder([], {
    hub: new EventHub(),
    stops,
    locate: placeOf,
  });
  const settled = new Map<string, Set<number>>();
  const settle = recorder.settled.bind(recorder);
  recorder.settled = (batch, outcome, message) => {
    const of = settled.get(outcome) ?? new Set();
    settled.set(outcome, of);
    for (const n of numbersIn(batch)) of.add(n);
    settle(batch, outcome, message);
  };
  const { signal } = new AbortController();
  const learned: RefusalMeaning[] = [];
  const delivery = new Delivery(
    {
      onUnknown: 'resolve',
      refusals: world.known,
      reconciliation: { settleMs: SETTLE_MS, timeoutMs: 1_000, giveUpMs: 10 * MINUTE_MS },
    },
    {
      intend: async (batch) => batch,
      send,
      access: async () => undefined,
      page,
      settle: () => {},
      isPartOf: () => {},
      outcome: recorder.settled.bind(recorder),
      sentAgain: () => {},
      shownTwice: () => {},
      learned: (meaning) => learned.push(meaning),
      progress: () => {},
      notice: () => {},
      stop: (reason) => stops.stop(reason),
      stopped: () => stops.stopsSending,
      signal,
    },
    meansOf(SETTINGS, time),
  );
  await time.pass(delivery.deliver(batchesOf(sizes, recorder)));
  recorder.close('import');
  const numbers = (kind: Verdict['kind']): number[] =>
    [...(settled.get(kind) ?? [])].toSorted((a, b) => a - b);
  return { stored, sent, learned, numbers, counts: recorder.counts() };
}

function publishedMs(n: number): number {
  return Date.parse('2024-05-01T00:00:00Z') + n * MINUTE_MS;
}

async function* batchesOf(
  sizes: readonly number[],
  recorder: OutcomeRecorder,
): AsyncGenerator<Batch> {
  let first = 0;
  for (const count of sizes) {
    const objects = Array.from({ length: count }, (_, at) => {
      const n = first + at;
      return { n, sourceId: String(n), published: new Date(publishedMs(n)).toISOString() };
    });
    const documents = documentsOf(objects, first + 1);
    const ranges = [{ documents, from: 0, to: count }];
    for (const range of ranges) recorder.markPending(range);
    first += count;
    yield { ranges, count, bytes: documents.bytes.length - 1 };
  }
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

const worlds = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 6 }),
  badShare: fc.constantFrom(0.02, 0.1, 0.5, 1),
  stores: fc.constantFrom(...(Object.keys(STORES) as (keyof typeof STORES)[])),
  seed: fc.nat(),
  lagShare: fc.double({ min: 0, max: 0.9, noNaN: true }),
});

/** Which documents are bad: as many as the share says, at least one. */
function badOf(total: number, share: number, seed: number): ReadonlySet<number> {
  const time = new SimulatedTime(seed);
  const bad = upTo(total).filter(() => time.random() < share);
  return new Set(bad.length > 0 ? bad : [Math.floor(time.random() * total)]);
}

function times(numbers: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const n of numbers) counts.set(n, (counts.get(n) ?? 0) + 1);
  return counts;
}

describe('a service that refuses batches, and may have stored some of one', () => {
  it('gets every good document once, and has every bad one rejected alone', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ sizes, badShare, ...world }) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const bad = badOf(total, badShare, world.seed);
        const { stored, learned, numbers, counts } = await importInto({ ...world, sizes, bad });
        const good = upTo(total).filter((n) => !bad.has(n));
        expect(stored.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(good);
        expect(numbers('accepted')).toEqual(good);
        expect(numbers('rejected')).toEqual([...bad].toSorted((a, b) => a - b));
        expect(counts).toMatchObject({ unknown: 0, unsent: 0 });
        expect(learned).not.toContain(world.stores === 'none' ? 'partial' : 'atomic');
      }),
      { numRuns: runs(150) },
    );
  });

  it('gets nothing twice, and loses nothing, whatever else goes wrong', async () => {
    const faults = fc.record({
      lostAnswers: fc.constantFrom(0, 0.1, 0.3),
      lostRequests: fc.constantFrom(0, 0.1, 0.3),
      failingPages: fc.constantFrom(0, 0.1, 0.9),
    });
    await fc.assert(
      fc.asyncProperty(worlds, faults, async ({ sizes, badShare, ...world }, wrong) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const bad = badOf(total, badShare, world.seed);
        const result = await importInto({ ...world, ...wrong, sizes, bad });
        const { stored, learned, numbers, counts } = result;
        const copies = times(stored.map(({ n }) => n));
        expect(Math.max(1, ...copies.values())).toBe(1);
        for (const n of numbers('accepted')) expect(copies.get(n), `${n} was accepted`).toBe(1);
        for (const n of numbers('rejected')) expect(bad.has(n), `${n} was rejected`).toBe(true);
        const { accepted, rejected, unknown, unsent } = counts;
        expect(accepted + rejected + unknown + unsent).toBe(total);
        expect(unsent).toBe(0);
        expect(learned).not.toContain(world.stores === 'none' ? 'partial' : 'atomic');
      }),
      { numRuns: runs(150) },
    );
  });

  it('that turns out to take nothing of such a batch gets later ones in halves at once', async () => {
    // A bad document in the middle of the first batch, and in the last one of many.
    const bad = new Set([50, 1_950]);
    const sizes = Array.from({ length: 20 }, () => 100);
    const { sent, learned } = await importInto({ sizes, bad, stores: 'none', seed: 1 });
    expect(learned).toEqual(['atomic']);
    const wasted = sent.filter((numbers) => numbers.some((n) => bad.has(n)));
    expect(wasted.length).toBeLessThanOrEqual(2 * (Math.ceil(Math.log2(100)) + 2));
    expect(sent.length).toBeLessThan(60);
  });

  it('that is known to take nothing of such a batch is not looked at', async () => {
    const bad = new Set([7]);
    const { sent, learned, counts } = await importInto({
      ...{ sizes: [16, 16], bad, stores: 'none', seed: 1, known: 'atomic' },
      failingPages: 1,
    });
    expect(counts).toMatchObject({ accepted: 31, rejected: 1 });
    expect(learned).toEqual([]);
    expect(sent.length).toBeLessThanOrEqual(2 + 2 * 4);
  });

  it('is not believed to take nothing of one because a batch of bad documents only was not taken', async () => {
    // The first batch can tell nothing, as nothing of it could have been stored.
    const bad = new Set([...upTo(8), 12]);
    const { stored, learned } = await importInto({ sizes: [8, 8], bad, stores: 'good', seed: 3 });
    expect(learned).toEqual(['partial']);
    expect(Math.max(...times(stored.map(({ n }) => n)).values())).toBe(1);
  });

  it('leaves the documents of a refused batch unknown where they cannot be reconciled', async () => {
    const { counts, sent } = await importInto({
      ...{ sizes: [10, 10], bad: new Set([3]), stores: 'good', seed: 1 },
      failingPages: 1,
    });
    expect(counts).toMatchObject({ accepted: 10, unknown: 10, rejected: 0 });
    expect(sent).toHaveLength(2);
  });

  it('is sent no batch of a refused one again while that is being reconciled', async () => {
    const bad = new Set([3, 33, 63]);
    const sizes = [30, 30, 30, 30];
    const { sent } = await importInto({ sizes, bad, stores: 'good', seed: 1 });
    // All four, then only what is missing of the three, alone.
    expect(sent.slice(0, 4).map((numbers) => numbers.length)).toEqual(sizes);
    expect(sent.slice(4).toSorted()).toEqual([[3], [33], [63]]);
  });
});
