import type { Metric } from '../model/document.js';
import type { SourceCode } from '../service/codes.js';
import type { Location } from '../service/resources.js';

/**
 * A message as the service would have captured it from a network. Imports can hold reviews only;
 * this is the way to everything else: publications with comments and replies, authors with profiles.
 */
export interface CapturedDocument {
  readonly source: SourceCode;
  /** Not empty. */
  readonly sourceId: string;
  /** The `sourceId` of the message of the same source that this one replies to. */
  readonly parentSourceId?: string | null;
  readonly title?: string | null;
  readonly text: string;
  readonly imageUrl?: string | null;
  readonly url?: string | null;
  readonly language?: string | null;
  readonly sentiment?: 'B' | 'N' | 'R' | null;
  readonly detectedLocations?: readonly string[];
  readonly citedLocations?: readonly Location[];
  /** Degrees. */
  readonly lat?: number | null;
  /** Degrees. */
  readonly lon?: number | null;
  /** ISO 8601. */
  readonly published: string;
  /** ISO 8601. */
  readonly downloaded: string;
  /** `likes`, `comments`, `shares` and `impressions` are what rankings look at. */
  readonly metrics?: readonly Metric[];
  /** Ids of its tags. */
  readonly tags?: readonly string[];
  /** Ids of the users who reviewed it, for the `contributors` filter. */
  readonly reviewers?: readonly number[];
  readonly author: CapturedAuthor;
}

/** An author with a profile. The profile that came last is the one that counts. */
export interface CapturedAuthor {
  /** Default: the document's. */
  readonly source?: SourceCode;
  /** Authors with the same source and sourceId are one. */
  readonly sourceId: string;
  readonly username?: string | null;
  readonly name?: string;
  readonly authorUrl?: string;
  readonly imageUrl?: string;
  readonly isVerified?: boolean;
  readonly personalUrl?: string;
  readonly about?: string;
  readonly declaredLocation?: string | null;
  readonly authorLocations?: readonly Location[];
  /** `followers` is what rankings look at. */
  readonly metrics?: readonly Metric[];
  /** Ids of the tags applied to the author. */
  readonly tags?: readonly string[];
}
