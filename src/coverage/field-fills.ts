import type { ImportedAuthor, ImportedDocument } from '../document.js';

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
  /** The value, where all that have one have the same (a list as JSON, cut after 200 characters); else `null`. */
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
  // A document's fields are found without putting names together, or looking them up.
  readonly #texts = TEXTS.map((field) => this.#fillOf(field));
  readonly #locations: Fill = this.#fillOf('detectedLocations');
  readonly #tags: Fill = this.#fillOf('tags');
  readonly #metrics = new Map<string, Fill>();
  readonly #authorSource: Fill = this.#fillOf('author.source');
  readonly #authorId: Fill = this.#fillOf('author.sourceId');
  readonly #username: Fill = this.#fillOf('author.username');
  readonly #annotations = new Map<string, Fill>();

  add(document: ImportedDocument): void {
    for (let at = 0; at < TEXTS.length; at += 1) {
      count(this.#texts[at] as Fill, document[TEXTS[at] as (typeof TEXTS)[number]]);
    }
    countList(this.#locations, document.detectedLocations);
    countList(this.#tags, document.tags);
    for (const { name, value } of document.metrics ?? []) {
      count(this.#metrics.get(name) ?? this.#named(this.#metrics, 'metrics', name), value);
    }
    if (document.author !== undefined) this.#addAuthor(document.author);
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
    return [...this.#fills].map(([field, { filled, constant }]) => ({ field, filled, constant }));
  }

  #addAuthor({ source, sourceId, username, annotations = [] }: ImportedAuthor): void {
    count(this.#authorSource, source);
    count(this.#authorId, sourceId);
    count(this.#username, username);
    for (const { name, value } of annotations) {
      const known = this.#annotations.get(name);
      count(known ?? this.#named(this.#annotations, 'author.annotations', name), value);
    }
  }

  #named(fills: Map<string, Fill>, of: string, name: string): Fill {
    const fill = this.#fillOf(`${of}.${name}`);
    fills.set(name, fill);
    return fill;
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

function count(fill: Fill, value: string | number | null | undefined): void {
  if (value === undefined || value === null || value === '') return;
  if (fill.filled === 0) fill.constant = shown(value);
  else if (fill.constant !== null && fill.constant !== shown(value)) fill.constant = null;
  fill.filled += 1;
}

function countList(fill: Fill, list: readonly string[] | undefined): void {
  if (list === undefined || list.length === 0) return;
  const differs = fill.filled > 0 && fill.constant === null;
  count(fill, differs ? 'another' : JSON.stringify(list));
}

/** Values that differ only far behind count as the same: as they are shown, they are. */
function shown(value: string | number): string {
  return String(value).slice(0, MOST_SHOWN);
}
