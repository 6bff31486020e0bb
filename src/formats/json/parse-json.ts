import { isUtf8 } from 'node:buffer';
import { asBuffer, type BytesChunk } from '../../model/chunk.js';
import { losslessJson, parseExactly } from '../../model/exact-json.js';
import type { ParsedRecord, Problem } from '../../model/record.js';
import { lineStart } from '../boundaries/lines.js';
import type { LocatedRecord } from '../format.js';
import { asObject } from '../objects/object-records.js';
import { withStrayBytes } from '../stray-bytes.js';

const DOLLAR = 0x24;

/**
 * Parses the objects of a chunk lazily.
 * @param startsLine whether the chunk starts at the start of a line
 */
export function* parseJsonRecords(
  chunk: BytesChunk,
  located: readonly LocatedRecord[],
  startsLine: boolean,
): Generator<ParsedRecord, void, undefined> {
  const bytes = asBuffer(chunk.bytes);
  const valid = isUtf8(bytes);
  // Searching for the byte first is faster, as quotes are frequent.
  const isExtended = bytes.includes(DOLLAR) && bytes.includes('"$');
  let current: LocatedRecord = { line: 0, start: 0, end: 0 };
  const textStart = (): TextStart => startIn(bytes, current, startsLine);
  for (current of located) {
    const record = bytes.subarray(current.start, current.end);
    const parsed = parseRecord(record.toString('utf8'), textStart, isExtended);
    yield valid ? parsed : withStrayBytes(parsed, record);
  }
}

function parseRecord(text: string, textStart: () => TextStart, isExtended: boolean): ParsedRecord {
  const parsed = parseJson(text, textStart, isExtended);
  return 'problem' in parsed ? parsed : asObject(parsed.value);
}

/** Position of a record in its source, for messages. */
export function startIn(
  bytes: Buffer,
  { line, start }: LocatedRecord,
  startsLine: boolean,
): TextStart {
  const from = lineStart(bytes, 0, start);
  if (from === 0 && !startsLine) return { line, column: undefined };
  return { line, column: bytes.toString('utf8', from, start).length + 1 };
}

const AT_THE_TOP = (): TextStart => ({ line: 1, column: 1 });

/**
 * Parses JSON; numbers that a double can't represent become text. Returns the problem if it is
 * invalid.
 * @param isExtended whether it may be MongoDB extended JSON
 */
export function parseJson(
  text: string,
  textStart: () => TextStart = AT_THE_TOP,
  isExtended: boolean = false,
): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    const value = parseExactly(text);
    return { value: isExtended ? fromExtendedJson(value) : value };
  } catch {
    const message = `is not valid JSON: ${jsonFault(text, textStart())}; fix or remove it`;
    return { problem: { kind: 'not-json', field: null, message } };
  }
}

/**
 * MongoDB extended JSON, as written by `mongoexport`: types that JSON lacks, as objects with one
 * key.
 */

const UNWRAPPED = new Set(['$oid', '$uuid', '$symbol']);
const EXTENDED_NUMBERS = new Set(['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal']);

/** Replaces extended values by plain ones, at any depth. */
function fromExtendedJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromExtendedJson);
  const entries = Object.entries(value);
  const [[key, inner] = ['', undefined]] = entries;
  if (entries.length === 1) {
    if (UNWRAPPED.has(key)) return inner;
    if (EXTENDED_NUMBERS.has(key)) return numberIn(inner);
    if (key === '$date') return dateIn(inner);
  }
  for (const [name, one] of entries) {
    if (typeof one === 'object') (value as Record<string, unknown>)[name] = fromExtendedJson(one);
  }
  return value;
}

/** Returns a number if it has the same digits; otherwise the text, so that no digit is lost. */
function numberIn(value: unknown): unknown {
  return String(Number(value)) === value ? Number(value) : value;
}

/** Converts milliseconds since 1970 to ISO 8601, which newer versions write themselves. */
function dateIn(value: unknown): unknown {
  const ms = fromExtendedJson(value);
  const date = new Date(typeof ms === 'number' ? ms : Number.NaN);
  return Number.isNaN(date.getTime()) ? ms : date.toISOString();
}

/** Position of a text in its source. */
export interface TextStart {
  readonly line: number;
  /** From 1; `undefined` if the start of the line isn't in the chunk. */
  readonly column: number | undefined;
}

/** Describes why a text isn't JSON, and where. */
export function jsonFault(text: string, start: TextStart): string {
  if (text === '') return 'there is nothing between two commas, or after the last one';
  try {
    losslessJson().parse(text, null, { onDuplicateKey: ({ newValue }) => newValue });
    return 'it is malformed';
  } catch (error) {
    if (error instanceof RangeError) return 'its lists and objects are nested too deeply';
    const { message } = error as Error;
    const [, reason = message, offset = '0'] = /^(.*) at position (\d+)$/s.exec(message) ?? [];
    const at = Number(offset);
    return `${syntaxHint(text, at) ?? escapeInvisible(reason)}, ${placeIn(text, at, start)}`;
  }
}

function syntaxHint(text: string, at: number): string | undefined {
  const rest = text.slice(at, at + 100);
  if (rest === '') return 'it ends before its last closing bracket';
  if (/^[\]}]/.test(rest) && /,\s*$/.test(text.slice(0, at))) {
    return `it has a comma before the closing ${rest[0]}`;
  }
  return undefined;
}

function placeIn(text: string, at: number, { line, column }: TextStart): string {
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/);
  const character = (lines.at(-1) ?? '').length + 1;
  if (lines.length > 1) return `on line ${line + lines.length - 1}, column ${character}`;
  if (column === undefined) return `at character ${character} of the record`;
  return `on line ${line}, column ${column + character - 1}`;
}

/** Escapes invisible characters, for example a no-break space or a line end. */
function escapeInvisible(message: string): string {
  return message
    .replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase())
    .replace(/(?! )[\p{C}\p{Z}]/gu, (character) => {
      const hex = (character.codePointAt(0) as number).toString(16);
      return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
    });
}
