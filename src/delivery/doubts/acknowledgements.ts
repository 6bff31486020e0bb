import { type Batch, type DocumentRange, sourceIdOf } from '../../model/documents.js';
import { publishedWindow } from '../../model/published-window.js';
import { type Clock, systemClock } from '../pacing/clock.js';
import type { Acknowledged } from '../reconciliation/port.js';

/** So many of the first ones, which have had the most time to show, and of the last ones. */
const FIRST = 20;
const LAST = 300;

/** Documents that the service took: what it takes to see whether reading back shows anything. */
export class Acknowledgements {
  readonly #first: Acknowledged[] = [];
  readonly #last: Acknowledged[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** A batch was accepted just now. */
  note(batch: Batch): void {
    // A document of each batch will do: all of them are taken at once.
    const range = batch.ranges.at(-1);
    if (range !== undefined) this.#add(range, this.#clock.now());
  }

  /** A document that an earlier process saw accepted. */
  add(document: Acknowledged): void {
    if (this.#first.length < FIRST) {
      this.#first.push(document);
      return;
    }
    this.#last.push(document);
    if (this.#last.length > LAST) this.#last.shift();
  }

  list(): readonly Acknowledged[] {
    return [...this.#first, ...this.#last];
  }

  #add({ documents, to }: DocumentRange, acknowledgedMs: number): void {
    const sourceId = sourceIdOf(documents, to - 1);
    if (sourceId === null) return;
    const ranges = [{ documents, from: to - 1, to }];
    const published = publishedWindow({ ranges, count: 1, bytes: 0 })?.from ?? null;
    this.add({ sourceId, published, acknowledgedMs });
  }
}
