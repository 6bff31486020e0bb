/**
 * The imported document: the shape that `POST /monitorings/{id}/documents` takes (REST API 5.0).
 * Which fields the service requires is not shown; `docs/assumptions.md` says what is assumed.
 */

/** A number with a name. Known document metrics: `likes`, `comments`, `shares`, `score` (reviews). */
export interface Metric {
  readonly name: string;
  readonly value: number;
}

/** A free note about an author. */
export interface Annotation {
  readonly name: string;
  readonly value: string;
}

/** Who wrote the review. */
export interface ImportedAuthor {
  /** Network code; `RVW` for imported reviews. */
  readonly source?: string;
  /** Identifier on the site the review comes from. */
  readonly sourceId?: string;
  readonly username?: string;
  readonly annotations?: readonly Annotation[];
}

/** One document as it is sent. Every field may be absent here: the schema decides what is missing. */
export interface ImportedDocument {
  /** `RVW` for imported documents. */
  readonly source?: string;
  /** Identifier on the site the review comes from. */
  readonly sourceId?: string;
  /** The `sourceId` of the document that this one replies to; `null` or absent if it is no reply. */
  readonly parentSourceId?: string | null;
  readonly text?: string;
  /** Language code, such as `es`. */
  readonly language?: string;
  /** `B` good, `N` neutral, `R` bad. */
  readonly sentiment?: string;
  /** Entries such as `country: España`. */
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
