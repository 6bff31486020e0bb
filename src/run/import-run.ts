import type { Report } from '../report/report.js';
import { EventHub, type Progress, type RunEvent } from './run-events.js';

/** What the corridor does with a run's hub: it tells how to ask for progress, and gives the report. */
export type RunBody = (hub: EventHub, watch: (progress: () => Progress) => void) => Promise<Report>;

/**
 * A run under way. `await` it for the report; loop over it with `for await` for events as they
 * happen (start the loop at once: what nobody listens to is not kept). Leaving the loop doesn't
 * end the run; aborting the `signal` of the options does.
 */
export class ImportRun implements PromiseLike<Report>, AsyncIterable<RunEvent> {
  readonly #hub = new EventHub();
  readonly #report: Promise<Report>;
  #progress: (() => Progress) | undefined;

  /** Made by `importDocuments` and `validateDocuments`. */
  constructor(body: RunBody) {
    this.#report = this.#start(body);
  }

  /** How far the run is now; `undefined` until its inputs are open. */
  progress(): Progress | undefined {
    return this.#progress?.();
  }

  // biome-ignore lint/suspicious/noThenProperty: the contract makes a run awaitable.
  then<A = Report, B = never>(
    fulfilled?: ((report: Report) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#report.then(fulfilled, rejected);
  }

  [Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    // The loop throws what ends the run, so it doesn't need to be caught a second time.
    this.#report.catch(() => {});
    return this.#hub.listen();
  }

  async #start(body: RunBody): Promise<Report> {
    // Whoever loops gets to listen before the first event.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const report = await body(this.#hub, (progress) => {
        this.#progress = progress;
      });
      this.#hub.end();
      return report;
    } catch (error) {
      this.#hub.end(error);
      throw error;
    }
  }
}
