import type { Exchange } from '../api/transport/exchange.js';
import type { Batch } from '../model/documents.js';
import { cutBatch } from './batching/parts.js';
import { SizeLimit } from './batching/size-limit.js';
import { type Judgement, judgeAnswer, type Verdict } from './judge-answer.js';
import { backoffMs } from './pacing/backoff.js';
import type { Clock } from './pacing/clock.js';
import type { Pacing, PacingSettings } from './pacing/pacing.js';
import { SendQueue, unsentBefore, type Waiting } from './send-queue.js';

/** What sending needs from outside. What it gives back of a batch may be a part of it. */
export interface SendingPort {
  /**
   * Makes it durable that this request is about to be made; asked before every request, and for
   * batches ahead of their turn. Gives the part of the batch that is to be sent, which may be empty;
   * `undefined`: it could not be made durable, nothing is sent, and sending ends.
   */
  readonly intend: (batch: Batch) => Promise<Batch | undefined>;
  /**
   * Sends one request; never rejects for what the network or the service does.
   * @param resends how often the same was sent before
   */
  readonly send: (batch: Batch, resends: number) => Promise<Exchange>;
  /**
   * The request that was intended certainly changed nothing. Its documents are sent again, whole
   * or in parts, unless sending ends before.
   */
  readonly withdraw: (batch: Batch) => void;
  /** What is known of the documents, as far as it can be known from an answer; told once for each. */
  readonly answered: (batch: Batch, verdict: Verdict) => void;
  /**
   * Whether a batch of several documents that is refused was certainly not taken, not even in part.
   * If not, it is answered as `unknown` and `refused` instead of being sent in parts.
   */
  readonly refusesWhole: () => boolean;
  /** Asks the service something harmless: is it up? Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Tells a person why nothing is sent for a while. */
  readonly notice: (message: string) => void;
  /** Asked before each request; `true` ends sending once what is in flight is answered. */
  readonly stopped: () => boolean;
  /** Ends sending and its pauses at once, but for the requests in flight. */
  readonly signal: AbortSignal;
}

/** How fast to send, and how much to put up with. */
export interface SendingSettings extends PacingSettings {
  /** Statuses that mean "slow down". */
  readonly throttleStatuses: readonly number[];
}

/** What sending goes by. */
export interface SendingMeans extends Pick<SendingSettings, 'throttleStatuses'> {
  readonly pacing: Pacing;
  readonly clock: Clock;
  /**
   * For how many batches it is written down ahead of their turn that they are sent; default 1. More
   * where that takes longer than a batch waits for its turn. A crash leaves as many unconfirmed.
   */
  readonly ahead?: number;
}

/** How sending went. What was neither settled nor is unknown hasn't been sent. */
export interface SendingResult {
  /** Requests that were made, probes not among them. */
  readonly requests: number;
  /**
   * How many requests carried documents again, as they were: because the service throttled them, or
   * could not be reached. The parts of a batch that was refused are none.
   */
  readonly retries: number;
  /** Why sending ended before the batches did, if it was because of the service: one sentence. */
  readonly gaveUp: string | undefined;
}

/**
 * Sends batches as fast as the pacing allows, and says of each what became of it. What the service
 * certainly refused or never got is sent again, whole or in parts; what it may have taken never is.
 * The next batch is asked for when one has gone, so a slow service slows the reading. Rejects only
 * if `batches` or the port throws.
 *
 * When it ends, every batch that was taken from `batches` has been answered, or, if sending ended
 * early, withdrawn or never been intended.
 */
export async function sendBatches(
  batches: AsyncIterable<Batch>,
  port: SendingPort,
  means: SendingMeans,
): Promise<SendingResult> {
  return await new Sending(batches, port, means).run();
}

/** A pause that a person notices. */
const LONG_PAUSE_MS = 3_000;
const MAX_NOTICES = 10;

class Sending {
  readonly #batches: AsyncIterator<Batch>;
  readonly #port: SendingPort;
  readonly #means: SendingMeans;
  readonly #queue: SendQueue;
  readonly #sizeLimit = new SizeLimit();
  /** Requests, probes, and the next batch that was asked for. */
  readonly #inFlight = new Set<Promise<void>>();
  #asking = false;
  #exhausted = false;
  /** Nothing could be made durable. */
  #notDurable = false;
  #error: { readonly thrown: unknown } | undefined;
  /** The pause that lasts, or comes again before anything went well, was told. */
  #told = false;
  #notices = 0;
  #requests = 0;
  #retries = 0;
  /** Something has happened since the last sleep ended. */
  #woken = false;
  /** Ends the sleep of who waits for something to happen. */
  #endSleep: (() => void) | undefined;

