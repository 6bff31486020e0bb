import type { EventSink } from '../outcomes/events.js';
import { LogFile } from '../outputs/log-file.js';
import { OutputError } from '../outputs/output-file.js';
import type { RunEvent } from './report.js';

/** A file of events, one a line, that runs add to. */
export class EventLog implements EventSink {
  readonly #file: LogFile;
  readonly #lines: EventLines;
  readonly #onFailure: (error: OutputError) => void;
  #failed = false;

  /**
   * @param onFailure told once if the file can't be written: nothing is from then on
   * @param run its id, where no event tells it
   * @throws OutputError if it can't be opened
   */
  constructor(path: string, onFailure: (error: OutputError) => void, run?: string) {
    this.#file = new LogFile(path, EVENT_BEGINNING);
    this.#lines = new EventLines(run);
    this.#onFailure = onFailure;
  }

  write(event: RunEvent): void {
    // What follows a gap would mislead.
    if (!this.#failed) this.#attempt(() => this.#file.add(this.#lines.lineOf(event)));
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

/** Makes a run's events lines of JSON, as `schemas/event.schema.json` describes them. */
export class EventLines {
  #run: string | null;

  /** @param run its id, where no event tells it */
  constructor(run: string | null = null) {
    this.#run = run;
  }

  /** @param event those of one run, in order */
  lineOf(event: RunEvent): string {
    if (event.type === 'start') this.#run = event.run;
    if (event.type === 'end') this.#run = event.report.run;
    const { type, ...rest } = event;
    return JSON.stringify({ type, time: new Date().toISOString(), run: this.#run, ...rest });
  }
}
