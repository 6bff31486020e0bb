import type { Metric } from '../../model/document.js';
import { OptionError } from '../../model/errors.js';
import { DOCUMENT_SOURCES, SENTIMENTS, type SourceCode } from '../../service/codes.js';
import type { Location } from '../../service/resources.js';
import {
  boolean,
  type Check,
  check,
  filledString,
  listOf,
  number,
  object,
  oneOf,
  orNull,
  string,
} from './checks.js';
import { metric, timestamp } from './imported-documents.js';

/**
 * A message as the service would capture it from a network. Unlike imports, which hold reviews
 * only, it can be a publication, comment or reply, and its author can have a profile.
 */
export interface CapturedDocument {
  readonly source: SourceCode;
  /** Not empty. */
  readonly sourceId: string;
  /** `sourceId` of the message that this one replies to, from the same source. */
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
  /** Rankings use `likes`, `comments`, `shares` and `impressions`. */
  readonly metrics?: readonly Metric[];
  /** Ids of tags. */
  readonly tags?: readonly string[];
  /** Ids of users who reviewed it, for the `contributors` filter. */
  readonly reviewers?: readonly number[];
  readonly author: CapturedAuthor;
}

/** An author with a profile. The latest profile replaces earlier ones. */
export interface CapturedAuthor {
  /** Default: the source of the document. */
  readonly source?: SourceCode;
  /** Identifies the author, together with `source`. */
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
  /** Rankings use `followers`. */
  readonly metrics?: readonly Metric[];
  /** Ids of tags of the author. */
  readonly tags?: readonly string[];
}

/**
 * Checks documents from a program, and fills in the source of each author. Throws {@link
 * OptionError} with all mistakes.
 */
export function checkCaptured(documents: readonly CapturedDocument[]): CapturedDocument[] {
  const faults: string[] = [];
  listOf(document)(documents, 'documents', faults);
  if (faults.length > 0) throw new OptionError(faults.join('\n'));
  return documents.map((each) => ({
    ...each,
    author: { ...each.author, source: each.author.source ?? each.source },
  }));
}

const userId = check(
  'a positive whole number',
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
);

const location = object(
  {
    country: string,
    countryRegion: orNull(string),
    state: orNull(string),
    city: orNull(string),
  },
  ['country'],
);

const author = object(
  {
    source: oneOf(DOCUMENT_SOURCES),
    sourceId: filledString,
    username: orNull(string),
    name: string,
    authorUrl: string,
    imageUrl: string,
    isVerified: boolean,
    personalUrl: string,
    about: string,
    declaredLocation: orNull(string),
    authorLocations: listOf(location),
    metrics: listOf(metric),
    tags: listOf(filledString),
  },
  ['sourceId'],
);

const document: Check = object(
  {
    source: oneOf(DOCUMENT_SOURCES),
    sourceId: filledString,
    parentSourceId: orNull(string),
    title: orNull(string),
    text: string,
    imageUrl: orNull(string),
    url: orNull(string),
    language: orNull(string),
    sentiment: orNull(oneOf(SENTIMENTS)),
    detectedLocations: listOf(string),
    citedLocations: listOf(location),
    lat: orNull(number),
    lon: orNull(number),
    published: timestamp,
    downloaded: timestamp,
    metrics: listOf(metric),
    tags: listOf(filledString),
    reviewers: listOf(userId),
    author,
  },
  ['source', 'sourceId', 'text', 'published', 'downloaded', 'author'],
);
