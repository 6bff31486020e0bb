import type { ImportedDocument } from '../document.js';

/** The fields that a document may have, but for those with names of the mapping's own. */
const TEXTS = [
  'source',
  'sourceId',
  'parentSourceId',
  'text',
  'language',
  'sentiment',
  'published',
  'downloaded',
  'url',
] as const;

/** How one of the document's fields is filled. */
export interface FieldFill {
  /** Such as `text`, `metrics.score` or `author.annotations.room`. */
  readonly field: string;
  /** Documents that have it. */
  readonly filled: number;
  /** The value, where all that have one have the same (a list as JSON, shortened); else `null`. */
  readonly constant: string | null;
}

interface Fill {
  filled: number;
  /** The first value, as long as no other has come. */
  constant: string | null;
}

/** Longer values are cut in reports. */
const MOST_SHOWN = 200;

/** Counts in how many documents each field has a value, and which fields are always the same. */
export class FieldFills {
  readonly #fills = new Map<string, Fill>();

  constructor() {
    for (const field of [...TEXTS, 'detectedLocations', 'tags']) this.#fillOf(field);
    for (const field of ['author.source', 'author.sourceId', 'author.username']) {
      this.#fillOf(field);
    }
  }

  add(document: ImportedDocument): void {
    for (const field of TEXTS) this.#count(field, document[field]);
    this.#countList('detectedLocations', document.detectedLocations);
    this.#countList('tags', document.tags);
    for (const { name, value } of document.metrics ?? []) {
      this.#count(`metrics.${name}`, value);
    }
    const { author } = document;
    if (author === undefined) return;
    this.#count('author.source', author.source);
    this.#count('author.sourceId', author.sourceId);
    this.#count('author.username', author.username);
    for (const { name, value } of author.annotations ?? []) {
      this.#count(`author.annotations.${name}`, value);
    }
  }

  merge(fills: readonly FieldFill[]): void {
    for (const { field, filled, constant } of fills) {
      if (filled === 0) continue;
      const fill = this.#fillOf(field);
      if (fill.filled === 0) fill.constant = constant;
      else if (fill.constant !== constant) fill.constant = null;
      fill.filled += filled;
    }
  }

  summary(): readonly FieldFill[] {
    return [...this.#fills].map(([field, { filled, constant }]) => ({
      field,
      filled,
      constant: constant === null ? null : constant.slice(0, MOST_SHOWN),
    }));
  }

  #count(field: string, value: unknown): void {
    if (value === undefined || value === null || value === '') return;
    const fill = this.#fillOf(field);
    if (fill.filled === 0) fill.constant = String(value);
    else if (fill.constant !== null && fill.constant !== String(value)) fill.constant = null;
    fill.filled += 1;
  }

  #countList(field: string, list: readonly string[] | undefined): void {
    if (list === undefined || list.length === 0) return;
    const fill = this.#fillOf(field);
    const known = fill.filled > 0 && fill.constant === null;
    this.#count(field, known ? '[]' : JSON.stringify(list));
  }

  #fillOf(field: string): Fill {
    let fill = this.#fills.get(field);
    if (fill === undefined) {
      fill = { filled: 0, constant: null };
      this.#fills.set(field, fill);
    }
    return fill;
  }
}
