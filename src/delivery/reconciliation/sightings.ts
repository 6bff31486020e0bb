import type { ShownDocument } from './port.js';

/** Which of the documents that are looked for showed in one look; all others are forgotten at once. */
export class Sightings {
  readonly #source: string;
  readonly #wanted: ReadonlySet<string>;
  readonly #shown = new Map<string, Set<number>>();

  /** @param wanted sourceIds; they count as they are, in case and in Unicode form */
  constructor(source: string, wanted: ReadonlySet<string>) {
    this.#source = source;
    this.#wanted = wanted;
  }

  /** Takes a document in; the same one may come several times. */
  see = ({ id, source, sourceId }: ShownDocument): void => {
    if (source !== this.#source || !this.#wanted.has(sourceId)) return;
    const shown = this.#shown.get(sourceId);
    if (shown === undefined) this.#shown.set(sourceId, new Set([id]));
    else shown.add(id);
  };

  /** As how many documents a sourceId showed. */
  times(sourceId: string): number {
    return this.#shown.get(sourceId)?.size ?? 0;
  }
}
