/** Finds documents of a sample that repeat an earlier sourceId, as a run does. */
import { reviewFields } from '../mapping/compile/compile-document.js';
import type { Mapping } from '../mapping/mapping.js';
import type { ImportedDocument } from '../model/document.js';

/** A document whose sourceId came before. */
interface Repeat<At> {
  /** Whether its content, or the review where reviews are compared, is the same. */
  readonly isSame: boolean;
  /** Where the first document with the sourceId came from. */
  readonly first: At;
}

export class Repeats<At> {
  readonly #mapping: Mapping;
  readonly #firsts = new Map<string, First<At>>();

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /** Adds a document; returns `undefined` if it is the first with its sourceId. */
  find(document: ImportedDocument, hashedId: boolean, at: At): Repeat<At> | undefined {
    const { sourceId = '' } = document;
    const first = this.#firsts.get(sourceId);
    if (first === undefined) {
      this.#firsts.set(sourceId, { document, hashedId, at });
      return undefined;
    }
    first.content ??= this.#contentOf(first.document, first.hashedId);
    return { isSame: first.content === this.#contentOf(document, hashedId), first: first.at };
  }

  /** Serialises what must be equal for a duplicate. */
  #contentOf(document: ImportedDocument, hashedId: boolean): string {
    if (!hashedId && this.#mapping.duplicates !== 'same-review') return JSON.stringify(document);
    return JSON.stringify(reviewFields(this.#mapping).map((read) => read(document)));
  }
}

interface First<At> {
  readonly document: ImportedDocument;
  readonly hashedId: boolean;
  readonly at: At;
  /** What is compared, serialised; set with the first repeat. */
  content?: string;
}
