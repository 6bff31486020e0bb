import type {
  AUTHOR_RANKINGS,
  DOC_RANKINGS,
  Language,
  Sentiment,
  SourceCode,
} from '../service/codes.js';

/** The part of luxon's `DateTime` that is used, so that luxon's own types need not be installed. */
export interface DateTimeLike {
  readonly isValid: boolean;
  /** Milliseconds since 1970. */
  toMillis(): number;
}

/**
 * A point in time. As text: `yyyy-MM-dd HH:mm`, or ISO 8601 with a whole date. Text without an
 * offset is taken as UTC, an assumption, since the reference names no zone. Seconds are cut off
 * where the service doesn't take them.
 */
export type Moment = DateTimeLike | Date | string;

/**
 * Filters for documents, named as in the reference (section "Filters"). They combine with AND; a
 * filter that is left out or `undefined` restricts nothing. The reference documents them for 4.0
 * and says that 5.0 uses the same names; that 5.0 takes all of them is an assumption.
 */
export interface Filters {
  readonly monitorings: number | readonly number[];
  /** Published at this minute or later. A date alone means its 00:00. */
  readonly start: Moment;
  /** Published at this minute or earlier. A date alone means its 23:59. */
  readonly end: Moment;
  /** Source codes of several networks. Doesn't enable rankings that need a `viewSource`. */
  readonly sources?: readonly SourceCode[] | undefined;
  /** Source code of one network; enables its rankings and indicators. */
  readonly viewSource?: SourceCode | undefined;
  /** Words, phrases and boolean operators that the text must match. */
  readonly query?: string | undefined;
  /** Words in the author's name. */
  readonly authorName?: string | undefined;
  /** Words in the author's self-description. */
  readonly authorAbout?: string | undefined;
  readonly sentiments?: readonly Sentiment[] | undefined;
  readonly languages?: readonly Language[] | undefined;
  /** Ids of tags; a document must have at least one of them. */
  readonly tags?: readonly string[] | undefined;
  /** Ids of tags; a document must have none of them. */
  readonly ignoreTags?: readonly string[] | undefined;
  /** Expression over tags; with it, the service ignores `tags` and `ignoreTags`. */
  readonly tagExpression?: string | undefined;
  readonly authors?: readonly (number | string)[] | undefined;
  readonly authorTags?: readonly string[] | undefined;
  /** `true`: verified authors; `false`: others. */
  readonly onlyVerifiedAuthors?: boolean | undefined;
  /** `true`: authors with a personal URL; `false`: those without. */
  readonly onlyWithPersonalUrl?: boolean | undefined;
  /** Ids of reviewers; selects documents that they reviewed. */
  readonly contributors?: readonly (number | string)[] | undefined;
}

/** Start of a page. */
export interface Offset {
  /** Number of items to skip, at least 0 (reference, "Pagination"). */
  readonly offset?: number | undefined;
}

/** A ranking, with the values of `viewSource` that allow it. */
type RestrictedRanking<Field extends string, Table extends Record<string, readonly string[]>> = {
  [Ranking in keyof Table]: { readonly [F in Field]: Ranking } & {
    readonly viewSource: Table[Ranking][number];
  };
}[keyof Table];

/**
 * Order of documents; default: most recent first. All rankings but `interactions` need a
 * `viewSource` that has them (reference, "POST /documents").
 */
export type DocumentsRanking =
  | { readonly docRanking?: 'interactions' | undefined }
  | RestrictedRanking<'docRanking', typeof DOC_RANKINGS>;

/**
 * Order of authors: by a sum over their documents, or by `followers`; default: most publications
 * first. All rankings need a `viewSource` that has them (reference, "POST /authors").
 */
export type AuthorsRanking =
  | { readonly authorRanking?: undefined }
  | RestrictedRanking<'authorRanking', typeof AUTHOR_RANKINGS>;

/** Query for documents. */
export type DocumentsQuery = Filters & DocumentsRanking & Offset;

/** Query for authors. */
export type AuthorsQuery = Filters & AuthorsRanking & Offset;

/**
 * Query for the feed. The service ignores `start` and `end` (reference, "POST /documents/feed").
 */
export type FeedQuery = Omit<Filters, 'start' | 'end'> & Partial<Pick<Filters, 'start' | 'end'>>;

/** Query for a chart: filters, and any other parameters, which the reference doesn't document. */
export type ChartQuery = Filters | (Filters & Record<string, unknown>);
