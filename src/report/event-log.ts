import type { EventSink } from '../outcomes/events.js';
import { LogFile } from '../outputs/log-file.js';
import { OutputError } from '../outputs/output-file.js';
import type { RunEvent } from './report.js';

/** A file of events, one a line, that runs add to. */
export class EventLog implements EventSink {
  readonly #file: LogFile;
  readonly #onFailure: (error: OutputError) => void;
  #failed = false;

  /**
   * @param onFailure told once if the file can't be written: nothing is from then on
   * @throws OutputError if it can't be opened
   */
  constructor(path: string, onFailure: (error: OutputError) => void) {
    this.#file = new LogFile(path, EVENT_BEGINNING);
    this.#onFailure = onFailure;
  }

  write(event: RunEvent): void {
    // What follows a gap would mislead.
    if (!this.#failed) this.#attempt(() => this.#file.add(JSON.stringify(event)));
  }

  close(): void {
    this.#attempt(() => this.#file.close());
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      if (!this.#failed) this.#onFailure(error);
      this.#failed = true;
    }
  }
}

/** How each line begins, which tells a file of events from another one. */
export const EVENT_BEGINNING = '{"type":"';
