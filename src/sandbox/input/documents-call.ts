import { DOCUMENT_SOURCES, isOneOf } from '../../service/codes.js';
import { Refusal } from '../answers.js';
import { shown } from './checks.js';
import { readId } from './ids.js';
import { readTimestamp } from './timestamp.js';

/** Which documents a call asks for; a filter that is not given restricts nothing. */
export interface DocumentFilter {
  /** At least one id. */
  readonly monitorings: readonly number[];
  /** Start of the first minute that counts, in milliseconds since 1970. */
  readonly start: number;
  /** Start of the last minute that counts; unless it is later than `start`, nothing matches. */
  readonly end: number;
  /** Source codes. */
  readonly sources?: readonly string[];
}

/** What `POST /documents` is asked for. */
export interface DocumentsCall {
  readonly filter: DocumentFilter;
  /** How many of the matching documents to skip, at least 0. */
  readonly offset: number;
}

const REQUIRED = ['monitorings', 'start', 'end'];
const OPTIONAL = ['sources', 'offset'];

/** Parameters of the API that the sandbox refuses for now, so that none is passed over in silence. */
const NOT_BUILT_YET = [
  ...['viewSource', 'query', 'authorName', 'authorAbout', 'sentiments', 'languages', 'tags'],
  ...['ignoreTags', 'tagExpression', 'authors', 'authorTags', 'onlyVerifiedAuthors'],
  ...['onlyWithPersonalUrl', 'contributors', 'docRanking'],
];

/** Reads the parameters of `POST /documents`. Refuses with 400 and a message for each fault. */
export function readDocumentsCall(parameters: URLSearchParams): DocumentsCall {
  const faults = checkNames(parameters);
  const read = <T>(name: string, expected: string, reader: Reader<T>): T | undefined => {
    const text = parameters.get(name);
    if (text === null) return undefined;
    const value = reader(text);
    if (value === null) faults.push(`${name} must be ${expected}, not ${shown(text)}.`);
    return value ?? undefined;
  };
  const monitorings = read('monitorings', 'monitoring ids with commas between', readIds);
  const start = read('start', 'a time as yyyy-MM-dd HH:mm', readMinute);
  const end = read('end', 'a time as yyyy-MM-dd HH:mm', readMinute);
  const sources = read('sources', 'known source codes with commas between', readSources);
  const offset = read('offset', 'a whole number of at least 0', readOffset) ?? 0;
  if (faults.length > 0 || monitorings === undefined || start === undefined || end === undefined) {
    throw new Refusal(400, faults);
  }
  return { filter: { monitorings, start, end, ...(sources && { sources }) }, offset };
}

function checkNames(parameters: URLSearchParams): string[] {
  const missing = REQUIRED.filter((name) => !parameters.has(name));
  const faults = missing.map((name) => `${name} is missing.`);
  for (const name of new Set(parameters.keys())) {
    const known = REQUIRED.includes(name) || OPTIONAL.includes(name);
    if (NOT_BUILT_YET.includes(name)) faults.push(`${name}: the sandbox can't do this yet.`);
    else if (!known) faults.push(`${name.slice(0, 40)} is not a known parameter.`);
    else if (parameters.getAll(name).length > 1) faults.push(`${name} is given more than once.`);
  }
  return faults;
}

/** Reads a parameter's text; `null` if it can't be used. */
type Reader<T> = (text: string) => T | null;

function readIds(text: string): number[] | null {
  const ids = text.split(',').map(readId);
  return ids.every((id) => id !== null) ? [...new Set(ids)] : null;
}

function readMinute(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(text)) return null;
  return readTimestamp(`${text.replace(' ', 'T')}:00Z`);
}

function readSources(text: string): string[] | null {
  const codes = text.split(',');
  return codes.every((code) => isOneOf(DOCUMENT_SOURCES, code)) ? codes : null;
}

function readOffset(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
