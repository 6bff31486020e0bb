/** The one file that the studio writes. */
import { createHash } from 'node:crypto';
import { MappingError, OptionError } from '../model/errors.js';
import { readSmallText } from '../model/small-file.js';
import { refuseLink } from '../outputs/check-output.js';
import { modeOf, OutputError, writeOutput } from '../outputs/output-file.js';
import { StudioError } from './requests.js';

/** The mapping file on disk. */
export interface SavedMapping {
  readonly text: string;
  /** Hash of the text, quoted for HTTP headers. */
  readonly etag: string;
}

/**
 * Reads the mapping file; `null` if it doesn't exist.
 * @throws MappingError if it can't be read
 */
export function readSaved(file: string): SavedMapping | null {
  let missing = false;
  try {
    const text = readSmallText(file, (reason, isMissing) => {
      missing = isMissing;
      return new MappingError(`The mapping file ${file} ${reason}.`);
    });
    return { text, etag: etagOf(text) };
  } catch (error) {
    if (missing) return null;
    throw error;
  }
}

/** Preconditions of a save: the file as the page last saw it. */
export interface KnownMapping {
  /** `If-Match`: etag of the text to replace. */
  readonly match: string | undefined;
  /** `If-None-Match: *`: the file must not exist yet. */
  readonly isNew: boolean;
}

/**
 * Writes the mapping atomically, and only if the file still is as the page last saw it. Synchronous, as
 * another save could replace the file between the check and the write.
 * @throws StudioError with the file's current text if it isn't
 */
export function save(file: string, text: string, { match, isNew }: KnownMapping): SavedMapping {
  if (match === undefined && !isNew) {
    throw new StudioError(428, 'Saving needs If-Match, or If-None-Match: * for a new file.');
  }
  const saved = readSaved(file);
  const isKnown = isNew ? saved === null : saved?.etag === match;
  if (!isKnown) throw conflict(file, saved);
  try {
    refuseLink({ path: file, what: 'mapping' });
    writeOutput(file, text, { mode: modeOf(file), keepsExisting: isNew });
  } catch (error) {
    if (!(error instanceof OutputError || error instanceof OptionError)) throw error;
    throw new StudioError(409, error.message);
  }
  return { text, etag: etagOf(text) };
}

function conflict(file: string, saved: SavedMapping | null): StudioError {
  const message =
    saved === null
      ? `${file} is no longer there. Save again to create it.`
      : `${file} has changed on the disk since this page read it. Nothing was saved. Compare the two versions, then choose one.`;
  return new StudioError(412, message, { saved });
}

function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}
