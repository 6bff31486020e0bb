import { setMaxListeners } from 'node:events';
import { ownVersion } from '../../api/transport/http-transport.js';
import { AccessError, DocferryError, ServiceDownError } from '../../model/errors.js';
import type { Counts } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import { EventHub, type Progress } from '../../outcomes/events.js';
import type { Stop } from '../../outcomes/stop-conditions.js';
import type { Report, RunEvent } from '../../report/report.js';
import type { ThrowOn, ValidateOptions } from '../options.js';
import { checkRunOptions } from '../settings.js';

/** What a run shows once its inputs are open. */
export interface RunView {
  /** What a person should know, such as a guessed encoding. */
  readonly notices: readonly string[];
  readonly progress: () => Progress;
}

/** Connects a running operation with its {@link ImportRun}: events and a view on, a signal to end it. */
export class RunStage {
  readonly hub = new EventHub();
  readonly #stopping = new AbortController();
  #unlisten = (): void => {};
  /** `undefined` until the inputs are open. */
  view: RunView | undefined;
  /** Closed when the run ends. */
  sources: readonly Source[] = [];

  /** Aborted with the caller's own signal, or when the caller has left the run. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * Begins an operation.
   * @param by the function that was called
   * @throws OptionError if an option is wrong
   */
  async begin(options: Pick<ValidateOptions, 'signal'>, by: string): Promise<void> {
    // Defer one tick so that `for await` can subscribe before the first event.
    await new Promise((resolve) => setImmediate(resolve));
    checkRunOptions(options, by);
    const { signal } = options;
    const stop = (): void => this.stop(signal?.reason);
    if (signal?.aborted) stop();
    // Any number of runs may listen to it at once.
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener('abort', stop);
    this.#unlisten = () => signal?.removeEventListener('abort', stop);
  }

  stop(reason?: unknown): void {
    this.#stopping.abort(reason);
  }

  /** Closes the sources and ends the events; with a failure, the listener's loop throws it. */
  end(failure?: { readonly error: unknown }): void {
    for (const source of this.sources) source.close();
    this.#unlisten();
    this.hub.end(failure);
  }
}

/**
 * A run in progress. `await` it for the report; loop over it with `for await` for events as they
 * happen (start the loop at once: earlier events aren't repeated). Either throws what ends the run.
 * Leaving the loop early, aborting the `signal` of the options, and the end of an `await using` stop
 * the run in good order; the first and the last wait until it has ended.
 */
export class ImportRun implements Promise<Report>, AsyncIterable<RunEvent>, AsyncDisposable {
  readonly [Symbol.toStringTag] = 'ImportRun';
  readonly #stage: RunStage;
  readonly #report: Promise<Report>;

  /** Made by `importDocuments` and `validateDocuments`, of an operation that is running. */
  constructor(
    stage: RunStage,
    running: Promise<RunEnd>,
    options: Pick<ValidateOptions, 'throwOn'>,
  ) {
    this.#stage = stage;
    this.#report = this.#finish(running, options);
  }

  /** How far the run is now; `undefined` until its inputs are open. */
  progress(): Progress | undefined {
    return this.#stage.view?.progress();
  }

  /** What a person should know before the run is over; `undefined` until its inputs are open. */
  notices(): readonly string[] | undefined {
    return this.#stage.view?.notices;
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
    // The loop throws what ends the run: nobody need catch it a second time.
    this.#report.catch(() => {});
    let over = false;
    try {
      yield* this.#stage.hub.listen() as AsyncGenerator<RunEvent>;
      over = true;
    } finally {
      if (!over) await this[Symbol.asyncDispose]();
    }
  }

  /** Stops the run if it is running, and waits for its end; what it ends with is not thrown. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stage.stop();
    await this.#report.catch(() => {});
  }

  async #finish(
    running: Promise<RunEnd>,
    options: Pick<ValidateOptions, 'throwOn'>,
  ): Promise<Report> {
    try {
      const end = await running;
      this.#stage.hub.emit({ type: 'end', report: end.report });
      throwIfFailed(end, options.throwOn ?? 'stop');
      this.#stage.end();
      return end.report;
    } catch (error) {
      this.#stage.end({ error });
      throw error;
    }
  }
}

/** Where OpenTelemetry's API keeps what a program has registered with it. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/** Makes a run a span if the program has registered OpenTelemetry; otherwise nothing of it is loaded. */
export async function traced(
  name: 'docferry.import' | 'docferry.validate',
  run: () => Promise<RunEnd>,
): Promise<RunEnd> {
  if (!(REGISTRY in globalThis)) return await run();
  const { traceRun } = await import('../../telemetry/trace-run.js');
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
