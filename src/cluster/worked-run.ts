import { ownVersion } from '../api/transport/http-transport.js';
import { systemClock } from '../delivery/context.js';
import { Pacing } from '../delivery/pacing/pacing.js';
import { AccessError, OptionError } from '../model/errors.js';
import type { Source } from '../model/source.js';
import type { ImportOptions } from '../operations/options.js';
import { openService, type Service } from '../operations/pipeline/send-documents.js';
import { ThreadPool } from '../transform/pool/transform-on-threads.js';
import { isSmall } from '../transform/transform-chunks.js';
import type { Session } from './postgres/session.js';
import type { ActiveRun, PostgresStore } from './postgres/store.js';
import { openInput, type RunPlan } from './run-plan.js';

/** What a process that works on runs has of its own. */
export interface WorkMeans extends Pick<ImportOptions, 'connection' | 'service' | 'abandonSignal'> {
  readonly store: PostgresStore;
  /** Most worker threads for mapping and validating. */
  readonly threads: number;
  /** Tells a person something. */
  readonly notice: (message: string) => void;
}

/** A run that this process works on, with all that its shards have in common. */
export class WorkedRun {
  readonly active: ActiveRun;
  readonly plan: RunPlan;
  readonly means: WorkMeans;
  readonly session: Session;
  readonly service: Service;
  readonly pacing: Pacing;
  readonly #sources = new Map<number, Promise<Source>>();
  readonly pool: ThreadPool | undefined;
  /** Inputs that this process can't read. */
  readonly unreadable: Set<number> = new Set();

  private constructor(active: ActiveRun, means: WorkMeans, session: Session) {
    const plan = JSON.parse(active.plan) as RunPlan;
    this.active = active;
    this.plan = plan;
    this.means = means;
    this.session = session;
    const { monitoring } = plan.target;
    this.service = openService({ ...means, monitoring }, plan.settings);
    this.pool = poolFor(plan, means.threads);
    this.pacing = new Pacing(plan.settings.pacing, systemClock.random);
  }

  /**
   * Makes sure that this process can work on the run.
   * @throws OptionError if its docferry or its service is another one; AccessError
   */
  static async open(active: ActiveRun, means: WorkMeans, session: Session): Promise<WorkedRun> {
    const own = ownVersion();
    if (active.version !== own) {
      throw new OptionError(
        `The run ${active.id} was begun with docferry ${active.version}, and this is docferry ${own}: workers must be of the same version, as another one may make other documents.`,
      );
    }
    const worked = new WorkedRun(active, means, session);
    try {
      await worked.#checkService();
      return worked;
    } catch (error) {
      await worked.close();
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

  /** Divides the rate that the user gave among all workers that send to the same target now. */
  async shareRate(): Promise<void> {
    const { rate } = this.plan.settings.pacing;
    if (rate === undefined) return;
    const senders = await this.means.store.sendersTo(this.active.target);
    this.pacing.limitRate(rate / Math.max(1, senders));
  }

  async close(): Promise<void> {
    await this.pool?.stop();
    for (const opened of this.#sources.values()) (await opened.catch(() => undefined))?.close();
    await this.service.close();
  }

  async #checkService(): Promise<void> {
    const { target } = this.plan;
    const name = this.means.service ?? this.service.target.baseUrl;
    if (name !== target.service) {
      throw new OptionError(
        `The run ${this.active.id} goes to ${target.service}, and this worker is connected to ${name}: name that service.`,
      );
    }
    const refused = await this.service.access(new AbortController().signal);
    if (refused?.kind === 'no-access') throw new AccessError(refused.message);
  }
}

/** Threads for all shards of a run: to make them anew for each would take longer than the shard. */
function poolFor({ inputs }: RunPlan, threads: number): ThreadPool | undefined {
  const bytes = inputs.reduce((sum, { size }) => sum + size, 0);
  return threads === 0 || isSmall(bytes) ? undefined : new ThreadPool(threads);
}
