import { IMPORTED_SOURCE, type ShownDocument } from './service-pages.js';

const NOT_SHOWN = -1;

/**
 * Records which of the wanted documents were shown. sourceIds must match exactly, including case
 * and Unicode form. Holds the sourceIds, and for each the platform's id of the first document
 * shown.
 */
export class Sightings {
  readonly #shown = new Map<string, number>();
  readonly #twice = new Set<string>();

  want(sourceId: string): void {
    if (!this.#shown.has(sourceId)) this.#shown.set(sourceId, NOT_SHOWN);
  }

  /** Wanted sourceIds, in the order in which they were added. */
  get wanted(): readonly string[] {
    return [...this.#shown.keys()];
  }

  /** Records a shown document; the same one may come several times. */
  add({ id, source, sourceId }: ShownDocument): void {
    const shown = this.#shown.get(sourceId);
    if (source !== IMPORTED_SOURCE || shown === undefined) return;
    if (shown === NOT_SHOWN) this.#shown.set(sourceId, id);
    else if (shown !== id) this.#twice.add(sourceId);
  }

  /**
   * Forgets what was shown: a document that was replaced between two readings isn't there twice.
   */
  forget(): void {
    for (const sourceId of this.#shown.keys()) this.#shown.set(sourceId, NOT_SHOWN);
    this.#twice.clear();
  }

  shows(sourceId: string): boolean {
    return (this.#shown.get(sourceId) ?? NOT_SHOWN) !== NOT_SHOWN;
  }

  showsTwice(sourceId: string): boolean {
    return this.#twice.has(sourceId);
  }
}
