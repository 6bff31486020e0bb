import { setMaxListeners } from 'node:events';
import { AccessError, DocferryError, ServiceDownError } from '../../model/errors.js';
import type { Counts } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import { EventHub, type Progress } from '../../outcomes/events.js';
import type { Stop } from '../../outcomes/stop-conditions.js';
import type { Report, RunEvent } from '../../report/report.js';
import type { ThrowOn, ValidateOptions } from '../options.js';
import { checkRunOptions } from '../settings.js';
import { type PipelineRun, progressOf } from './pipeline-run.js';

/** Context of a run, in addition to its options. */
export interface StartContext {
  /** Imports of this process with the same holder share the lock of their target. */
  readonly lockHolder?: string;
  /** Receives notices that a person should see before anything is sent. */
  readonly warn?: (message: string) => void;
}

/** Connects a running operation with its {@link ImportRun}: events and progress out, an abort signal in. */
export class RunControl {
  readonly hub: EventHub;
  readonly #stopping = new AbortController();
  #unlisten = (): void => {};
  /** `undefined` until the inputs are open. */
  run: PipelineRun | undefined;
  sources: readonly Source[] = [];
  readonly lockHolder: string | undefined;

  constructor({ lockHolder, warn }: StartContext = {}) {
    this.lockHolder = lockHolder;
    this.hub = new EventHub(warn);
  }

  /** Aborted with the caller's own signal, or when the caller has left the run. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * Checks the options and subscribes to their signal.
   * @param caller name of the public function, for messages
   * @returns the options with the signal of the run
   * @throws OptionError if an option is wrong
   */
  async begin<Options extends Pick<ValidateOptions, 'signal'>>(
    options: Options,
    caller: string,
  ): Promise<Options> {
    // Defer one tick so that `for await` can subscribe before the first event.
    await new Promise((resolve) => setImmediate(resolve));
    checkRunOptions(options, caller);
    const { signal } = options;
    const stop = (): void => this.stop(signal?.reason);
    if (signal?.aborted) stop();
    // Any number of runs may share the signal.
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener('abort', stop);
    this.#unlisten = () => signal?.removeEventListener('abort', stop);
    return { ...options, signal: this.signal };
  }

  stop(reason?: unknown): void {
    this.#stopping.abort(reason);
  }

  /** Closes the sources and ends the events; a failure is thrown by the loops over them. */
  end(failure?: { readonly error: unknown }): void {
    for (const source of this.sources) source.close();
    this.#unlisten();
    this.hub.end(failure);
  }
}

/**
 * A run in progress. `await` it for the report, or loop over it with `for await` for events as they
 * happen (start the loop at once, because earlier events aren't repeated). Both throw the error that
 * ends the run. Leaving the loop early, aborting the `signal` of the options and the end of an
 * `await using` stop the run gracefully; the first and the last wait until it has ended.
 */
export class ImportRun implements Promise<Report>, AsyncIterable<RunEvent>, AsyncDisposable {
  readonly [Symbol.toStringTag] = 'ImportRun';
  readonly #control: RunControl;
  readonly #report: Promise<Report>;

  /** Use `importDocuments` or `validateDocuments`. */
  constructor(
    control: RunControl,
    running: Promise<RunEnd>,
    options: Pick<ValidateOptions, 'throwOn'>,
  ) {
    this.#control = control;
    this.#report = this.#finish(running, options);
  }

  /** Current progress; `undefined` until the inputs are open. */
  progress(): Progress | undefined {
    return this.#control.run && progressOf(this.#control.run);
  }

  /** Messages for the user so far; `undefined` until the inputs are open. */
  notices(): readonly string[] | undefined {
    return this.#control.run?.notices;
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
    // The loop throws the error, so a second, unhandled rejection is suppressed.
    this.#report.catch(() => {});
    let over = false;
    try {
      yield* this.#control.hub.listen() as AsyncGenerator<RunEvent>;
      over = true;
    } finally {
      if (!over) await this[Symbol.asyncDispose]();
    }
  }

  /** Stops the run if it is running, and waits for its end. Never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#control.stop();
    await this.#report.catch(() => {});
  }

  async #finish(
    running: Promise<RunEnd>,
    options: Pick<ValidateOptions, 'throwOn'>,
  ): Promise<Report> {
    try {
      const end = await running;
      this.#control.hub.emit({ type: 'end', report: end.report });
      throwIfFailed(end, options.throwOn ?? 'stop');
      this.#control.end();
      return end.report;
    } catch (error) {
      this.#control.end({ error });
      throw error;
    }
  }
}

export interface RunEnd {
  readonly report: Report;
  /** Reason for the early end; `undefined` if there was none. */
  readonly stop?: Stop | undefined;
}

/**
 * Thrown when a run that has started ends early or, with `throwOn: 'any'`, doesn't accept every
 * record. `report` has the outcome of every record, and `report.stop` the reason for the early end.
 * `cause` is the error behind it: the error of the caller's own iterable, the reason of its signal, an
 * `AccessError`, a `ServiceDownError`, …; `undefined` if there is none, as with `maxErrors`.
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

/** @throws RunFailedError if the run failed by the rule of `throwOn` */
function throwIfFailed({ report, stop }: RunEnd, throwOn: ThrowOn): void {
  if (throwOn === 'never' || report.exitCode === 0) return;
  if (throwOn === 'stop' && FINISHED.has(report.exitCode)) return;
  throw new RunFailedError(report, stop && causeOf(stop));
}

/** Exit codes of runs that finished, although not every record was accepted. */
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

/** For example `500 records read: 490 accepted, 10 unsent`. */
function figures({ read, ...outcomes }: Counts): string {
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  const each = some.map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return `${read} ${read === 1 ? 'record' : 'records'} read${each === '' ? '' : `: ${each}`}`;
}
