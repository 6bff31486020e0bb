/**
 * The imported document, as `POST /monitorings/{id}/documents` takes it (REST API 5.0). The
 * reference doesn't say which fields are required; `docs/assumptions.md` states what is assumed.
 */

/** A named number. Known document metrics: `likes`, `comments`, `shares`, `score` (reviews). */
export interface Metric {
  readonly name: string;
  readonly value: number;
}

export interface Annotation {
  readonly name: string;
  readonly value: string;
}

export interface ImportedAuthor {
  /** Network code; `RVW` for imported reviews. */
  readonly source?: string;
  /** Identifier on the site the review comes from. */
  readonly sourceId?: string;
  readonly username?: string;
  readonly annotations?: readonly Annotation[];
}

/**
 * One document as it is sent. Every field is optional here; the schema decides which are required.
 */
export interface ImportedDocument {
  /** `RVW` for imported documents. */
  readonly source?: string;
  /** Identifier on the site the review comes from. */
  readonly sourceId?: string;
  /**
   * The `sourceId` of the document that this one replies to; `null` or absent if it isn't a reply.
   */
  readonly parentSourceId?: string | null;
  readonly text?: string;
  /** Language code, for example `es`. */
  readonly language?: string;
  /** `B` good, `N` neutral, `R` bad. */
  readonly sentiment?: string;
  /** For example `country: España`. */
  readonly detectedLocations?: readonly string[];
  /** ISO 8601 timestamp in UTC. */
  readonly published?: string;
  /** ISO 8601 timestamp in UTC: the capture time. */
  readonly downloaded?: string;
  readonly url?: string;
  readonly metrics?: readonly Metric[];
  readonly tags?: readonly string[];
  readonly author?: ImportedAuthor;
}
