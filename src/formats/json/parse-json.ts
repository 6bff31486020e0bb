import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import type { BytesChunk } from '../../model/chunk.js';
import { asBuffer } from '../../model/chunk.js';
import type { ParsedRecord, Problem } from '../../model/record.js';
import type { LocatedRecord } from '../format.js';
import { asObject } from '../objects/object-record.js';
import { parseUndecodable } from './parse-undecodable-json.js';

/** For long numbers, and to say what is wrong. */

/** Only a number of so many digits can be more than a double holds, wherever its point stands. */
const LONG_NUMBER = /\d(?:\.?\d){15}/;

/**
 * Reads the objects of a chunk, one by one.
 * @param place what a character is counted in: `of the line`
 */
export function* parseJsonRecords(
  chunk: BytesChunk,
  located: readonly LocatedRecord[],
  place: string,
): Generator<ParsedRecord, void, undefined> {
  const bytes = asBuffer(chunk.bytes);
  const valid = isUtf8(bytes);
  const parse = (text: string): ParsedRecord => parseRecord(text, place);
  for (const { start, end } of located) {
    const record = bytes.subarray(start, end);
    if (valid || isUtf8(record)) yield parse(record.toString('utf8'));
    else yield parseUndecodable(record, { ...chunk, offset: chunk.position.byte + start }, parse);
  }
}

function parseRecord(text: string, place: string): ParsedRecord {
  const parsed = parseJson(text, place);
  return 'problem' in parsed ? parsed : asObject(parsed.value);
}

/** A text as JSON, in which numbers that a double can't hold are text; or why it is none. */
export function parseJson(
  text: string,
  place: string,
): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    const value: unknown = JSON.parse(text);
    return { value: LONG_NUMBER.test(text) ? parseExactly(text) : value };
  } catch {
    return { problem: notJson(text, place) };
  }
}

/** Keeps numbers that a double can't tell from their neighbours as text: they may be ids. */
function parseExactly(text: string): unknown {
  return parse(text, null, {
    parseNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

function parseNumber(digits: string): number | string {
  const number = Number(digits);
  // One of few digits means the same beside a long one as alone: 1e20 is a number.
  if (!LONG_NUMBER.test(digits)) return number;
  // From 2^53 on doubles leave integers out, in whichever notation: 9.007199254740993e15 is one.
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? digits : number;
}

function notJson(text: string, place: string): Problem {
  const message = `is not valid JSON: ${reasonOf(text, place)}; fix or remove it`;
  return { kind: 'not-json', field: null, message };
}

/** The other parser's messages always say where. */
function reasonOf(text: string, place: string): string {
  if (text === '') return 'there is nothing between two commas';
  try {
    parse(text, null, { onDuplicateKey: ({ newValue }) => newValue });
    return 'it is malformed';
  } catch (error) {
    if (error instanceof RangeError) return 'its lists and objects are nested too deep';
    const { message } = error as Error;
    return message
      .replace(
        / at position (\d+)$/,
        (_, at: string) => `, at character ${Number(at) + 1} ${place}`,
      )
      .replace(/^./, (first) => first.toLowerCase())
      .replace(/(?! )[\p{C}\p{Z}]/gu, escaped);
  }
}

/** What nobody would see in a message, such as a no-break space or a line end. */
function escaped(character: string): string {
  const hex = (character.codePointAt(0) as number).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
