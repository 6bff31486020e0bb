/** The one file that the studio writes. */
import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { MappingError } from '../model/errors.js';
import { readSmallText } from '../model/small-file.js';
import { modeOf, OutputError, placeOf, writeOutput } from '../outputs/output-file.js';
import { StudioRefusal } from './requests.js';

/** A mapping as it lies on the disk. */
export interface SavedMapping {
  readonly text: string;
  /** Changes with the text. */
  readonly etag: string;
}

/** `null`: there is no such file. */
export async function readSaved(file: string): Promise<SavedMapping | null> {
  let missing = false;
  try {
    const text = await readSmallText(file, (reason, isMissing) => {
      missing = isMissing;
      return new MappingError(`The mapping file ${file} ${reason}.`);
    });
    return { text, etag: etagOf(text) };
  } catch (error) {
    if (missing) return null;
    throw error;
  }
}

/** What a request states of the file as it knows it. */
export interface KnownMapping {
  /** `If-Match`: the tag of the text that is to be replaced. */
  readonly match: string | undefined;
  /** `If-None-Match: *`: there is no file yet. */
  readonly isNew: boolean;
}

/** One save at a time: between looking at the file and writing it, another could replace it. */
const turns = pLimit(1);

/**
 * Writes the mapping whole or not at all, and only over what the page has seen.
 * @throws StudioRefusal with what is on the disk, if that is something else
 */
export function save(file: string, text: string, known: KnownMapping): Promise<SavedMapping> {
  return turns(() => saveNow(file, text, known));
}

async function saveNow(file: string, text: string, known: KnownMapping): Promise<SavedMapping> {
  const { match, isNew } = known;
  if (match === undefined && !isNew) {
    throw new StudioRefusal(428, 'Saving needs If-Match, or If-None-Match: * for a new file.');
  }
  const saved = await readSaved(file);
  const isKnown = isNew ? saved === null : saved?.etag === match;
  if (!isKnown) throw conflict(file, saved);
  const place = placeOf(file);
  try {
    writeOutput(place, text, { mode: modeOf(place), mayReplace: () => !isNew });
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    throw new StudioRefusal(409, error.message);
  }
  return { text, etag: etagOf(text) };
}

function conflict(file: string, saved: SavedMapping | null): StudioRefusal {
  const message =
    saved === null
      ? `${file} is no longer there. Save again to write it anew.`
      : `${file} has changed on the disk since this page read it. Nothing was saved: compare the two, then keep one.`;
  return new StudioRefusal(412, message, { saved });
}

function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}
