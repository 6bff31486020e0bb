/** A process that works on runs: takes what jobs point to, until it is to end. */
import { systemClock } from '../delivery/pacing/clock.js';
import { DocferryError, JournalError } from '../model/errors.js';
import type { Source } from '../model/source.js';
import { finishRun } from './finish-run.js';
import { planInput } from './plan-input.js';
import { isPassing, refusalOf } from './postgres/database/failures.js';
import { runJobs } from './postgres/jobs.js';
import type { JobHint, TaskName } from './postgres/queue.js';
import { fenceExpired, type Session } from './postgres/session.js';
import { hintAgain, type Shards } from './postgres/shards.js';
import type { ActiveRun } from './postgres/store.js';
import { ShardProcess } from './process-shard.js';
import { WorkedRun, type WorkMeans } from './worked-run.js';

/** How often a worker checks for what those have left who are gone, in milliseconds. */
const SWEEP_MS = 5_000;
/** How often a worker asks for a shard where nobody says that there is one, in milliseconds. */
const LOOK_MS = 200;

/** How many shards of a run a process has at most: one that it reads, and those that it sends. */
const SHARDS_AT_ONCE = 4;

/** After so long a service or a state that refused this process may be asked again, in milliseconds. */
const TRY_AGAIN_MS = 30_000;

/** What a worker works on, and how long. */
export interface WorkSettings {
  /** Ends the work: what is in flight is waited for, and what is begun is given back. */
  readonly signal: AbortSignal;
  /** Only this run, until it has ended. */
  readonly only?: number;
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
      await new Worker(means, settings).run();
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
  /** Aborted when the session is lost, or the work is to end. */
  readonly #leaving = new AbortController();
  readonly #runs = new Map<number, Promise<WorkedRun | undefined>>();
  /** When to try again to work on a run that this process can't work on. */
  readonly #notBefore = new Map<number, number>();
  readonly #told = new Set<string>();

  constructor(means: WorkMeans, settings: WorkSettings) {
    this.#means = means;
    this.#settings = settings;
  }

  async run(): Promise<void> {
    const { store, version } = this.#means;
    const { signal, only } = this.#settings;
    const session = await store.openSession(version);
    const leave = (): void => this.#leaving.abort(signal.reason);
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    session.lost.addEventListener('abort', leave);
    const sweeping = this.#sweep(session);
    try {
      if (only === undefined) {
        await runJobs(store.database, {
          signal: this.#leaving.signal,
          take: (task, hint) => this.#take(session, task, hint),
        });
      } else await this.#workOn(session, only);
    } finally {
      this.#leaving.abort();
      signal.removeEventListener('abort', leave);
      await sweeping;
      for (const opened of this.#runs.values()) await (await opened)?.close();
      await session.close().catch(() => {});
    }
  }

  /** Works on one run without being told to. */
  async #workOn(session: Session, run: number): Promise<void> {
    const { store } = this.#means;
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      const active = await store.findByNumber(run);
      if (active === undefined || active.state === 'ended') return;
      const worked = active.state === 'active' ? await this.#open(active, session) : undefined;
      const did = worked !== undefined && (await this.#takeShards(worked, session));
      if (did) continue;
      if (worked !== undefined) {
        await this.#finish(worked);
        await this.#planLeft(worked, session);
      }
      await systemClock.sleep(LOOK_MS, signal);
    }
  }