  constructor(batches: AsyncIterable<Batch>, port: SendingPort, means: SendingMeans) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#port = port;
    this.#means = means;
    this.#queue = new SendQueue(means.ahead ?? 1);
  }

  async run(): Promise<SendingResult> {
    const { signal } = this.#port;
    signal.addEventListener('abort', this.#wake);
    this.#means.pacing.begin(this.#wake);
    try {
      while (!this.#over && !this.#done) await this.#sleep(this.#step());
    } finally {
      signal.removeEventListener('abort', this.#wake);
      this.#means.pacing.end(this.#wake);
      await this.#end();
    }
    if (this.#error !== undefined) throw this.#error.thrown;
    return { requests: this.#requests, retries: this.#retries, gaveUp: this.#means.pacing.gaveUp };
  }

  /** Whether nothing more is to be sent. */
  get #over(): boolean {
    return (
      this.#notDurable ||
      this.#error !== undefined ||
      this.#means.pacing.gaveUp !== undefined ||
      this.#port.signal.aborted ||
      this.#port.stopped()
    );
  }

  /** Whether there is nothing left to be sent. */
  get #done(): boolean {
    return this.#exhausted && this.#queue.empty && this.#inFlight.size === 0;
  }

  /** Does what can be done now, and says how long to wait before the next step, in milliseconds. */
  #step(): number {
    const { pacing, clock } = this.#means;
    if (this.#queue.wantsFresh && !this.#exhausted && !this.#asking) this.#watch(this.#ask());
    const now = clock.now();
    const clearance = pacing.clearance(now);
    if (clearance.kind === 'wait') {
      this.#tell(clearance.ms);
      return clearance.ms;
    }
    if (clearance.kind === 'probe') {
      pacing.probing(now);
      this.#watch(this.#probe());
      return 0;
    }
    if (pacing.full) return Number.POSITIVE_INFINITY;
    const first = this.#queue.take(now);
    if (first.kind === 'wait') return first.ms;
    this.#start(first.waiting, now);
    return 0;
  }

  /** A person who sees nothing happen should know why; that it happens often is said often enough. */
  #tell(pauseMs: number): void {
    const { trouble } = this.#means.pacing;
    const isLong = pauseMs >= LONG_PAUSE_MS && pauseMs < Number.POSITIVE_INFINITY;
    // Without trouble it is a rate that is kept to.
    if (!isLong || trouble === '' || this.#told || this.#notices >= MAX_NOTICES) return;
    this.#told = true;
    this.#notices += 1;
    const seconds = Math.round(pauseMs / 1_000);
    this.#port.notice(
      `Nothing is sent for the next ${seconds} s (${trouble}); sending then resumes by itself.`,
    );
  }

  /** Sends as much of a batch as one request may hold; the rest comes next. */
  #start(waiting: Waiting, now: number): void {
    // What was intended as a whole goes as a whole.
    const parts = waiting.intended === undefined ? this.#sizeLimit.fit(waiting.batch) : [];
    const [batch = waiting.batch, ...rest] = parts;
    this.#queue.parts(rest.map((part) => ({ ...waiting, batch: part })));
    this.#means.pacing.started(now);
    this.#queue.sent(now, waiting);
    this.#watch(this.#attempt({ ...waiting, batch }));
  }

  async #attempt(waiting: Waiting): Promise<void> {
    let batch: Batch | undefined;
    try {
      batch = await this.#prepare(waiting);
    } finally {
      // The pacing may outlive this, so it must not wait for an answer that never comes.
      if (batch === undefined) this.#means.pacing.skipped();
    }
    if (batch !== undefined) await this.#request(batch, waiting.tries);
  }

  /** Gives what is to be sent once it may go; `undefined`: nothing. */
  async #prepare({ intended, batch: waiting }: Waiting): Promise<Batch | undefined> {
    const batch = await (intended ?? this.#port.intend(waiting));
    if (batch === undefined) this.#notDurable = true;
    if (batch === undefined || batch.count === 0) return undefined;
    await this.#hold();
    if (!this.#over) return batch;
    this.#port.withdraw(batch);
    return undefined;
  }

  async #request(batch: Batch, tries: number): Promise<void> {
    this.#requests += 1;
    if (tries > 0) this.#retries += 1;
    const { pacing, clock, throttleStatuses } = this.#means;
    const { full } = pacing;
    const sentAt = clock.now();
    const exchange = await this.#port.send(batch, tries);
    const answeredAt = clock.now();
    const judgement = judgeAnswer(exchange, batch, throttleStatuses, answeredAt);
    const { throttled, failed, retryAfterMs, verdict } = judgement;
    const { kind, message } = verdict;
    const [accepted, unsent] = [kind === 'accepted', kind === 'unsent'];
    const { count: documents } = batch;
    pacing.answered({
      accepted,
      throttled,
      failed,
      unsent,
      retryAfterMs,
      message,
      documents,
      sentAt,
      answeredAt,
      full,
    });
    if (judgement.tooLarge) this.#sizeLimit.refused(batch);
    if (accepted) {
      this.#told = false;
      this.#sizeLimit.accepted(batch);
    }
    this.#proceed(batch, tries, { judgement, now: answeredAt });
  }

  /** Waits until the request may go that is ready to be sent: a pause may have begun meanwhile. */
  async #hold(): Promise<void> {
    const { pacing, clock } = this.#means;
    let ms = pacing.ready(clock.now());
    while (ms > 0 && !this.#over) {
      await clock.sleep(ms, this.#port.signal);
      ms = pacing.pausedFor(clock.now());
    }
  }

  #proceed(
    batch: Batch,
    tries: number,
    { judgement, now }: { readonly judgement: Judgement; readonly now: number },
  ): void {
    const { step, verdict, throttled, unread } = judgement;
    if (step === 'settle') {
      this.#port.answered(batch, verdict);
      return;
    }
    if (step === 'cut' && !unread && !this.#port.refusesWhole()) {
      this.#port.answered(batch, { kind: 'unknown', message: verdict.message, refused: true });
      return;
    }
    this.#port.withdraw(batch);
    if (step === 'cut') {
      this.#queue.parts(cutBatch(batch, 2).map(unsentBefore));
      return;
    }
    const notBefore = now + backoffMs(tries, this.#means.clock.random());
    this.#queue.again({ batch, tries: tries + 1, notBefore, throttled });
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    const next = await this.#batches.next();
    this.#asking = false;
    if (next.done) this.#exhausted = true;
    else this.#queue.fresh(this.#intendAhead(unsentBefore(next.value)));
  }

  /** While all places are taken, there is time to write down the batches that come next. */
  #intendAhead(waiting: Waiting): Waiting {
    const { batch } = waiting;
    if (this.#over || this.#sizeLimit.fit(batch).length > 1) return waiting;
    const intended = this.#port.intend(batch);
    // Whoever sends the batch is told; until then, nobody listens.
    intended.catch(() => {});
    return { ...waiting, intended };
  }

  async #probe(): Promise<void> {
    const up = await this.#port.probe();
    this.#means.pacing.probed(up, this.#means.clock.now());
  }

  /** Keeps a promise in sight until it is settled; an error ends sending. */
  #watch(promise: Promise<void>): void {
    const watched = promise
      .catch((thrown: unknown) => {
        this.#error ??= { thrown };
      })
      .finally(() => {
        this.#inFlight.delete(watched);
        this.#wake();
      });
    this.#inFlight.add(watched);
  }

  /** Sleeps so long, or until something happens. */
  async #sleep(ms: number): Promise<void> {
    if (ms <= 0) return;
    if (!this.#woken) await (ms < Number.POSITIVE_INFINITY ? this.#doze(ms) : this.#waitForWake());
    this.#woken = false;
    this.#endSleep = undefined;
  }

  async #doze(ms: number): Promise<void> {
    const controller = new AbortController();
    this.#endSleep = () => controller.abort();
    await this.#means.clock.sleep(ms, controller.signal);
  }

  /** What most requests come to: without a signal, which takes longer to make than a request. */
  #waitForWake(): Promise<void> {
    return new Promise((resolve) => {
      this.#endSleep = resolve;
    });
  }

  readonly #wake = (): void => {
    this.#woken = true;
    this.#endSleep?.();
  };

  /** Waits for what is in flight, and closes what batches come from. */
  async #end(): Promise<void> {
    if (!this.#exhausted) await this.#batches.return?.();
    await Promise.all(this.#inFlight);
    for (const { intended } of this.#queue.dropFresh()) {
      const left = await intended;
      if (left !== undefined) this.#port.withdraw(left);
    }
  }
}
