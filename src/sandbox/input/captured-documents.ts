import { OptionError } from '../../model/errors.js';
import { DOCUMENT_SOURCES, SENTIMENTS } from '../../service/codes.js';
import type { CapturedDocument } from '../captured.js';
import {
  type Check,
  check,
  filledString,
  listOf,
  object,
  oneOf,
  orNull,
  string,
} from './checks.js';
import { metric, timestamp } from './imported-documents.js';

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

const boolean = check('true or false', (value) => typeof value === 'boolean');
const number = check('a number', Number.isFinite);
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
