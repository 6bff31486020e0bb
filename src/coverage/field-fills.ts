import type { ImportedAuthor, ImportedDocument } from '../model/document.js';

export interface FieldFill {
  /** For example `text`, `metrics.score` or `author.annotations.room`. */
  readonly field: string;
  readonly filled: number;
  /**
   * The value, if all documents with one have the same (a list as JSON, cut after 200 characters);
   * else `null`.
   */
  readonly constant: string | null;
}

interface Fill {
  filled: number;
  /** The first value as text, until another value comes. */
  constant: string | null;
  /** The first value, for a cheap comparison before it is converted to text. */
  first: unknown;
}

const MAX_SHOWN = 200;

/** Counts how many documents have each field, and finds fields that are always the same. */
export class FieldFills {
  readonly #fills = new Map<string, Fill>();
  // Separate members, so that a document's fields need no names or lookups.
  readonly #source: Fill = this.#fillOf('source');
  readonly #sourceId: Fill = this.#fillOf('sourceId');
  readonly #parent: Fill = this.#fillOf('parentSourceId');
  readonly #text: Fill = this.#fillOf('text');
  readonly #language: Fill = this.#fillOf('language');
  readonly #sentiment: Fill = this.#fillOf('sentiment');
  readonly #published: Fill = this.#fillOf('published');
  readonly #downloaded: Fill = this.#fillOf('downloaded');
  readonly #url: Fill = this.#fillOf('url');
  readonly #locations: Fill = this.#fillOf('detectedLocations');
  readonly #tags: Fill = this.#fillOf('tags');
  readonly #metrics = new Map<string, Fill>();
  readonly #authorSource: Fill = this.#fillOf('author.source');
  readonly #authorId: Fill = this.#fillOf('author.sourceId');
  readonly #username: Fill = this.#fillOf('author.username');
  readonly #annotations = new Map<string, Fill>();

  add(document: ImportedDocument): void {
    count(this.#source, document.source);
    count(this.#sourceId, document.sourceId);
    count(this.#parent, document.parentSourceId);
    count(this.#text, document.text);
    count(this.#language, document.language);
    count(this.#sentiment, document.sentiment);
    count(this.#published, document.published);
    count(this.#downloaded, document.downloaded);
    count(this.#url, document.url);
    countList(this.#locations, document.detectedLocations);
    countList(this.#tags, document.tags);
    const { metrics = [] } = document;
    for (let at = 0; at < metrics.length; at += 1) {
      const { name, value } = metrics[at] as (typeof metrics)[number];
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
    for (let at = 0; at < annotations.length; at += 1) {
      const { name, value } = annotations[at] as (typeof annotations)[number];
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
      fill = { filled: 0, constant: null, first: undefined };
      this.#fills.set(field, fill);
    }
    return fill;
  }
}

function count(fill: Fill, value: string | number | null | undefined): void {
  if (value === undefined || value === null || value === '') return;
  fill.filled += 1;
  if (fill.filled === 1) {
    fill.first = value;
    fill.constant = shown(value);
  } else if (fill.constant !== null && value !== fill.first && fill.constant !== shown(value)) {
    fill.constant = null;
  }
}

function countList(fill: Fill, list: readonly string[] | undefined): void {
  if (list === undefined || list.length === 0) return;
  fill.filled += 1;
  if (fill.filled === 1) {
    fill.first = list;
    fill.constant = shown(JSON.stringify(list));
  } else if (fill.constant !== null && !isSameList(list, fill.first as readonly string[])) {
    fill.constant = null;
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

/** Cuts a value as in reports: values that differ only after that count as the same. */
function shown(value: string | number): string {
  return String(value).slice(0, MAX_SHOWN);
}
