import type { Exchange } from '../../src/api/transport/exchange.js';
import type { Verdict } from '../../src/delivery/judge-answer.js';
import type { Clock } from '../../src/delivery/pacing/clock.js';
import { LocalPacing } from '../../src/delivery/pacing/local-pacing.js';
import {
  type SendingMeans,
  type SendingPort,
  type SendingResult,
  type SendingSettings,
  sendBatches,
} from '../../src/delivery/send-batches.js';
import { type Batch, type DocumentRange, endOf, startOf } from '../../src/model/documents.js';
import { documentsOf } from '../helpers/documents.js';
import type { SimulatedTime } from './simulated-time.js';

/** Answers one request, and takes its time. */
export type Service = (batch: Batch) => Promise<Exchange>;

/** What is known of a request to a simulated service. */
interface Sent {
  readonly at: number;
  readonly batch: Batch;
  answeredAt: number;
  exchange: Exchange | undefined;
}

export const SETTINGS: SendingSettings = {
  concurrency: 'auto',
  throttleStatuses: [429, 503],
  maxOutageMs: 5 * 60_000,
};

/** One process's own pacing. */
export function meansOf(settings: SendingSettings, clock: Clock): SendingMeans {
  const { throttleStatuses } = settings;
  return { pacing: new LocalPacing(settings, clock.random), throttleStatuses, clock };
}

export function accepted({ count }: Batch): Exchange {
  return { kind: 'answer', status: 200, json: { accepted: true, documents: count } };
}

export function refused(status: number, message = 'no', retryAfter?: string): Exchange {
  const json = { errors: [{ message }] };
  return { kind: 'answer', status, json, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** A batch of documents that hold their numbers: `count` from `first` on. */
export function batchFrom(first: number, count: number): Batch {
  return batchWith(Array.from({ length: count }, (_, at) => first + at));
}

export function batchWith(numbers: readonly number[]): Batch {
  const documents = documentsOf(numbers.map((n) => ({ n })));
  const ranges = [{ documents, from: 0, to: numbers.length }];
  return { ranges, count: numbers.length, bytes: documents.bytes.length - 1 };
}

/** The numbers in a batch. */
export function numbersIn(batch: Batch): number[] {
  return batch.ranges.flatMap(numbersOf);
}

function numbersOf({ documents, from, to }: DocumentRange): number[] {
  const bytes = Buffer.from(documents.bytes).subarray(
    startOf(documents, from),
    endOf(documents, to - 1),
  );
  return JSON.parse(`[${bytes.toString('utf8')}]`).map(({ n }: { n: number }) => n);
}

export interface Simulation {
  readonly time: SimulatedTime;
  readonly service: Service;
  readonly batches: AsyncIterable<Batch> | Iterable<Batch>;
  readonly settings?: Partial<SendingSettings>;
  readonly port?: Partial<SendingPort>;
}

/** Delivers in simulated time, and tells all that happened; checks that no batch is left unheard of. */
export async function simulate({ time, service, batches, settings, port }: Simulation) {
  const startedAt = time.now();
  const sent: Sent[] = [];
  const probes: number[] = [];
  const settled = new Map<Batch, Verdict>();
  const withdrawn: Batch[] = [];
  const open = new Set<Batch>();
  const result: SendingResult = await time.pass(
    sendBatches(
      asStream(batches),
      {
        intend: async (batch) => {
          if (open.has(batch)) throw new Error('intended twice');
          open.add(batch);
          return batch;
        },
        send: async (batch) => {
          const request: Sent = { at: time.now(), batch, answeredAt: 0, exchange: undefined };
          sent.push(request);
          request.exchange = await service(batch);
          request.answeredAt = time.now();
          return request.exchange;
        },
        withdraw: (batch) => {
          if (!open.delete(batch)) throw new Error('withdrawn, but not intended');
          withdrawn.push(batch);
        },
        answered: (batch, verdict) => {
          if (!open.delete(batch)) throw new Error('settled, but not intended');
          settled.set(batch, verdict);
        },
        refusesWhole: () => true,
        probe: async () => {
          probes.push(time.now());
          return true;
        },
        notice: () => {},
        stopped: () => false,
        signal: new AbortController().signal,
        ...port,
      },
      meansOf({ ...SETTINGS, ...settings }, time),
    ),
  );
  if (open.size > 0) throw new Error(`${open.size} batches were intended and left open`);
  return { result, sent, probes, settled, withdrawn, tookMs: time.now() - startedAt };
}

async function* asStream(batches: Simulation['batches']): AsyncGenerator<Batch> {
  yield* batches;
}

/** The numbers that were settled as `kind`, sorted. */
export function settledAs(settled: ReadonlyMap<Batch, Verdict>, kind: Verdict['kind']): number[] {
  return [...settled]
    .filter(([, verdict]) => verdict.kind === kind)
    .flatMap(([batch]) => numbersIn(batch))
    .toSorted((a, b) => a - b);
}
