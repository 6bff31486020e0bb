import { TEXT_FIELDS } from '../mapping/mapping.js';
import type { ImportedAuthor, ImportedDocument } from '../model/document.js';

/** Number of documents that have a field. */
export interface FieldCoverage {
  /** For example `text`, `metrics.score` or `author.annotations.room`. */
  readonly field: string;
  readonly filled: number;
  /**
   * The value (cut after 200 characters), if all documents with one have the same; else `null`, as
   * for lists. In a report at least two documents have it.
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

const AUTHOR_FIELDS = ['author.source', 'author.sourceId', 'author.username'] as const;
const FIELDS = [...TEXT_FIELDS, 'detectedLocations', 'tags', ...AUTHOR_FIELDS] as const;

/** Counts how many documents have each field, and finds fields that are always the same. */
export class FieldFills {
  readonly #fills = new Map<string, Fill>();
  /** The same, by constant names, which take no lookup. */
  readonly #known = Object.fromEntries(
    FIELDS.map((field) => [field, this.#fillOf(field)]),
  ) as Readonly<Record<(typeof FIELDS)[number], Fill>>;
  readonly #metrics = new Map<string, Fill>();
  readonly #annotations = new Map<string, Fill>();

  add(document: ImportedDocument): void {
    const known = this.#known;
    count(known.source, document.source);
    count(known.sourceId, document.sourceId);
    count(known.parentSourceId, document.parentSourceId);
    count(known.text, document.text);
    count(known.language, document.language);
    count(known.sentiment, document.sentiment);
    count(known.published, document.published);
    count(known.downloaded, document.downloaded);
    count(known.url, document.url);
    countList(known.detectedLocations, document.detectedLocations);
    countList(known.tags, document.tags);
    const { metrics = [] } = document;
    for (let at = 0; at < metrics.length; at += 1) {
      const { name, value } = metrics[at] as (typeof metrics)[number];
      count(this.#metrics.get(name) ?? this.#named(this.#metrics, 'metrics', name), value);
    }
    if (document.author !== undefined) this.#addAuthor(document.author);
  }

  merge(fills: readonly FieldCoverage[]): void {
    for (const { field, filled, constant } of fills) {
      if (filled === 0) continue;
      const fill = this.#fillOf(field);
      if (fill.filled === 0) fill.constant = constant;
      else if (fill.constant !== constant) fill.constant = null;
      fill.filled += filled;
    }
  }

  summary(): readonly FieldCoverage[] {
    return [...this.#fills].map(([field, { filled, constant }]) => ({ field, filled, constant }));
  }

  #addAuthor({ source, sourceId, username, annotations = [] }: ImportedAuthor): void {
    count(this.#known['author.source'], source);
    count(this.#known['author.sourceId'], sourceId);
    count(this.#known['author.username'], username);
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

/** Counts a list; whether lists are always the same is not worth the time. */
function countList(fill: Fill, list: readonly string[] = []): void {
  if (list.length > 0) fill.filled += 1;
}

/** Cuts a value as in reports: values that differ only after that count as the same. */
function shown(value: string | number): string {
  return String(value).slice(0, MAX_SHOWN);
}
