import pLimit from 'p-limit';
import type { Batch } from '../model/documents.js';
import { cutBatch } from './cut-batch.js';
import { type Judgement, judgeAnswer } from './judge-answer.js';
import { backOffMs } from './pacing/back-off.js';
import { type Clock, systemClock } from './pacing/clock.js';
import { Line, type Waiting } from './pacing/line.js';
import { RetryBudget } from './pacing/retry-budget.js';
import { SizeLimit } from './pacing/size-limit.js';
import { Traffic } from './pacing/traffic.js';
import type { DeliveryPort, DeliveryResult, DeliverySettings } from './port.js';

/**
 * Sends batches as fast as the settings and the service allow, and says of each what became of it.
 * What the service certainly refused or never got is sent again, whole or in parts; what it may
 * have taken never is. The next batch is asked for when one has gone, so a slow service slows the
 * reading. Rejects only if `batches` or the port throws.
 *
 * When it ends, every batch that was taken from `batches` has been settled, or, if delivery ended
 * early, withdrawn or never been intended.
 */
export async function deliver(
  batches: AsyncIterable<Batch>,
  settings: DeliverySettings,
  port: DeliveryPort,
  clock: Clock = systemClock,
): Promise<DeliveryResult> {
  return await new Delivery(batches, settings, port, clock).run();
}

/** A pause that a person notices. */
const LONG_PAUSE_MS = 3_000;
const MOST_NOTICES = 10;
const ENDED = 'delivery ended before it was sent';

class Delivery {
  readonly #batches: AsyncIterator<Batch>;
  readonly #settings: DeliverySettings;
  readonly #port: DeliveryPort;
  readonly #clock: Clock;
  readonly #traffic: Traffic;
  readonly #line = new Line();
  readonly #budget = new RetryBudget();
  readonly #sizeLimit = new SizeLimit();
  readonly #places = pLimit(1);
  /** Requests, probes, and the next batch that was asked for. */
  readonly #underWay = new Set<Promise<void>>();
  #asking = false;
  #exhausted = false;
  /** Nothing could be made durable. */
  #refused = false;
  #error: { readonly thrown: unknown } | undefined;
  /** The pause that goes on, or comes again before anything went well, was told. */
  #told = false;
  #notices = 0;
  #requests = 0;
  #retries = 0;
  /** Something has happened since the last sleep ended. */
  #woken = false;
  /** Ends the sleep of who waits for something to happen. */
  #endSleep: (() => void) | undefined;

