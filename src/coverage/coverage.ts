import type { FieldCoverage } from './field-fills.js';
import { type NumberFigures, NumberSpread } from './number-spread.js';
import type { SurveySummary } from './survey.js';
import { type Period, TimeSpread } from './time-spread.js';
import { type Counted, sortedCounts } from './value-counts.js';

/** Share of an export that the mapping uses, and statistics of its documents. */
export interface Coverage {
  /** Number of valid documents, duplicates included; all figures below are about them. */
  readonly documents: number;
  /** All columns of the sources; for objects, the paths in the first objects of each chunk. */
  readonly columns: readonly ColumnCoverage[];
  /** All fields that a document may have. */
  readonly fields: readonly FieldCoverage[];
  /** By name of the metric. */
  readonly metrics: Readonly<Record<string, NumberFigures>>;
  /** Length of the texts in characters; `null` without texts. */
  readonly textLength: NumberFigures | null;
  /** `null` if no document has a date. */
  readonly published: PublishedCoverage | null;
  /** At most 240 periods in order, without empty ones; absent in reports of earlier versions. */
  readonly overTime?: readonly Period[];
  readonly languages: readonly Counted[];
  readonly sentiments: readonly Counted[];
  /** Absent in reports of earlier versions, like `locations`. */
  readonly tags?: readonly Counted[];
  readonly locations?: readonly Counted[];
  /** Records with the sourceId of an earlier one. */
  readonly repeats: {
    /** With the same content: duplicates. */
    readonly same: number;
    /** With other content: invalid. */
    readonly other: number;
  };
}

export interface ColumnCoverage {
  readonly name: string;
  readonly used: boolean;
  /** Document fields made from it; empty if it only decides which records are skipped. */
  readonly fields: readonly string[];
  /** Number of records in which it was counted. */
  readonly records: number;
  readonly filled: number;
}

export interface PublishedCoverage {
  readonly first: string;
  readonly last: string;
  /** Number of dates after the start of the run; absent in reports of earlier versions. */
  readonly inFuture?: number;
  /** In ascending order. */
  readonly years: readonly Counted[];
}

export interface CoverageFacts {
  /** Columns that the mapping uses, with the fields made from each. */
  readonly usedColumns: ReadonlyMap<string, readonly string[]>;
  readonly repeats: Coverage['repeats'];
}

/** Converts a survey to the report's figures. */
export function coverageOf(
  summary: SurveySummary,
  { usedColumns, repeats }: CoverageFacts,
): Coverage {
  const { documents, columns, fields, metrics } = summary;
  return {
    documents,
    columns: columns.filled.map(([name, filled]) => {
      const uses = [...usedColumns].filter(([column]) => refersTo(column, name));
      const fields = [...new Set(uses.flatMap(([, made]) => made))];
      return { name, used: uses.length > 0, fields, records: columns.records, filled };
    }),
    fields: fields.map((fill) => (fill.filled > 1 ? fill : { ...fill, constant: null })),
    metrics: Object.fromEntries(
      metrics.flatMap(([name, numbers]) => {
        const figures = figuresOf(numbers);
        return figures === null ? [] : [[name, figures]];
      }),
    ),
    textLength: figuresOf(summary.textLength),
    ...datesOf(summary),
    languages: sortedCounts(summary.languages),
    sentiments: sortedCounts(summary.sentiments),
    tags: sortedCounts(summary.tags),
    locations: sortedCounts(summary.locations),
    repeats,
  };
}

/**
 * Returns whether a column named in a mapping refers to a path: the path itself, an object around
 * it, or an element of a list in it.
 */
export function refersTo(column: string, path: string): boolean {
  return column === path || isInside(column, path) || isInside(path, column);
}

function isInside(path: string, outer: string): boolean {
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

export function figuresOf(summary: SurveySummary['textLength']): NumberFigures | null {
  const spread = new NumberSpread();
  spread.merge(summary);
  return spread.figures();
}

function datesOf({ published }: SurveySummary): Pick<Coverage, 'published' | 'overTime'> {
  const { first, last, inFuture } = published;
  const spread = TimeSpread.of(published);
  const dates = first === '' ? null : { first, last, inFuture, years: spread.years() };
  return { published: dates, overTime: spread.periods() };
}
