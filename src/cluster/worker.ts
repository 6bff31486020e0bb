/**
 * Worker loop: opens a session, takes work one piece after the other, and retries when the database
 * goes away.
 */
import { systemClock } from '../delivery/context.js';
import { DocferryError, JournalError } from '../model/errors.js';
import { finishRun } from './finish-run.js';
import { isTransient, refusalOf } from './postgres/database/failures.js';
import { fenceExpired, Session } from './postgres/session.js';
import type { Shard, Shards } from './postgres/shards.js';
import type { ActiveRun } from './postgres/store.js';
import { processShard } from './process-shard.js';
import { planInput } from './run-plan.js';
import { type WorkerDeps, WorkerRun } from './worker-run.js';

/** Interval at which an idle worker looks for work, in milliseconds. */
const POLL_MS = 300;
/** Delay before a new attempt after the database went away, in milliseconds. */
const RECONNECT_MS = 5_000;

/** Jobs of a process at the same time: one shard being read, and earlier ones still being sent. */
const MAX_JOBS = 8;

/**
 * Delay before retrying after a refusal, or a run that this process couldn't open, in milliseconds.
 */
const RETRY_MS = 30_000;

export interface WorkSettings {
  /** Ends the work: requests in flight are waited for, unfinished shards are released. */
  readonly signal: AbortSignal;
  /** Number of the only run to work on, until it has ended. */
  readonly only?: number | undefined;
  /** Whether to import shards, and not only cut inputs and finish runs. */
  readonly takesShards: boolean;
  /** Whether to keep retrying after the database refuses this process. */
  readonly retriesRefusals?: boolean;
}

/**
 * Works on runs until the signal is aborted. Retries while the database is away.
 * @throws JournalError if the database fails permanently, or refuses this process
 */
export async function work(deps: WorkerDeps, settings: WorkSettings): Promise<void> {
  const { signal } = settings;
  while (!signal.aborted) {
    try {
      if (await hasEnded(deps, settings)) return;
      // After losing its leases, a process continues with a new session.
      const session = await Session.open(deps.store.database);
      await new Worker(deps, settings, session).run();
    } catch (error) {
      const failure = deps.store.database.failure(error);
      const pauseMs = retryDelay(failure, settings);
      if (pauseMs === undefined) throw failure;
      if (signal.aborted) return;
      deps.notice((failure as JournalError).message);
      await systemClock.sleep(pauseMs, signal);
    }
  }
}

/** Delay before the next attempt in milliseconds, or `undefined` if retrying won't help. */
function retryDelay(failure: unknown, settings: WorkSettings): number | undefined {
  if (!(failure instanceof JournalError)) return undefined;
  const { cause } = failure;
  // Lost leases have no cause.
  if (cause === undefined || isTransient(cause)) return RECONNECT_MS;
  // Failed logins in quick succession can lock the user out.
  return settings.retriesRefusals && refusalOf(cause) ? RETRY_MS : undefined;
}

async function hasEnded({ store }: WorkerDeps, { only }: WorkSettings): Promise<boolean> {
  return only !== undefined && (await store.findByNumber(only))?.state === 'ended';
}

/** A piece of work. Calls `startNext` once this process may take the next one. */
type Job = (startNext: () => void) => Promise<void>;