  constructor(
    batches: AsyncIterable<Batch>,
    settings: DeliverySettings,
    port: DeliveryPort,
    clock: Clock,
  ) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#settings = settings;
    this.#port = port;
    this.#clock = clock;
    this.#traffic = new Traffic(settings, clock.random);
  }

  async run(): Promise<DeliveryResult> {
    const { signal } = this.#port;
    signal.addEventListener('abort', this.#wake);
    try {
      while (!this.#over && !this.#done) await this.#sleep(this.#step());
    } finally {
      signal.removeEventListener('abort', this.#wake);
      await this.#end();
    }
    if (this.#error !== undefined) throw this.#error.thrown;
    const { gaveUp } = this.#traffic;
    const result = { requests: this.#requests, retries: this.#retries };
    return gaveUp === undefined ? result : { ...result, gaveUp };
  }

  /** Whether nothing more is to be sent. */
  get #over(): boolean {
    return (
      this.#refused ||
      this.#error !== undefined ||
      this.#traffic.gaveUp !== undefined ||
      this.#port.signal.aborted ||
      this.#port.stopped()
    );
  }

  /** Whether there is nothing left to be sent. */
  get #done(): boolean {
    return this.#exhausted && this.#line.empty && this.#underWay.size === 0;
  }

  /** Does what can be done now, and says how long to wait before the next step, in milliseconds. */
  #step(): number {
    if (this.#line.wantsFresh && !this.#exhausted && !this.#asking) this.#watch(this.#ask());
    const now = this.#clock.now();
    const leave = this.#traffic.leave(now);
    if (leave.kind === 'wait') {
      this.#tell(leave.ms);
      return leave.ms;
    }
    if (leave.kind === 'probe') {
      this.#traffic.probes(now);
      this.#watch(this.#probe());
      return 0;
    }
    this.#places.concurrency = this.#traffic.limit;
    if (this.#places.activeCount >= this.#places.concurrency) return Number.POSITIVE_INFINITY;
    const first = this.#line.take(now, this.#budget);
    if (first.kind === 'wait') return first.ms;
    this.#start(first.waiting, now);
    return 0;
  }

  /** A person who sees nothing happen should know why; that it happens often is said often enough. */
  #tell(pauseMs: number): void {
    const isLong = pauseMs >= LONG_PAUSE_MS && pauseMs < Number.POSITIVE_INFINITY;
    if (!isLong || this.#told || this.#notices >= MOST_NOTICES) return;
    this.#told = true;
    this.#notices += 1;
    const seconds = Math.round(pauseMs / 1_000);
    this.#port.notice(
      `Nothing is sent for the next ${seconds} s (${this.#traffic.trouble}); it then goes on by itself.`,
    );
  }

  /** Sends as much of a batch as one request may hold; the rest comes next. */
  #start(waiting: Waiting, now: number): void {
    // What was intended as a whole goes as a whole.
    const parts = waiting.intended === undefined ? this.#sizeLimit.fit(waiting.batch) : [];
    const [batch = waiting.batch, ...rest] = parts;
    this.#line.parts(rest.map((part) => ({ ...waiting, batch: part })));
    this.#traffic.starts(now);
    this.#budget.sent(now, waiting.refused);
    this.#watch(this.#places(() => this.#attempt({ ...waiting, batch })));
  }

  async #attempt(waiting: Waiting): Promise<void> {
    const { batch, tries, intended = this.#port.intend(batch) } = waiting;
    if (!(await intended)) {
      this.#refused = true;
      return;
    }
    await this.#hold();
    if (this.#over) {
      this.#port.withdraw(batch, ENDED);
      return;
    }
    this.#requests += 1;
    if (tries > 0) this.#retries += 1;
    const full = this.#places.activeCount >= this.#traffic.limit;
    const sentAt = this.#clock.now();
    const exchange = await this.#port.send(batch);
    const answeredAt = this.#clock.now();
    const { pressureStatuses } = this.#settings;
    const judgement = judgeAnswer(exchange, batch, pressureStatuses, answeredAt);
    const answered = { documents: batch.count, sentAt, answeredAt, full };
    this.#traffic.answered(judgement, answered);
    if (judgement.tooLarge) this.#sizeLimit.refused(batch);
    if (judgement.verdict.kind === 'accepted') {
      this.#told = false;
      this.#sizeLimit.accepted(batch);
    }
    this.#proceed(waiting, judgement, answeredAt);
  }

  /** Waits until the request may go that is ready to be sent: a pause may have begun meanwhile. */
  async #hold(): Promise<void> {
    let ms = this.#traffic.ready(this.#clock.now());
    while (ms > 0 && !this.#over) {
      await this.#clock.sleep(ms, this.#port.signal);
      ms = this.#traffic.pausedFor(this.#clock.now());
    }
  }

  #proceed(waiting: Waiting, judgement: Judgement, now: number): void {
    const { step, verdict, pressed, unread } = judgement;
    const { batch, tries } = waiting;
    if (step === 'cut' && !unread && !this.#port.refusesWhole()) {
      const message = 'message' in verdict ? verdict.message : '';
      this.#port.settle(batch, { kind: 'unknown', message, refused: true });
      return;
    }
    if (step === 'settle') {
      this.#port.settle(batch, verdict);
      return;
    }
    this.#port.withdraw(batch, 'message' in verdict ? verdict.message : '');
    if (step === 'cut') {
      const parts = cutBatch(batch, 2);
      this.#line.parts(
        parts.map((part) => ({ batch: part, tries: 0, notBefore: 0, refused: false })),
      );
      return;
    }
    const notBefore = now + backOffMs(tries, this.#clock.random());
    this.#line.again({ batch, tries: tries + 1, notBefore, refused: pressed });
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    const next = await this.#batches.next();
    this.#asking = false;
    if (next.done) this.#exhausted = true;
    else this.#line.fresh(next.value, this.#intendAhead(next.value));
  }

  /** While all places are taken, the disk has time for the batch that comes next. */
  #intendAhead(batch: Batch): Promise<boolean> | undefined {
    if (this.#over || this.#sizeLimit.fit(batch).length > 1) return undefined;
    const intended = this.#port.intend(batch);
    // Whoever sends the batch is told; until then, nobody listens.
    intended.catch(() => {});
    return intended;
  }

  async #probe(): Promise<void> {
    const up = await this.#port.probe();
    this.#traffic.probed(up, this.#clock.now());
  }

  /** Keeps a promise in sight until it is settled; an error ends delivery. */
  #watch(promise: Promise<void>): void {
    const watched = promise
      .catch((thrown: unknown) => {
        this.#error ??= { thrown };
      })
      .finally(() => {
        this.#underWay.delete(watched);
        this.#wake();
      });
    this.#underWay.add(watched);
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
    await this.#clock.sleep(ms, controller.signal);
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

  /** Waits for what is under way, and closes what batches come from. */
  async #end(): Promise<void> {
    if (!this.#exhausted) await this.#batches.return?.();
    await Promise.all(this.#underWay);
    const left = this.#line.dropFresh();
    if (await left?.intended) this.#port.withdraw((left as Waiting).batch, ENDED);
  }
}
