import type { Report } from '../report/report.js';
import { EventHub, type Progress, type RunEvent } from './run-events.js';

/** What can be asked of a run whose inputs are open. */
export interface RunView {
  /** What a person should know, such as a guessed encoding. */
  readonly notices: readonly string[];
  readonly progress: () => Progress;
}

/** What happens in a run: it shows itself once its inputs are open, and gives its report. */
export type RunBody = (hub: EventHub, show: (view: RunView) => void) => Promise<Report>;

/**
 * A run under way. `await` it for the report; loop over it with `for await` for events as they
 * happen (start the loop at once: what nobody listens to is not kept). Leaving the loop doesn't
 * end the run; aborting the `signal` of the options does.
 */
export class ImportRun implements PromiseLike<Report>, AsyncIterable<RunEvent> {
  readonly #hub = new EventHub();
  readonly #report: Promise<Report>;
  #view: RunView | undefined;

  /** Made by `importDocuments` and `validateDocuments`. */
  constructor(body: RunBody) {
    this.#report = this.#start(body);
  }

  /** How far the run is now; `undefined` until its inputs are open. */
  progress(): Progress | undefined {
    return this.#view?.progress();
  }

  /** What a person should know before the run is over; `undefined` until its inputs are open. */
  notices(): readonly string[] | undefined {
    return this.#view?.notices;
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
      const report = await body(this.#hub, (view) => {
        this.#view = view;
      });
      this.#hub.end();
      return report;
    } catch (error) {
      this.#hub.end(error);
      throw error;
    }
  }
}
