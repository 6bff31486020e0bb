import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import type { BytesChunk } from '../../model/chunk.js';
import { asBuffer } from '../../model/chunk.js';
import type { ParsedRecord, Problem } from '../../model/record.js';
import { lineStart } from '../boundaries/line-ends.js';
import type { LocatedRecord } from '../format.js';
import { asObject } from '../objects/object-record.js';
import { withStrayBytes } from '../stray-bytes.js';
import { plainJson } from './extended-json.js';
import { jsonFault, type TextStart } from './json-fault.js';

/** Only a number of so many digits can be more than a double holds, wherever its point stands. */
const LONG_NUMBER = /\d(?:\.?\d){15}/;
const DOLLAR = 0x24;

/**
 * Reads the objects of a chunk, one by one.
 * @param startsLine whether the chunk starts where a line does
 */
export function* parseJsonRecords(
  chunk: BytesChunk,
  located: readonly LocatedRecord[],
  startsLine: boolean,
): Generator<ParsedRecord, void, undefined> {
  const bytes = asBuffer(chunk.bytes);
  const valid = isUtf8(bytes);
  // To look for the byte first is faster: there are many quotes.
  const isExtended = bytes.includes(DOLLAR) && bytes.includes('"$');
  let current: LocatedRecord = { line: 0, start: 0, end: 0 };
  const startOf = (): TextStart => startIn(bytes, current, startsLine);
  for (current of located) {
    const record = bytes.subarray(current.start, current.end);
    const parsed = parseRecord(record.toString('utf8'), startOf, isExtended);
    const offset = chunk.position.byte + current.start;
    yield valid ? parsed : withStrayBytes(parsed, record, offset);
  }
}

function parseRecord(text: string, startOf: () => TextStart, isExtended: boolean): ParsedRecord {
  const parsed = parseJson(text, startOf, isExtended);
  return 'problem' in parsed ? parsed : asObject(parsed.value);
}

function startIn(bytes: Buffer, { line, start }: LocatedRecord, startsLine: boolean): TextStart {
  const from = lineStart(bytes, 0, start);
  if (from === 0 && !startsLine) return { line, column: undefined };
  return { line, column: bytes.toString('utf8', from, start).length + 1 };
}

const AT_THE_TOP = (): TextStart => ({ line: 1, column: 1 });

/**
 * A text as JSON, in which numbers that a double can't hold are text; or why it is none.
 * @param isExtended whether it may be MongoDB's extended JSON
 */
export function parseJson(
  text: string,
  startOf: () => TextStart = AT_THE_TOP,
  isExtended: boolean = false,
): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    const plain: unknown = JSON.parse(text);
    const value = LONG_NUMBER.test(text) ? parseExactly(text) : plain;
    return { value: isExtended ? plainJson(value) : value };
  } catch {
    const message = `is not valid JSON: ${jsonFault(text, startOf())}; fix or remove it`;
    return { problem: { kind: 'not-json', field: null, message } };
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
