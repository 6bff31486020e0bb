import { TEXT_FIELDS } from '../mapping/mapping.js';
import type { ImportedDocument } from '../model/document.js';

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

const LISTS = ['detectedLocations', 'tags'] as const;
const AUTHOR_FIELDS = ['source', 'sourceId', 'username'] as const;

/** Counts how many documents have each field, and finds fields that are always the same. */
export class FieldFills {
  readonly #fills = new Map<string, Fill>();
  /** The same counts by part of the document, so that no dotted name is built for each value. */
  readonly #texts = TEXT_FIELDS.map((field) => this.#fillOf(field));
  readonly #lists = LISTS.map((field) => this.#fillOf(field));
  readonly #author = AUTHOR_FIELDS.map((field) => this.#fillOf(`author.${field}`));
  readonly #metrics = new Map<string, Fill>();
  readonly #annotations = new Map<string, Fill>();

  add(document: ImportedDocument): void {
    countEach(this.#texts, document, TEXT_FIELDS);
    for (let at = 0; at < LISTS.length; at += 1) {
      // Whether lists are always the same is not worth the time.
      if (document[LISTS[at] as (typeof LISTS)[number]]?.length)
        (this.#lists[at] as Fill).filled += 1;
    }
    const { metrics = [], author } = document;
    this.#countNamed(this.#metrics, 'metrics', metrics);
    if (author === undefined) return;
    countEach(this.#author, author, AUTHOR_FIELDS);
    this.#countNamed(this.#annotations, 'author.annotations', author.annotations ?? []);
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

  #countNamed(
    fills: Map<string, Fill>,
    of: string,
    all: readonly { readonly name: string; readonly value: string | number }[],
  ): void {
    for (let at = 0; at < all.length; at += 1) {
      const { name, value } = all[at] as (typeof all)[number];
      if (!fills.has(name)) fills.set(name, this.#fillOf(`${of}.${name}`));
      tally(fills.get(name) as Fill, value);
    }
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

function countEach<Field extends string>(
  fills: readonly Fill[],
  of: Readonly<Partial<Record<Field, string | null>>>,
  fields: readonly Field[],
): void {
  for (let at = 0; at < fills.length; at += 1) tally(fills[at] as Fill, of[fields[at] as Field]);
}

function tally(fill: Fill, value: string | number | null | undefined): void {
  if (value === undefined || value === null || value === '') return;
  fill.filled += 1;
  if (fill.filled === 1) {
    fill.first = value;
    fill.constant = cutValue(value);
  } else if (fill.constant !== null && value !== fill.first && fill.constant !== cutValue(value)) {
    fill.constant = null;
  }
}

/** Cuts a value as in reports: values that differ only after that count as the same. */
function cutValue(value: string | number): string {
  return String(value).slice(0, MAX_SHOWN);
}
