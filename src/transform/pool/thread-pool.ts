import type { SurveyedChunk } from '../compile-transform.js';
import type { TransformPlan } from '../transform-record.js';
import type { CrossingChunk } from './messages.js';
import { type ThreadKind, TransformThread } from './transform-thread.js';

/** Threads that all transform by the same plan. Each starts when there is work for it. */
export class ThreadPool {
  readonly #plan: TransformPlan;
  readonly #most: number;
  readonly #kind: ThreadKind | undefined;
  readonly #threads: TransformThread[] = [];

  /** @param most how many threads there may be, at least 1 */
  constructor(plan: TransformPlan, most: number, kind: ThreadKind | undefined) {
    this.#plan = plan;
    this.#most = most;
    this.#kind = kind;
  }

  /** Takes the chunk's bytes with it. Rejects with what the thread throws or dies of. */
  transform(chunk: CrossingChunk): Promise<SurveyedChunk> {
    return this.#freest().transform(chunk);
  }

  /** Ends all threads at once; what they have not given back is rejected with the reason. */
  async stop(reason: unknown): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop(reason)));
  }

  #freest(): TransformThread {
    const [freest] = this.#threads.toSorted((a, b) => a.load - b.load);
    if (freest !== undefined && (freest.load === 0 || this.#threads.length === this.#most)) {
      return freest;
    }
    const thread = new TransformThread(this.#plan, this.#kind);
    this.#threads.push(thread);
    return thread;
  }
}