  /** Who was to cut an input may be gone, and whoever takes jobs may have none. */
  async #planLeft(worked: WorkedRun, session: Session): Promise<void> {
    const shards = this.#means.store.shards(session);
    const input = await shards.takeUnplanned(worked.active.run);
    if (input !== undefined) await this.#plan(worked, { input, shards });
  }

  async #plan(
    worked: WorkedRun,
    { input, shards }: { readonly input: number; readonly shards: Shards },
  ): Promise<boolean> {
    const { active, plan } = worked;
    const source = await this.#source(worked, input);
    if (source === undefined) return false;
    const { signal } = this.#leaving;
    await planInput(source, { run: active.run, input, plan, shards, signal });
    return true;
  }

  /**
   * Takes shards of a run until there is none. The next one is taken once all of this one was read:
   * its requests begin while the last of this one are in flight, and what this one leaves is written.
   * @returns whether there was any
   */
  async #takeShards(worked: WorkedRun, session: Session): Promise<boolean> {
    const processed = new Set<Promise<void>>();
    let [isAny, isFailing] = [false, false];
    try {
      while (!isFailing) {
        if (processed.size >= SHARDS_AT_ONCE) await Promise.race(processed);
        const shard = await this.#openShard(worked, session);
        if (shard === undefined) break;
        isAny = true;
        const processing = this.#process(shard, session);
        processed.add(processing);
        // One that fails is left in, for who waits for all.
        processing.then(
          () => processed.delete(processing),
          () => {
            isFailing = true;
          },
        );
        await Promise.race([shard.read, processing]);
      }
    } finally {
      await Promise.allSettled(processed);
    }
    await Promise.all(processed);
    return isAny;
  }

  async #openShard(worked: WorkedRun, session: Session): Promise<ShardProcess | undefined> {
    const { signal: leaving } = this.#leaving;
    const shards = this.#means.store.shards(session);
    for (;;) {
      if (leaving.aborted) return undefined;
      const shard = await shards.take(worked.active.run, [...worked.unreadable]);
      if (shard === undefined) return undefined;
      const opened = await ShardProcess.open(worked, { shard, shards, leaving });
      if (opened !== undefined) return opened;
    }
  }

  /** Of what somebody else has by now there is nothing to say. */
  async #process(shard: ShardProcess, session: Session): Promise<void> {
    try {
      await shard.process();
    } catch (error) {
      // Only the end of the session would give it back.
      if (session.isValid) throw error;
      this.#tell(error);
    }
  }

  async #take(session: Session, task: TaskName, { run, input = 0 }: JobHint): Promise<void> {
    const { store } = this.#means;
    const active = await store.findByNumber(run);
    if (active === undefined || active.state !== 'active') return;
    const worked = await this.#open(active, session);
    if (worked === undefined) return;
    if (task === 'plan') {
      if (active.stop !== null) return;
      const shards = store.shards(session);
      const isSeen = await this.#plan(worked, { input, shards });
      if (!isSeen) await shards.leaveUnplanned(run, input);
    } else if (task === 'shard') {
      await this.#takeShards(worked, session);
    } else await this.#finish(worked);
  }

  async #finish(worked: WorkedRun): Promise<void> {
    const { active, plan, session, means, service, pool } = worked;
    const resolving = { page: service.page, signal: this.#leaving.signal, pool };
    await finishRun({ active, plan, session, means, resolving });
  }

  /** `undefined`: this process can't read it, others may, and a person was told why. */
  async #source(worked: WorkedRun, input: number): Promise<Source | undefined> {
    try {
      return await worked.source(input);
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  }

  /** `undefined`: this process can't work on it, and a person was told why. */
  async #open(active: ActiveRun, session: Session): Promise<WorkedRun | undefined> {
    const known = this.#runs.get(active.run);
    // A run that was resumed may have another plan.
    if (known !== undefined && isSame((await known)?.active, active)) return await known;
    await (await known)?.close();
    this.#runs.delete(active.run);
    if (performance.now() < (this.#notBefore.get(active.run) ?? 0)) return undefined;
    const opened = WorkedRun.open(active, this.#means, session).catch((error: unknown) => {
      this.#notBefore.set(active.run, performance.now() + TRY_AGAIN_MS);
      this.#tell(error);
      return undefined;
    });
    this.#runs.set(active.run, opened);
    const worked = await opened;
    if (worked === undefined) this.#runs.delete(active.run);
    return worked;
  }

  /** Looks for sessions that have ended without saying so, and for what nobody came for. */
  async #sweep({ times }: Session): Promise<void> {
    const { database } = this.#means.store;
    const { signal } = this.#leaving;
    const goOn = (): boolean => !signal.aborted;
    while (!signal.aborted) {
      try {
        await fenceExpired(database, times, { goOn });
        await hintAgain(database, 2 * times.beatMs, { goOn });
        await this.#closeEnded();
      } catch (error) {
        if (!signal.aborted) this.#tell(error);
      }
      await systemClock.sleep(times.beatMs, signal);
    }
  }

  /** Threads and connections of runs that are over are of no use to others. */
  async #closeEnded(): Promise<void> {
    for (const [run, opened] of this.#runs) {
      if ((await this.#means.store.findByNumber(run))?.state !== 'ended') continue;
      this.#runs.delete(run);
      await (await opened)?.close();
    }
  }

  #tell(error: unknown): void {
    if (!(error instanceof DocferryError)) throw error;
    if (this.#told.has(error.message)) return;
    this.#told.add(error.message);
    this.#means.notice(error.message);
  }
}

/** Whether it is processed in the same way. */
function isSame(one: ActiveRun | undefined, other: ActiveRun): boolean {
  return one?.plan === other.plan && one.resolved === other.resolved;
}
