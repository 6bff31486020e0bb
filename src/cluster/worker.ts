/**
 * Worker loop: opens a session, takes jobs from the queue, and retries when the database goes away.
 */
import { systemClock } from '../delivery/context.js';
import { DocferryError, JournalError } from '../model/errors.js';
import { finishRun } from './finish-run.js';
import { isTransient, refusalOf } from './postgres/database/failures.js';
import { runJobs } from './postgres/jobs.js';
import { addJobs, FLAG, type QueuedJob } from './postgres/queue.js';
import { fenceExpired, Session } from './postgres/session.js';
import type { ActiveRun } from './postgres/store.js';
import { processShard } from './process-shard.js';
import { planInput } from './run-plan.js';
import { type WorkerDeps, WorkerRun } from './worker-run.js';

/** Interval at which a worker fences expired sessions and closes ended runs, in milliseconds. */
const SWEEP_MS = 5_000;
/** Shorter interval of a worker for one run, which ends with that run. */
const SINGLE_RUN_SWEEP_MS = 1_000;

/** Concurrent jobs of a process: one shard being read, and earlier ones still being sent. */
const MAX_JOBS = 8;

/**
 * Delay before retrying after a refusal, or a run that this process couldn't open, in milliseconds.
 */
const RETRY_MS = 30_000;

export const ALL_TASKS: WorkSettings['tasks'] = ['plan', 'shard', 'finish'];

export interface WorkSettings {
  /** Ends the work: requests in flight are waited for, unfinished shards are released. */
  readonly signal: AbortSignal;
  /** Number of the only run to work on, until it has ended. */
  readonly only?: number | undefined;
  readonly tasks: readonly QueuedJob['task'][];
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
  if (cause === undefined || isTransient(cause)) return SWEEP_MS;
  // Failed logins in quick succession can lock the user out.
  return settings.retriesRefusals && refusalOf(cause) ? RETRY_MS : undefined;
}

async function hasEnded({ store }: WorkerDeps, { only }: WorkSettings): Promise<boolean> {
  return only !== undefined && (await store.findByNumber(only))?.state === 'ended';
}

/** The jobs of one session. */
class Worker {
  readonly #deps: WorkerDeps;
  readonly #settings: WorkSettings;
  readonly #session: Session;
  /** Aborted when the session is lost or the worker is to end. */
  readonly #stopping = new AbortController();
  readonly #runs = new Map<number, WorkerRun>();
  /** Time at which to retry a run that this process couldn't open, by run number. */
  readonly #retryAt = new Map<number, number>();
  readonly #printed = new Set<string>();
  #isPlanning = false;

  constructor(deps: WorkerDeps, settings: WorkSettings, session: Session) {
    this.#deps = deps;
    this.#settings = settings;
    this.#session = session;
  }

  async run(): Promise<void> {
    const { signal, tasks } = this.#settings;
    const session = this.#session;
    const stop = (): void => this.#stopping.abort(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    session.lost.addEventListener('abort', stop);
    const sweeping = this.#sweep();
    try {
      await runJobs(this.#deps.store.database, {
        signal: this.#stopping.signal,
        tasks,
        concurrency: MAX_JOBS,
        onStart: (pool) => session.registerPool(pool),
        forbiddenFlags: () => this.#forbiddenFlags(),
        handle: (job, startNext) => this.#handle(job, startNext),
      });
    } finally {
      this.#stopping.abort();
      signal.removeEventListener('abort', stop);
      await sweeping;
      for (const workerRun of this.#runs.values()) await workerRun.close();
      await session.close().catch(() => {});
    }
  }

  /**
   * Flags of jobs to leave to other workers: other runs, unreadable inputs, and a second plan at a
   * time.
   */
  async #forbiddenFlags(): Promise<readonly string[]> {
    const { only } = this.#settings;
    const now = performance.now();
    const otherRuns = only === undefined ? [] : await this.#deps.store.activeExcept(only);
    const unfit = [...this.#retryAt].flatMap(([run, at]) => (now < at ? [run] : []));
    const unreadable = [...this.#runs.values()].flatMap(({ active, unreadable }) =>
      [...unreadable].map((input) => FLAG.ofInput(active.run, input)),
    );
    const plans = this.#isPlanning ? [FLAG.ofPlans] : [];
    return [...[...otherRuns, ...unfit].map(FLAG.ofRun), ...unreadable, ...plans];
  }

