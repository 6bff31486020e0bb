import type {
  AUTHOR_RANKINGS,
  DOC_RANKINGS,
  Language,
  Sentiment,
  SourceCode,
} from '../service/codes.js';

/**
 * What luxon's `DateTime` has, of any version: its own types need not be installed to use these.
 */
export interface DateTimeLike {
  readonly isValid: boolean;
  /** Milliseconds since 1970. */
  toMillis(): number;
}

/**
 * A moment. As text: `yyyy-MM-dd HH:mm`, or ISO 8601 with a whole date. Text without an offset is
 * UTC: the reference names no zone, so that is an assumption. Seconds are cut off where the
 * service knows none.
 */
export type Moment = DateTimeLike | Date | string;

/**
 * What selects documents, by the names of the reference (section "Filters"). All filters combine;
 * one that is left out, or `undefined`, restricts nothing. The reference documents them for 4.0
 * and says that 5.0 uses the same names; that 5.0 takes all of them is an assumption.
 */
export interface Filters {
  /** Ids of the monitorings. */
  readonly monitorings: number | readonly number[];
  /** Published at this minute or later. A date alone means its 00:00. */
  readonly start: Moment;
  /** Published at this minute or earlier. A date alone means its 23:59. */
  readonly end: Moment;
  /** Several networks. Enables none of the rankings that need a `viewSource`. */
  readonly sources?: readonly SourceCode[] | undefined;
  /** One network, and with it its own rankings and indicators. */
  readonly viewSource?: SourceCode | undefined;
  /** Words, phrases and boolean operators that the text must match. */
  readonly query?: string | undefined;
  /** Words that the author's name must hold. */
  readonly authorName?: string | undefined;
  /** Words that the author's description of themselves must hold. */
  readonly authorAbout?: string | undefined;
  readonly sentiments?: readonly Sentiment[] | undefined;
  readonly languages?: readonly Language[] | undefined;
  /** Ids of tags: a document needs one of them. */
  readonly tags?: readonly string[] | undefined;
  /** Ids of tags: a document must have none of them. */
  readonly ignoreTags?: readonly string[] | undefined;
  /** With it, the service ignores `tags` and `ignoreTags`. */
  readonly tagExpression?: string | undefined;
  /** Ids of authors. */
  readonly authors?: readonly (number | string)[] | undefined;
  /** Ids of tags of authors. */
  readonly authorTags?: readonly string[] | undefined;
  /** Authors whose being verified equals this. */
  readonly onlyVerifiedAuthors?: boolean | undefined;
  /** `true`: authors with a personal address; `false`: those without. */
  readonly onlyWithPersonalUrl?: boolean | undefined;
  /** Ids of reviewers: documents that they reviewed. */
  readonly contributors?: readonly (number | string)[] | undefined;
}

/** Where a page starts. */
export interface Offset {
  /** How many to skip, at least 0: those already received (reference, "Pagination"). */
  readonly offset?: number | undefined;
}

/** A ranking of a table, with the values of `viewSource` that allow it. */
type RestrictedRanking<Field extends string, Table extends Record<string, readonly string[]>> = {
  [Ranking in keyof Table]: { readonly [F in Field]: Ranking } & {
    readonly viewSource: Table[Ranking][number];
  };
}[keyof Table];

/**
 * What documents are ordered by. Without `docRanking` the most recent come first. All but
 * `interactions` need a `viewSource` that has them (reference, "POST /documents").
 */
export type DocumentsRanking =
  | { readonly docRanking?: 'interactions' | undefined }
  | RestrictedRanking<'docRanking', typeof DOC_RANKINGS>;

/**
 * What authors are ordered by, each by its sum over their documents, but for `followers`. Without
 * `authorRanking` those with most publications come first. All need a `viewSource` that has them
 * (reference, "POST /authors").
 */
export type AuthorsRanking =
  | { readonly authorRanking?: undefined }
  | RestrictedRanking<'authorRanking', typeof AUTHOR_RANKINGS>;

/** What to ask documents for. */
export type DocumentsQuery = Filters & DocumentsRanking & Offset;

/** What to ask authors for. */
export type AuthorsQuery = Filters & AuthorsRanking & Offset;

/** What the feed holds. The service ignores `start` and `end` (reference, "POST /documents/feed"). */
export type FeedQuery = Omit<Filters, 'start' | 'end'> & Partial<Pick<Filters, 'start' | 'end'>>;

/** What a chart shows: filters, and any further parameters, which the reference does not show. */
export type ChartQuery = Filters | (Filters & Record<string, unknown>);
