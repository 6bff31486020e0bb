import type { RunEvent } from './report.js';

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
