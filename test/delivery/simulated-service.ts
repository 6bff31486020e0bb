import type { Exchange } from '../../src/api/transport/exchange.js';
import type { Verdict } from '../../src/delivery/classify-response.js';
import type { Clock } from '../../src/delivery/clock.js';
import type {
  DeliveryContext,
  DeliveryJournal,
  DeliveryService,
  DeliverySettings,
  StopSwitch,
} from '../../src/delivery/context.js';
import { BatchSource, sendBatches } from '../../src/delivery/deliver.js';
import type { PacingSettings } from '../../src/delivery/pacing/pacing.js';
import { Pacing } from '../../src/delivery/pacing/pacing.js';
import { type Batch, type DocumentRange, endOf, startOf } from '../../src/model/documents.js';
import { ServiceDownError } from '../../src/model/errors.js';
import { StopConditions } from '../../src/outcomes/stop-conditions.js';
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

export type Settings = PacingSettings & DeliverySettings;

export const SETTINGS: Settings = {
  ...{ concurrency: 'auto', maxOutageMs: 5 * 60_000 },
  ...{ onUnknown: 'resolve', refusals: 'atomic' },
  reconciliation: { settleMs: 60_000, timeoutMs: 60_000, giveUpMs: 300_000 },
};

/** What a test says of delivery's surroundings; the rest does nothing. */
export interface Surroundings {
  readonly service: Partial<DeliveryService>;
  readonly journal?: Partial<DeliveryJournal>;
  readonly stops?: StopSwitch;
}

/** What delivery is given, with one process's own pacing. */
export function contextOf(
  given: Partial<Settings>,
  clock: Clock,
  { service, journal, stops = new StopConditions({ kind: 'never' }) }: Surroundings,
): DeliveryContext {
  const settings = { ...SETTINGS, ...given };
  return {
    service: {
      send: async () => ({ kind: 'not-sent', message: 'nothing listens' }),
      access: async () => undefined,
      page: async () => ({ documents: [], total: 0 }),
      ...service,
    },
    journal: {
      writeIntent: async (batch) => batch,
      settle: () => {},
      ...journal,
    },
    settings,
    pacing: new Pacing(settings, clock.random),
    clock,
    stops,
    signal: new AbortController().signal,
    notice: () => {},
  };
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
  readonly settings?: Partial<Settings>;
  readonly port?: SimulatedPort;
}

/** What a test does itself instead of watching. */
export interface SimulatedPort {
  readonly writeIntent?: DeliveryJournal['writeIntent'];
  /** A request certainly changed nothing. */
  readonly withdraw?: (batch: Batch) => void;
  readonly send?: DeliveryService['send'];
  /** Whether the service answers a probe. */
  readonly probe?: () => Promise<boolean>;
  readonly notice?: (message: string) => void;
  readonly signal?: AbortSignal;
}

const DOWN = {
  kind: 'service-down',
  message: 'no answer',
  cause: new ServiceDownError('no answer'),
} as const;

/** Delivers in simulated time, and tells all that happened; checks that no batch is left unheard of. */
export async function simulate({ time, service, batches, settings = {}, port = {} }: Simulation) {
  const { probe, notice, signal } = port;
  const startedAt = time.now();
  const sent: Sent[] = [];
  const probes: number[] = [];
  const settled = new Map<Batch, Verdict>();
  const withdrawn: Batch[] = [];
  const open = new Set<Batch>();
  const stops = new StopConditions({ kind: 'never' });
  let retries = 0;
  const context = contextOf(settings, time, {
    stops,
    service: {
      send: async (batch, resends) => {
        const request: Sent = { at: time.now(), batch, answeredAt: 0, exchange: undefined };
        sent.push(request);
        if (resends > 0) retries += 1;
        request.exchange = await service(batch);
        request.answeredAt = time.now();
        return request.exchange;
      },
      access: async () => {
        probes.push(time.now());
        return (await probe?.()) === false ? DOWN : undefined;
      },
    },
    journal: {
      writeIntent: async (batch) => {
        if (open.has(batch)) throw new Error('intended twice');
        open.add(batch);
        return (await port.writeIntent?.(batch)) ?? batch;
      },
      settle: (batch) => {
        if (!open.delete(batch)) throw new Error('withdrawn, but not intended');
        withdrawn.push(batch);
        port.withdraw?.(batch);
      },
    },
  });
  const send = async (): Promise<void> => {
    const source = new BatchSource(asStream(batches), () => true);
    for await (const { batch, verdict } of sendBatches([], source, {
      ...context,
      ...(notice && { notice }),
      ...(signal && { signal }),
    })) {
      if (!open.delete(batch)) throw new Error('settled, but not intended');
      settled.set(batch, verdict);
    }
  };
  await time.pass(send());
  if (open.size > 0) throw new Error(`${open.size} batches were intended and left open`);
  const result = { requests: sent.length, retries, stopMessage: stops.reason?.message };
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
