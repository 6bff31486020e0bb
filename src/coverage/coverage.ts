import { type NumberFigures, NumberSpread } from './number-spread.js';
import type { SurveySummary } from './survey.js';
import { type Counted, monthsOf, ValueCounts } from './value-counts.js';

/** How much of an export the mapping uses, and what the documents look like as a whole. */
export interface Coverage {
  /** Valid documents, those that repeat an earlier one included: all below is about them. */
  readonly documents: number;
  /** Every column of the sources; of objects, the paths found in the first ones of each chunk. */
  readonly columns: readonly ColumnCoverage[];
  /** Every field that a document may have. */
  readonly fields: readonly FieldCoverage[];
  /** By the metric's name: its numbers. */
  readonly metrics: Readonly<Record<string, NumberFigures>>;
  /** Characters of the texts; `null` if there are none. */
  readonly textLength: NumberFigures | null;
  /** `null` if no document says when it was published. */
  readonly published: PublishedCoverage | null;
  /** The most frequent first. */
  readonly languages: readonly Counted[];
  readonly sentiments: readonly Counted[];
  /** Records whose sourceId had come before. */
  readonly repeats: {
    /** With the same content: they are duplicates. */
    readonly same: number;
    /** With other content: they are invalid. */
    readonly other: number;
  };
  /** What an import of the documents that repeat no other would take. */
  readonly requests: RequestFigures;
}

/** A column, and how it is filled. */
export interface ColumnCoverage {
  readonly name: string;
  /** Whether the mapping names it. */
  readonly used: boolean;
  /** Fields of the document that are made of it; none if it only decides what is skipped. */
  readonly fields: readonly string[];
  /** Records in which it was looked at. */
  readonly records: number;
  /** How many of them have a value in it. */
  readonly filled: number;
}

/** A field of the document, and how it is filled. */
export interface FieldCoverage {
  readonly field: string;
  readonly filled: number;
  /** The value, if two or more documents have one and it is always the same; else `null`. */
  readonly constant: string | null;
}

/** When the documents were published. */
export interface PublishedCoverage {
  readonly first: string;
  readonly last: string;
  /** Dates later than the start of the run. */
  readonly ahead: number;
  /** In the order of the years. */
  readonly years: readonly Counted[];
  /** In order; empty if there are more than 600, or none. */
  readonly months: readonly Counted[];
}

/** How an import would be sent. */
export interface RequestFigures {
  readonly count: number;
  /** All requests' bodies together. */
  readonly bytes: number;
  /** The largest body. */
  readonly largest: number;
}

/** What a survey alone does not know. */
export interface CoverageFacts {
  /** The columns that the mapping names, with the fields that it makes of each. */
  readonly usedColumns: ReadonlyMap<string, readonly string[]>;
  readonly repeats: Coverage['repeats'];
  readonly requests: RequestFigures;
}

/** A survey as the report shows it. */
export function coverageOf(
  summary: SurveySummary,
  { usedColumns, repeats, requests }: CoverageFacts,
): Coverage {
  const { documents, columns, fields, metrics } = summary;
  return {
    documents,
    columns: columns.filled.map(([name, filled]) => ({
      name,
      ...useOf(name, usedColumns),
      records: columns.records,
      filled,
    })),
    fields: fields.map(({ field, filled, constant }) => ({
      field,
      filled,
      constant: filled > 1 ? constant : null,
    })),
    metrics: Object.fromEntries(
      metrics.flatMap(([name, numbers]) => {
        const figures = figuresOf(numbers);
        return figures === null ? [] : [[name, figures]];
      }),
    ),
    textLength: figuresOf(summary.textLength),
    published: publishedOf(summary),
    languages: countedOf(summary.languages),
    sentiments: countedOf(summary.sentiments),
    repeats,
    requests,
  };
}

function useOf(
  name: string,
  usedColumns: CoverageFacts['usedColumns'],
): Pick<ColumnCoverage, 'used' | 'fields'> {
  const uses = [...usedColumns].filter(([column]) => names(column, name));
  return { used: uses.length > 0, fields: [...new Set(uses.flatMap(([, fields]) => fields))] };
}

/** A mapping may name a column, the map that it stands in, or an element of the list that it is. */
export function names(column: string, path: string): boolean {
  return column === path || isInside(column, path) || isInside(path, column);
}

function isInside(path: string, outer: string): boolean {
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** The figures of a summary. */
export function figuresOf(summary: SurveySummary['textLength']): NumberFigures | null {
  const spread = new NumberSpread();
  spread.merge(summary);
  return spread.figures();
}

function countedOf(summary: SurveySummary['languages']): readonly Counted[] {
  const counts = new ValueCounts();
  counts.merge(summary);
  return counts.counted();
}

function publishedOf({ published }: SurveySummary): PublishedCoverage | null {
  const { first, last, ahead, dates } = published;
  if (first === '') return null;
  const byYear = countedOf(dates.years).toSorted((a, b) => (a.value < b.value ? -1 : 1));
  return { first, last, ahead, years: byYear, months: monthsOf(dates) };
}
