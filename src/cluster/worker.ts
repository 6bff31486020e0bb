/** A process that works on runs: takes jobs, until it is to end. */
import { systemClock } from '../delivery/context.js';
import { DocferryError, JournalError } from '../model/errors.js';
import { finishRun } from './finish-run.js';
import { isPassing, refusalOf } from './postgres/database/failures.js';
import { runJobs } from './postgres/jobs.js';
import { addJobs, FLAG, type QueuedJob } from './postgres/queue.js';
import { fenceExpired, Session } from './postgres/session.js';
import type { ActiveRun } from './postgres/store.js';
import { processShard } from './process-shard.js';
import { planInput } from './run-plan.js';
import { WorkedRun, type WorkMeans } from './worked-run.js';

/** How often a worker checks for those who are gone, in milliseconds. */
const SWEEP_MS = 5_000;
/** The same where it works on one run only: it ends with that. */
const LOOK_MS = 1_000;

/** Jobs that a process does at the same time: a shard that it reads, and those that it sends. */
const JOBS_AT_ONCE = 8;

/** After so long what refused this process, or what it could not do, is tried again, in milliseconds. */
const TRY_AGAIN_MS = 30_000;

export const ALL_TASKS: WorkSettings['tasks'] = ['plan', 'shard', 'finish'];

/** What a worker works on, and how long. */
export interface WorkSettings {
  /** Ends the work: what is in flight is waited for, and what is begun is given back. */
  readonly signal: AbortSignal;
  /** Only this run, until it has ended. */
  readonly only?: number | undefined;
  readonly tasks: readonly QueuedJob['task'][];
  /** Whether to wait for a state that refuses this process; otherwise that ends the work. */
  readonly outlastsRefusals?: boolean;
}

/**
 * Works on runs until the signal is aborted, also if the state goes away for a while.
 * @throws JournalError if the state fails for good, or refuses this process
 */
export async function work(means: WorkMeans, settings: WorkSettings): Promise<void> {
  const { signal } = settings;
  while (!signal.aborted) {
    try {
      if (await isOver(means, settings)) return;
      // One that has lost its leases begins anew, under another name.
      const session = await Session.open(means.store.database);
      await new Worker(means, settings, session).run();
    } catch (error) {
      const failure = means.store.database.failure(error);
      const pauseMs = pauseAfter(failure, settings);
      if (pauseMs === undefined) throw failure;
      means.notice((failure as JournalError).message);
      await systemClock.sleep(pauseMs, signal);
    }
  }
}

/** How long to wait before another try, in milliseconds; `undefined`: none would help. */
function pauseAfter(failure: unknown, settings: WorkSettings): number | undefined {
  if (!(failure instanceof JournalError)) return undefined;
  const { cause } = failure;
  // Without a cause it is a lost lease.
  if (cause === undefined || isPassing(cause)) return SWEEP_MS;
  // Failed logins in quick succession can lock the user out.
  return settings.outlastsRefusals && refusalOf(cause) ? TRY_AGAIN_MS : undefined;
}

/** Whether the one run that is worked on has ended. */
async function isOver({ store }: WorkMeans, { only }: WorkSettings): Promise<boolean> {
  return only !== undefined && (await store.findByNumber(only))?.state === 'ended';
}

/** A worker for as long as its session lasts. */
class Worker {
  readonly #means: WorkMeans;
  readonly #settings: WorkSettings;
  readonly #session: Session;
  /** Aborted when the session is lost, or the work is to end. */
  readonly #leaving = new AbortController();
  readonly #runs = new Map<number, WorkedRun>();
  /** When to try again to work on a run that this process can't work on. */
  readonly #notBefore = new Map<number, number>();
  readonly #told = new Set<string>();
  #isPlanning = false;

  constructor(means: WorkMeans, settings: WorkSettings, session: Session) {
    this.#means = means;
    this.#settings = settings;
    this.#session = session;
  }

  async run(): Promise<void> {
    const { signal, tasks } = this.#settings;
    const session = this.#session;
    const leave = (): void => this.#leaving.abort(signal.reason);
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    session.lost.addEventListener('abort', leave);
    const sweeping = this.#sweep();
    try {
      await runJobs(this.#means.store.database, {
        signal: this.#leaving.signal,
        tasks,
        atOnce: JOBS_AT_ONCE,
        begin: (pool) => session.locksJobsAs(pool),
        avoids: () => this.#avoids(),
        take: (job, next) => this.#take(job, next),
      });
    } finally {
      this.#leaving.abort();
      signal.removeEventListener('abort', leave);
      await sweeping;
      for (const worked of this.#runs.values()) await worked.close();
      await session.close().catch(() => {});
    }
  }

