import type { Exchange } from '../../src/api/transport/exchange.js';
import type { Verdict } from '../../src/delivery/classify-response.js';
import type {
  BatchOutcome,
  DeliveryJournal,
  DeliveryResult,
  DeliverySettings,
} from '../../src/delivery/context.js';
import { deliver } from '../../src/delivery/deliver.js';
import { Reconciliation } from '../../src/delivery/reconciliation/reconciliation.js';
import type { ShownPage } from '../../src/delivery/reconciliation/service-pages.js';
import type { Window } from '../../src/delivery/reconciliation/window.js';
import type { Batch } from '../../src/model/documents.js';
import { ServiceDownError } from '../../src/model/errors.js';
import { StopConditions } from '../../src/outcomes/stop-conditions.js';
import { documentsOf } from '../helpers/documents.js';
import { accepted, contextOf, numbersIn, refused } from './simulated-service.js';
import { SimulatedTime } from './simulated-time.js';

const MINUTE_MS = 60_000;
export const SETTLE_MS = MINUTE_MS;

/** What a service stores of a batch with bad documents, which it refuses. */
export const STORES = {
  none: () => [],
  good: (numbers: readonly number[], isBad: (n: number) => boolean) =>
    numbers.filter((n) => !isBad(n)),
  'all before the first bad one': (numbers: readonly number[], isBad: (n: number) => boolean) =>
    numbers.slice(0, numbers.findIndex(isBad)),
} as const;

export interface World extends Partial<Pick<DeliverySettings, 'onUnknown' | 'refusals'>> {
  /** Batches; their documents are numbered through, from 0. */
  readonly sizes: readonly number[];
  readonly bad?: ReadonlySet<number>;
  readonly stores?: keyof typeof STORES;
  readonly seed?: number;
  /** How long what was stored takes to show, as a share of the settle time. */
  readonly lagShare?: number;
  /** Shares of requests: answers that are lost, requests that are, pages that fail. */
  readonly lostAnswers?: number;
  readonly lostRequests?: number;
  readonly failingPages?: number;
  /** Whether a request, from 1, is lost or refused, or its answer is lost, or some of its documents. */
  readonly fate?: (
    request: number,
    numbers: readonly number[],
  ) => 'request lost' | 'answer lost' | Exchange | readonly number[] | undefined;
  readonly stops?: StopConditions;
  readonly onResult?: (result: DeliveryResult) => void;
  /** Batches, from 0, that an earlier process has sent without an answer. */
  readonly unconfirmed?: ReadonlySet<number>;
}

/** A whole delivery in simulated time, reconciliation included, to a service that refuses what is bad. */
export async function importInto(world: World) {
  const { sizes, bad = new Set(), stores = 'none', seed = 1, lagShare = 0, fate } = world;
  const { lostAnswers = 0, lostRequests = 0, failingPages = 0 } = world;
  const { onUnknown = 'resolve', refusals = 'partial', onResult } = world;
  const { stops = new StopConditions({ kind: 'never' }) } = world;
  const time = new SimulatedTime(seed);
  const stored: { readonly n: number; readonly showsMs: number }[] = [];
  const sent: number[][] = [];
  const notices: string[] = [];
  const results: DeliveryResult[] = [];
  const journaled = new Map<number, BatchOutcome['outcome'] | 'sending'>();
  const settled: (readonly [n: number, outcome: BatchOutcome['outcome']])[] = [];
  const lost: Exchange = { kind: 'no-answer', message: 'reset' };

  async function send(batch: Batch): Promise<Exchange> {
    const numbers = numbersIn(batch);
    sent.push(numbers);
    const what = fate?.(sent.length, numbers);
    await time.sleep(5 + 20 * time.random());
    if (typeof what === 'object' && 'kind' in what) return what;
    if (what === 'request lost' || time.random() < lostRequests) return lost;
    const isBad = (n: number): boolean => bad.has(n);
    const refuses = numbers.some(isBad);
    const good = refuses ? STORES[stores](numbers, isBad) : numbers;
    const taken = Array.isArray(what) ? (what as readonly number[]) : good;
    const showsMs = time.now() + time.random() * lagShare * SETTLE_MS;
    stored.push(...taken.map((n) => ({ n, showsMs })));
    if (what !== undefined || time.random() < lostAnswers) return lost;
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

  const journal: DeliveryJournal = {
    writeIntent: async (batch) => {
      for (const n of numbersIn(batch)) {
        // As in a shared journal, where a document belongs to one request at a time.
        const state = journaled.get(n);
        if (state === 'sending' || state === 'unknown') throw new Error(`${n} is unconfirmed`);
        journaled.set(n, 'sending');
      }
      return batch;
    },
    settle: (batch, { outcome }) => {
      for (const n of numbersIn(batch)) {
        journaled.set(n, outcome);
        settled.push([n, outcome]);
      }
    },
  };

  const context = contextOf(
    {
      ...{ onUnknown, refusals },
      reconciliation: {
        ...{ settleMs: SETTLE_MS, timeoutMs: 1_000, giveUpMs: 10 * MINUTE_MS },
        maxOutageMs: 30 * MINUTE_MS,
      },
    },
    time,
    { service: { send, access: async () => undefined, page }, journal, stops },
  );
  const noted = { ...context, notice: (message: string) => void notices.push(message) };
  const delivering = deliver(batchesOf(world), noted, new Reconciliation(noted));
  const all = async (): Promise<void> => {
    for await (const result of delivering) {
      results.push(result);
      onResult?.(result);
    }
  };
  await time.pass(all());

  const numbers = (kind: Verdict['kind']): number[] =>
    results
      .flatMap((result) =>
        result.kind === 'outcome' && result.outcome === kind ? numbersIn(result.batch) : [],
      )
      .toSorted((a, b) => a - b);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const counts = {
    accepted: numbers('accepted').length,
    rejected: numbers('rejected').length,
    unknown: numbers('unknown').length,
  };
  const unsent = total - counts.accepted - counts.rejected - counts.unknown;
  return {
    stored,
    sent,
    journaled,
    settled,
    notices,
    results,
    numbers,
    counts: { ...counts, unsent },
    stops,
  };
}

function publishedMs(n: number): number {
  return Date.parse('2024-05-01T00:00:00Z') + n * MINUTE_MS;
}

async function* batchesOf({ sizes, unconfirmed }: World): AsyncGenerator<Batch> {
  let first = 0;
  for (const [at, count] of sizes.entries()) {
    const objects = Array.from({ length: count }, (_, at) => {
      const n = first + at;
      return { n, sourceId: String(n), published: new Date(publishedMs(n)).toISOString() };
    });
    const documents = documentsOf(objects, first + 1);
    const ranges = [{ documents, from: 0, to: count }];
    first += count;
    const batch = { ranges, count, bytes: documents.bytes.length - 1 };
    yield unconfirmed?.has(at) ? { ...batch, unconfirmed: 'the run was cut off' } : batch;
  }
}
