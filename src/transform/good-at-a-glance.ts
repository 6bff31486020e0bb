import { instantOfLast } from '../mapping/dates/timestamp.js';
import type { ImportedAuthor, ImportedDocument } from '../model/document.js';
import type { Profile } from '../validation/compile-validation.js';

/**
 * Says of a document that a mapping has made whether it certainly is what the profile asks for: a
 * few looks at each value tell that of nearly all documents, in a tenth of the time that the schema
 * takes. `false` says nothing: then the schema is to be asked.
 */
export type Glance = (document: ImportedDocument) => boolean;

export function glanceFor(profile: Profile): Glance {
  return profile === 'minimal' ? isGoodMinimal : isGoodComplete;
}

function isGoodComplete(document: ImportedDocument): boolean {
  const { language, sentiment, published, url, author } = document;
  if (language === undefined || sentiment === undefined || published === undefined) return false;
  if (url === undefined || author?.sourceId === undefined) return false;
  return author.username !== undefined && isGoodMinimal(document);
}

function isGoodMinimal(document: ImportedDocument): boolean {
  const { source, sourceId, text, detectedLocations, metrics, tags } = document;
  return (
    source === 'RVW' &&
    isWord(sourceId) &&
    isWord(text) &&
    hasGoodFacts(document) &&
    detectedLocations?.every(isLocation) === true &&
    metrics?.every(({ name, value }) => isWord(name) && Number.isFinite(value)) === true &&
    // A mapping leaves repeats out.
    tags?.every(isWord) === true &&
    isGoodAuthor(document.author)
  );
}

/** Those that may be lacking. */
function hasGoodFacts(document: ImportedDocument): boolean {
  const { parentSourceId, language, sentiment, published, downloaded, url } = document;
  return (
    (parentSourceId === undefined || isWord(parentSourceId)) &&
    (language === undefined || LANGUAGE.test(language)) &&
    (sentiment === undefined || SENTIMENT.test(sentiment)) &&
    (published === undefined || !Number.isNaN(instantOfLast(published))) &&
    isCaptureTime(downloaded) &&
    (url === undefined || ADDRESS.test(url))
  );
}

function isGoodAuthor(author: ImportedAuthor = {}): boolean {
  const { source, sourceId, username, annotations } = author;
  return (
    source === 'RVW' &&
    (sourceId === undefined || isWord(sourceId)) &&
    (username === undefined || isWord(username)) &&
    annotations?.every(({ name }) => isWord(name)) === true
  );
}

/** The last one that was good: nearly always, it is that of all documents of a run. */
let captured = '2000-01-01T00:00:00.000Z';

function isCaptureTime(downloaded: string | undefined): boolean {
  if (downloaded === captured) return true;
  const isGood = downloaded !== undefined && USUAL_TIME.test(downloaded);
  if (isGood) captured = downloaded;
  return isGood;
}

/** Usual ones: the schema knows more. */
const LANGUAGE = /^[a-z]{2}$/;
const SENTIMENT = /^[BNR]$/;
const USUAL_TIME =
  /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const LOCATION = /^(?:country|state|city): [^\s]/;

function isLocation(location: string): boolean {
  return LOCATION.test(location);
}

/** Whether a text begins with what certainly is no white space: most do, so that one look suffices. */
function isWord(text: string | null | undefined): boolean {
  if (typeof text !== 'string' || text.length === 0) return false;
  const first = text.charCodeAt(0);
  return first > 0x20 && first < 0xfeff && first !== 0xa0 && (first < 0x1680 || first > 0x3000);
}

/** In ASCII, without blanks. */
const ADDRESS = /^https?:\/\/[\w.-][!-~]*$/;