  /** What this process leaves to others: what it can't do, and what it isn't there for. */
  async #avoids(): Promise<readonly string[]> {
    const { only } = this.#settings;
    const now = performance.now();
    const others = only === undefined ? [] : await this.#means.store.activeBesides(only);
    const unfit = [...this.#notBefore].flatMap(([run, at]) => (now < at ? [run] : []));
    const unreadable = [...this.#runs.values()].flatMap(({ active, unreadable }) =>
      [...unreadable].map((input) => FLAG.ofInput(active.run, input)),
    );
    const plans = this.#isPlanning ? [FLAG.ofPlans] : [];
    return [...[...others, ...unfit].map(FLAG.ofRun), ...unreadable, ...plans];
  }

  /**
   * Does a job.
   * @throws JournalError also if others have taken over: then it isn't this process's to remove
   */
  async #take(job: QueuedJob, next: () => void): Promise<void> {
    const { store } = this.#means;
    const { only = job.run } = this.#settings;
    try {
      const active = await store.findByNumber(job.run);
      if (active?.state === 'active' && (job.task === 'finish' || active.stop === null)) {
        const worked = job.run === only ? await this.#open(active) : undefined;
        if (worked === undefined) await addJobs(store.database, [job]);
        else await this.#do(job, worked, next);
      }
      await this.#session.confirm();
    } catch (error) {
      this.#leaving.abort();
      throw error;
    }
  }

  async #do(job: QueuedJob, worked: WorkedRun, next: () => void): Promise<void> {
    const { signal: leaving } = this.#leaving;
    if (job.task === 'shard') {
      const { run, input = 0, part = 0 } = job;
      const shards = this.#means.store.shards(this.#session);
      const shard = await shards.take({ run, input, part });
      // The next one's requests begin while the last of this one are in flight.
      if (shard !== undefined)
        await processShard(worked, { shard, shards, leaving, wasRead: next });
      return;
    }
    next();
    if (job.task === 'finish') {
      const { active, plan, session, pool } = worked;
      // Threads that have nothing to do now take memory.
      await pool?.rest();
      return await finishRun({ active, plan, session, store: this.#means.store });
    }
    this.#isPlanning = true;
    try {
      await this.#plan(job, worked);
    } finally {
      this.#isPlanning = false;
    }
  }

  /** Cuts an input, or leaves to others what this process can't, or not any more. */
  async #plan(job: QueuedJob, worked: WorkedRun): Promise<void> {
    const { store } = this.#means;
    const { run, input = 0 } = job;
    const isPlanned = async () => (await store.inputs(run))[input]?.planned ?? true;
    if (await isPlanned()) return;
    const source = await worked.source(input).catch((error: unknown) => {
      worked.unreadable.add(input);
      this.#tell(error);
    });
    const { plan } = worked;
    const { signal } = this.#leaving;
    const shards = store.shards(this.#session);
    if (source !== undefined) await planInput(source, { run, input, plan, shards, signal });
    if (!(await isPlanned())) await addJobs(store.database, [job]);
  }

  /** `undefined`: this process can't work on it, and a person was told why. */
  async #open(active: ActiveRun): Promise<WorkedRun | undefined> {
    const known = this.#runs.get(active.run);
    // A run that was resumed may have another plan.
    if (known?.active.plan === active.plan) return known;
    this.#runs.delete(active.run);
    await known?.close();
    try {
      const opened = await WorkedRun.open(active, this.#means, this.#session);
      this.#runs.set(active.run, opened);
      return opened;
    } catch (error) {
      this.#notBefore.set(active.run, performance.now() + TRY_AGAIN_MS);
      this.#tell(error);
      return undefined;
    }
  }

  /** Looks for sessions that have ended without saying so, for jobs that were lost, and for ended runs. */
  async #sweep(): Promise<void> {
    const { store } = this.#means;
    const { only } = this.#settings;
    const { signal } = this.#leaving;
    const { times } = this.#session;
    const pauseMs = only === undefined ? times.beatMs : Math.min(times.beatMs, LOOK_MS);
    while (!signal.aborted) {
      try {
        await fenceExpired(store.database, times, () => !signal.aborted);
        if (only !== undefined) await store.addMissingJobs(only);
        await this.#closeEnded();
        if (await isOver(this.#means, this.#settings)) this.#leaving.abort();
      } catch (error) {
        if (!signal.aborted) this.#tell(error);
      }
      await systemClock.sleep(pauseMs, signal);
    }
  }

  /** Threads and connections of runs that are over are of no use to others. */
  async #closeEnded(): Promise<void> {
    for (const [run, worked] of this.#runs) {
      if ((await this.#means.store.findByNumber(run))?.state !== 'ended') continue;
      this.#runs.delete(run);
      await worked.close();
    }
  }

  #tell(error: unknown): void {
    if (!(error instanceof DocferryError)) throw error;
    if (this.#told.has(error.message)) return;
    this.#told.add(error.message);
    this.#means.notice(error.message);
  }
}
