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

/**
 * Checks documents that a program puts in, and gives each author a source. Throws
 * {@link OptionError} with each fault.
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
