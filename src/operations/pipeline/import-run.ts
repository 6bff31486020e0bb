import { ownVersion } from '../../api/version.js';
import { AccessError, DocferryError, ServiceDownError } from '../../model/errors.js';
import type { Counts } from '../../model/record.js';
import { EventHub, type Progress } from '../../outcomes/events.js';
import type { Stop } from '../../outcomes/stop-conditions.js';
import type { Report, RunEvent } from '../../report/report.js';
import { checkRunOptions } from '../check-options.js';
import type { ThrowOn, ValidateOptions } from '../options.js';

/** What can be asked of a run whose inputs are open. */
export interface RunView {
  /** What a person should know, such as a guessed encoding. */
  readonly notices: readonly string[];
  readonly progress: () => Progress;
}

/** What a run is given besides its options. */
export interface RunStage {
  readonly hub: EventHub;
  /** To be called once the inputs are open. */
  readonly show: (view: RunView) => void;
  /** Aborted with the caller's own signal, or when the caller has left the run. */
  readonly signal: AbortSignal;
}

/** What of a run's options concerns its end. */
type EndOptions = Pick<ValidateOptions, 'throwOn' | 'signal'>;

/** What happens in a run, to its end. */
export type RunBody = (stage: RunStage) => Promise<RunEnd>;

/**
 * A run in progress. `await` it for the report; loop over it with `for await` for events as they
 * happen (start the loop at once: what nobody listens to is not kept). Either throws what ends the
 * run. Leaving the loop early, aborting the `signal` of the options, and the end of an `await using`
 * stop the run in good order; the first and the last wait until it has ended.
 */
export class ImportRun implements Promise<Report>, AsyncIterable<RunEvent>, AsyncDisposable {
  readonly [Symbol.toStringTag] = 'ImportRun';
  readonly #hub = new EventHub();
  readonly #leaving = new AbortController();
  readonly #report: Promise<Report>;
  #view: RunView | undefined;

  /** Made by `importDocuments` and `validateDocuments`; `by` says which. */
  constructor(by: string, options: EndOptions, body: RunBody) {
    this.#report = this.#start(async () => {
      checkRunOptions(options, by);
      return await this.#run(options, (stage) => traced(by, () => body(stage)));
    });
  }

  /** How far the run is now; `undefined` until its inputs are open. */
  progress(): Progress | undefined {
    return this.#view?.progress();
  }

  /** What a person should know before the run is over; `undefined` until its inputs are open. */
  notices(): readonly string[] | undefined {
    return this.#view?.notices;
  }

  // biome-ignore lint/suspicious/noThenProperty: the contract makes a run awaitable.
  then<A = Report, B = never>(
    fulfilled?: ((report: Report) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#report.then(fulfilled, rejected);
  }

  catch<B = never>(
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<Report | B> {
    return this.#report.catch(rejected);
  }

  finally(ended?: (() => void) | null): Promise<Report> {
    return this.#report.finally(ended);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    // The loop throws what ends the run, so it doesn't need to be caught a second time.
    this.#report.catch(() => {});
    let over = false;
    try {
      yield* this.#hub.listen() as AsyncGenerator<RunEvent>;
      over = true;
    } finally {
      if (!over) await this[Symbol.asyncDispose]();
    }
  }

  /** Stops the run if it is running, and waits for its end; what it ends with is not thrown. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#report.catch(() => {});
  }

  async #start(run: () => Promise<Report>): Promise<Report> {
    // Whoever loops gets to listen before the first event.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const report = await run();
      this.#hub.end();
      return report;
    } catch (error) {
      this.#hub.end({ error });
      throw error;
    }
  }

  async #run(options: Pick<ValidateOptions, 'throwOn' | 'signal'>, body: RunBody): Promise<Report> {
    const { throwOn = 'stop' } = options;
    const { signal } = options;
    const leave = (): void => this.#leaving.abort(signal?.reason);
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave);
    try {
      const end = await body({
        hub: this.#hub,
        signal: this.#leaving.signal,
        show: (view) => {
          this.#view = view;
        },
      });
      this.#hub.emit({ type: 'end', report: end.report });
      throwIfFailed(end, throwOn);
      return end.report;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }
}

/** Where OpenTelemetry's API keeps what a program has registered with it. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/** Makes a run a span if the program has registered OpenTelemetry; otherwise nothing of it is loaded. */
async function traced(by: string, run: () => Promise<RunEnd>): Promise<RunEnd> {
  if (!(REGISTRY in globalThis)) return await run();
  const { traceRun } = await import('../../telemetry/trace-run.js');
  const name = by === 'validateDocuments' ? 'docferry.validate' : 'docferry.import';
  return await traceRun(name, ownVersion(), run);
}

/** How a run ended, and what ended it. */
export interface RunEnd {
  readonly report: Report;
  /** `undefined` if it went to its end. */
  readonly stop?: Stop | undefined;
}

/**
 * A run that has started and didn't do what it was for. `report` says what became of every record,
 * and `report.stop` why it ended early. `cause` is the error behind that: what the caller's own
 * iterable threw, the reason of its signal, an `AccessError`, a `ServiceDownError`, …; `undefined`
 * where there is none, as for `maxErrors`.
 */
export class RunFailedError extends DocferryError {
  override readonly name = 'RunFailedError';
  readonly exitCode: number;
  readonly report: Report;

  constructor(report: Report, cause: unknown) {
    super(messageOf(report), { cause });
    this.report = report;
    this.exitCode = report.exitCode;
  }
}

/** @throws RunFailedError if the run didn't end as it should */
function throwIfFailed({ report, stop }: RunEnd, throwOn: ThrowOn): void {
  if (throwOn === 'never' || report.exitCode === 0) return;
  if (throwOn === 'stop' && FINISHED.has(report.exitCode)) return;
  throw new RunFailedError(report, stop && causeOf(stop));
}

/** The codes of runs that went to their end, though not every record was accepted. */
const FINISHED: ReadonlySet<number> = new Set([1, 5]);

function causeOf({ kind, message, cause }: Stop): unknown {
  if (cause !== undefined) return cause;
  if (kind === 'no-access') return new AccessError(message);
  return kind === 'service-down' ? new ServiceDownError(message) : undefined;
}

function messageOf({ run, stop, counts }: Report): string {
  const early = stop === null ? 'did not accept everything' : `stopped early: ${stop.message}`;
  return `The run ${run} ${early.replace(/\.$/, '')} (${figures(counts)}).`;
}

/** Such as `500 records read: 490 accepted, 10 unsent`. */
function figures({ read, ...outcomes }: Counts): string {
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  const each = some.map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return `${read} ${read === 1 ? 'record' : 'records'} read${each === '' ? '' : `: ${each}`}`;
}