  /**
   * Runs a job.
   * @throws JournalError also if the session was fenced; the job then stays in the queue
   */
  async #handle(job: QueuedJob, startNext: () => void): Promise<void> {
    const { store } = this.#deps;
    const { only = job.run } = this.#settings;
    try {
      const active = await store.findByNumber(job.run);
      if (active?.state === 'active' && (job.task === 'finish' || active.stop === null)) {
        const workerRun = job.run === only ? await this.#openRun(active) : undefined;
        if (workerRun === undefined) await addJobs(store.database, [job]);
        else await this.#execute(job, workerRun, startNext);
      }
      await this.#session.assertNotFenced();
    } catch (error) {
      this.#stopping.abort();
      throw error;
    }
  }

  async #execute(job: QueuedJob, workerRun: WorkerRun, startNext: () => void): Promise<void> {
    const { signal: stopping } = this.#stopping;
    if (job.task === 'shard') {
      const { run, input = 0, part = 0 } = job;
      const shard = await workerRun.shards.take({ run, input, part });
      // The next shard is read while the last requests of this one are in flight.
      if (shard !== undefined)
        await processShard(workerRun, { shard, stopping, onRead: startNext });
      return;
    }
    startNext();
    if (job.task === 'finish') {
      const { active, plan, session } = workerRun;
      return await finishRun({ active, plan, session, store: this.#deps.store });
    }
    this.#isPlanning = true;
    try {
      await this.#plan(job, workerRun);
    } finally {
      this.#isPlanning = false;
    }
  }

  /**
   * Cuts an input into shards. Puts the job back if this process can't read the input, or is
   * ending.
   */
  async #plan(job: QueuedJob, workerRun: WorkerRun): Promise<void> {
    const { store } = this.#deps;
    const { run, input = 0 } = job;
    const isPlanned = async () => (await store.inputs(run))[input]?.planned ?? true;
    if (await isPlanned()) return;
    const source = await workerRun.source(input).catch((error: unknown) => {
      workerRun.unreadable.add(input);
      this.#printOnce(error);
    });
    const { plan, shards } = workerRun;
    const { signal } = this.#stopping;
    if (source !== undefined) await planInput(source, { run, input, plan, shards, signal });
    if (!(await isPlanned())) await addJobs(store.database, [job]);
  }

  /** `undefined` if this process can't take part; the reason was printed. */
  async #openRun(active: ActiveRun): Promise<WorkerRun | undefined> {
    const known = this.#runs.get(active.run);
    // A resumed run may have a new plan.
    if (known?.active.plan === active.plan) return known;
    this.#runs.delete(active.run);
    await known?.close();
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

  /** Periodically fences expired sessions, adds missing jobs and closes ended runs. */
  async #sweep(): Promise<void> {
    const { store } = this.#deps;
    const { only } = this.#settings;
    const { signal } = this.#stopping;
    const { times } = this.#session;
    const pauseMs = only === undefined ? times.beatMs : Math.min(times.beatMs, SINGLE_RUN_SWEEP_MS);
    while (!signal.aborted) {
      try {
        await fenceExpired(store.database, times, () => !signal.aborted);
        await this.#session.unlockEndedPools();
        if (only !== undefined) await store.addMissingJobs(only);
        await this.#closeEnded();
        if (await hasEnded(this.#deps, this.#settings)) this.#stopping.abort();
      } catch (error) {
        if (!signal.aborted) this.#printOnce(error);
      }
      await systemClock.sleep(pauseMs, signal);
    }
  }

  async #closeEnded(): Promise<void> {
    for (const [run, workerRun] of this.#runs) {
      if ((await this.#deps.store.findByNumber(run))?.state !== 'ended') continue;
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
