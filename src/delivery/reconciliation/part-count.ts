import type { ShownDocument } from './port.js';
import { minuteOf, type Window } from './window.js';

/** Counts the documents of a window's parts, those of the minutes that parts share only once. */
export class PartCount {
  readonly #atSeams = new Set<number>();
  #documents = 0;

  get documents(): number {
    return this.#documents;
  }

  /** Counts a part. @param shared ids of those of its documents that other parts may show, too */
  add(documents: number, shared: ReadonlySet<number>): void {
    this.#documents += documents;
    for (const id of shared) {
      if (this.#atSeams.has(id)) this.#documents -= 1;
      this.#atSeams.add(id);
    }
  }
}

/** Whether a document of this part may show in the next one, too. */
export function isShared({ published }: ShownDocument, { from, to }: Window): boolean {
  const minute = minuteOf(published);
  return minute === undefined || minute === from || minute === to;
}
