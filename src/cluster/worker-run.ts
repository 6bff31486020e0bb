import { systemClock } from '../delivery/context.js';
import { Pacing } from '../delivery/pacing/pacing.js';
import { AccessError, OptionError } from '../model/errors.js';
import type { Source } from '../model/source.js';
import { VERSION } from '../model/version.js';
import type { ImportOptions } from '../operations/options.js';
import { openService, type Service } from '../operations/pipeline/send-documents.js';
import { ThreadPool } from '../transform/pool/transform-on-threads.js';
import { isSmall } from '../transform/transform-chunks.js';
import type { Session } from './postgres/session.js';
import type { Shards } from './postgres/shards.js';
import type { ActiveRun, PostgresStore } from './postgres/store.js';
import { openInput, type RunPlan } from './run-plan.js';

export interface WorkerDeps
  extends Pick<ImportOptions, 'connection' | 'service' | 'abandonSignal'> {
  readonly store: PostgresStore;
  /** Maximum number of threads for mapping and validating. */
  readonly threads: number;
  readonly notice: (message: string) => void;
}

/** A run in this worker process: everything that its shards share. */
export class WorkerRun {
  readonly active: ActiveRun;
  readonly plan: RunPlan;
  readonly deps: WorkerDeps;
  readonly session: Session;
  readonly shards: Shards;
  readonly service: Service;
  readonly pacing: Pacing;
  readonly #sources = new Map<number, Promise<Source>>();
  readonly pool: ThreadPool | undefined;
  /** Indexes of inputs that this process can't read. */
  readonly unreadable: Set<number> = new Set();

  private constructor(active: ActiveRun, deps: WorkerDeps, session: Session) {
    const plan = JSON.parse(active.plan) as RunPlan;
    this.active = active;
    this.plan = plan;
    this.deps = deps;
    this.session = session;
    this.shards = deps.store.shards(session);
    const { monitoring } = plan.target;
    this.service = openService({ ...deps, monitoring }, plan.settings);
    this.pool = threadPoolFor(plan, deps.threads);
    this.pacing = new Pacing(plan.settings.pacing, systemClock.random);
  }

  /**
   * Connects to the service and checks that this process can work on the run.
   * @throws OptionError if the docferry version or the service differs; AccessError
   */
  static async open(active: ActiveRun, deps: WorkerDeps, session: Session): Promise<WorkerRun> {
    const own = VERSION;
    if (active.version !== own) {
      throw new OptionError(
        `The run ${active.id} was started with docferry ${active.version}, and this is docferry ${own}: workers need the same version, because another may produce different documents.`,
      );
    }
    const workerRun = new WorkerRun(active, deps, session);
    try {
      await workerRun.#checkService();
      return workerRun;
    } catch (error) {
      await workerRun.close();
      throw error;
    }
  }

  /** @throws SourceError */
  async source(input: number): Promise<Source> {
    const opened = this.#sources.get(input) ?? openInput(this.plan, input);
    this.#sources.set(input, opened);
    try {
      return await opened;
    } catch (error) {
      this.#sources.delete(input);
      throw error;
    }
  }

  /** Divides the user's rate by the number of workers that currently send to the same target. */
  async shareRate(): Promise<void> {
    const { rate } = this.plan.settings.pacing;
    if (rate === undefined) return;
    const senders = await this.deps.store.sendersTo(this.active.target);
    this.pacing.limitRate(rate / Math.max(1, senders));
  }

  async close(): Promise<void> {
    await this.pool?.stop();
    for (const opened of this.#sources.values()) (await opened.catch(() => undefined))?.close();
    await this.service.close();
  }

  async #checkService(): Promise<void> {
    const { target } = this.plan;
    const name = this.deps.service ?? this.service.target.baseUrl;
    if (name !== target.service) {
      throw new OptionError(
        `The run ${this.active.id} sends to ${target.service}, but this worker is connected to ${name}. Connect it to that service.`,
      );
    }
    const refused = await this.service.access(new AbortController().signal);
    if (refused?.kind === 'no-access') throw new AccessError(refused.message);
  }
}

/** Starts threads once per run: starting them for each shard would take longer than the shard. */
function threadPoolFor({ inputs }: RunPlan, threads: number): ThreadPool | undefined {
  const bytes = inputs.reduce((sum, { size }) => sum + size, 0);
  return threads === 0 || isSmall(bytes) ? undefined : new ThreadPool(threads);
}