/** The jobs of one session. */
class Worker {
  readonly #deps: WorkerDeps;
  readonly #settings: WorkSettings;
  readonly #session: Session;
  readonly #shards: Shards;
  /** Aborted when the session is lost or the worker is to end. */
  readonly #stopping = new AbortController();
  readonly #runs = new Map<number, WorkerRun>();
  /** Time at which to retry a run that this process couldn't open, by run number. */
  readonly #retryAt = new Map<number, number>();
  readonly #jobs = new Set<Promise<void>>();
  readonly #printed = new Set<string>();
  #isPlanning = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(deps: WorkerDeps, settings: WorkSettings, session: Session) {
    this.#deps = deps;
    this.#settings = settings;
    this.#session = session;
    this.#shards = deps.store.shards(session);
  }

  /** @throws JournalError also if the session was lost */
  async run(): Promise<void> {
    const { signal } = this.#settings;
    const session = this.#session;
    const stop = (): void => this.#stopping.abort(signal.reason);
    const lose = (): void => this.#fail(session.lost.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    session.lost.addEventListener('abort', lose);
    const sweeping = this.#sweep();
    try {
      await this.#takeJobs();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#stopping.abort();
      signal.removeEventListener('abort', stop);
      session.lost.removeEventListener('abort', lose);
      await Promise.all([sweeping, ...this.#jobs]);
      for (const workerRun of this.#runs.values()) await workerRun.close();
      await session.close().catch(() => {});
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stopping.abort();
  }

  /** Starts a job when the one before lets the next one start, until the worker is to end. */
  async #takeJobs(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const job = this.#jobs.size < MAX_JOBS ? await this.#nextJob() : undefined;
      if (job === undefined) await systemClock.sleep(POLL_MS, signal);
      else await new Promise<void>((startNext) => this.#start(job, startNext));
    }
  }

  #start(job: Job, startNext: () => void): void {
    const running = job(startNext)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#jobs.delete(running);
        startNext();
      });
    this.#jobs.add(running);
  }

  async #nextJob(): Promise<Job | undefined> {
    const { store } = this.#deps;
    const { only, takesShards } = this.#settings;
    const retry = (): boolean => !this.#stopping.signal.aborted;
    const active = await store.activeRuns(only, retry);
    if (active.length === 0 && (await hasEnded(this.#deps, this.#settings))) {
      this.#stopping.abort();
      return undefined;
    }
    await this.#closeAllBut(active);
    for (const run of active) {
      const workerRun = await this.#openRun(run);
      if (workerRun !== undefined && run.isAtEnd) return this.#finishing(run, workerRun);
    }
    const runs = active.flatMap(({ run, stop }) =>
      stop === null && this.#runs.has(run) ? [run] : [],
    );
    if (runs.length === 0) return undefined;
    const filter = { runs, unreadable: this.#unreadable() };
    const input = this.#isPlanning ? undefined : await this.#shards.takeInput(filter, retry);
    if (input !== undefined) return this.#planning(input);
    const shard = takesShards ? await this.#shards.takeNext(filter, retry) : undefined;
    return shard && this.#processing(shard);
  }

  #unreadable(): readonly string[] {
    return [...this.#runs].flatMap(([run, { unreadable }]) =>
      [...unreadable].map((input) => `${run}:${input}`),
    );
  }

  #finishing(active: ActiveRun, { plan, session }: WorkerRun): Job {
    return () => finishRun({ active, plan, session, store: this.#deps.store });
  }

  #processing(shard: Shard): Job {
    const workerRun = this.#runs.get(shard.run) as WorkerRun;
    const { signal: stopping } = this.#stopping;
    // The next shard is read while the last requests of this one are in flight.
    return (startNext) => processShard(workerRun, { shard, stopping, onRead: startNext });
  }

  /** Cuts an input into shards, unless this process can't read it; others may. */
  #planning({ run, input }: Pick<Shard, 'run' | 'input'>): Job {
    const workerRun = this.#runs.get(run) as WorkerRun;
    const { plan, shards } = workerRun;
    const { signal } = this.#stopping;
    this.#isPlanning = true;
    return async (startNext) => {
      startNext();
      try {
        const source = await workerRun.source(input).catch((error: unknown) => {
          workerRun.unreadable.add(input);
          this.#printOnce(error);
        });
        if (source === undefined) await shards.releaseInput(run, input);
        else await planInput(source, { run, input, plan, shards, signal });
      } finally {
        this.#isPlanning = false;
      }
    };
  }

  /** `undefined` if this process can't take part; the reason was printed. */
  async #openRun(active: ActiveRun): Promise<WorkerRun | undefined> {
    const known = this.#runs.get(active.run);
    if (known !== undefined) return known;
    if (performance.now() < (this.#retryAt.get(active.run) ?? 0)) return undefined;
    try {
      const opened = await WorkerRun.open(active, this.#deps, this.#session);
      this.#runs.set(active.run, opened);
      return opened;
    } catch (error) {
      this.#retryAt.set(active.run, performance.now() + RETRY_MS);
      this.#printOnce(error);
      return undefined;
    }
  }

  /** Periodically fences expired sessions, so that others can take over their work. */
  async #sweep(): Promise<void> {
    const { store } = this.#deps;
    const { signal } = this.#stopping;
    const { times } = this.#session;
    while (!signal.aborted) {
      try {
        await fenceExpired(store.database, times, () => !signal.aborted);
      } catch (error) {
        if (!signal.aborted) this.#printOnce(error);
      }
      await systemClock.sleep(times.beatMs, signal);
    }
  }

  /** Closes runs that have ended, or were resumed with a new plan. */
  async #closeAllBut(active: readonly ActiveRun[]): Promise<void> {
    const plans = new Map(active.map(({ run, plan }) => [run, plan]));
    for (const [run, workerRun] of this.#runs) {
      if (plans.get(run) === workerRun.active.plan) continue;
      this.#runs.delete(run);
      await workerRun.close();
    }
  }

  #printOnce(error: unknown): void {
    if (!(error instanceof DocferryError)) throw error;
    if (this.#printed.has(error.message)) return;
    this.#printed.add(error.message);
    this.#deps.notice(error.message);
  }
}
