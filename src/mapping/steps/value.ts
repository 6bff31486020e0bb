/** Values that flow through a rule: one value, a list, nothing, or a failure. */
import type { Problem, ProblemKind, RecordValue } from '../../model/record.js';
import { excerpt } from '../../model/text.js';
import type { Scalar } from '../mapping.js';

/** `undefined` means blank, or that a step gave no value. */
export type Value = Scalar | readonly Scalar[] | Failure | undefined;

/** A compiled rule. Never throws: an unreadable value is a {@link Failure}. */
export type CompiledRule = (record: RecordValue) => Value;

/** Transforms one value. Never called for blank values. */
export type Step = (value: Scalar, record: RecordValue) => Value;

export type FieldlessProblem = Omit<Problem, 'field'>;

export class Failure {
  readonly problems: readonly FieldlessProblem[];

  constructor(problems: readonly FieldlessProblem[]) {
    this.problems = problems;
  }
}

/** The columns that a step reads, and their name in messages. */
export interface Subject {
  readonly text: string;
  readonly columns: readonly string[];
}

/**
 * Builds a failure with one problem: place, value found, value expected.
 * @param expected any of them
 */
export function failure(
  kind: ProblemKind,
  { text, columns }: Subject,
  found: unknown,
  ...expected: readonly string[]
): Failure {
  const message = `${text}: found ${valueText(found)}, expected ${expected.join(', or ')}`;
  return new Failure([{ kind, message, expected, columns, value: cutValue(found) }]);
}

/** Longest value that a problem holds, in graphemes. */
const MAX_VALUE = 80;

/** The text of a value for a problem. */
export function cutValue(value: unknown): string {
  return excerpt(typeof value === 'object' ? safeJson(value) : String(value), MAX_VALUE);
}

export function asText(value: Value, subject: Subject): string | Failure | undefined {
  if (typeof value === 'string' || value === undefined || value instanceof Failure) return value;
  if (isList(value)) return failure('not-text', subject, value, 'one value, not a list');
  return String(value);
}

/** Converts a value to a list of texts; blank gives an empty list. */
export function asTexts(value: Value): readonly string[] | Failure {
  if (value === undefined) return [];
  if (value instanceof Failure) return value;
  return isList(value) ? value.map(String) : [String(value)];
}

/** Narrows to a list; `Array.isArray` doesn't narrow read-only lists. */
export function isList(value: Value): value is readonly Scalar[] {
  return Array.isArray(value);
}

export function applyStep(value: Value, step: Step, record: RecordValue): Value {
  if (value === undefined || value instanceof Failure) return value;
  return isList(value) ? gather(value.map((each) => step(each, record))) : step(value, record);
}

/** Combines values: drops blanks, flattens lists; failures are merged into one. */
export function gather(values: readonly Value[]): readonly Scalar[] | Failure | undefined {
  const scalars: Scalar[] = [];
  const problems: FieldlessProblem[] = [];
  for (const value of values) {
    if (value instanceof Failure) problems.push(...value.problems);
    else if (isList(value)) scalars.push(...value);
    else if (value !== undefined) scalars.push(value);
  }
  if (problems.length > 0) return new Failure(problems);
  return scalars.length > 0 ? scalars : undefined;
}

/** Shows a value in a message: quoted, on one line, at most 40 characters. */
export function valueText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : safeJson(value);
  const short = excerpt(text.replace(/\s+/gu, ' '));
  return typeof value === 'string' ? `"${short}"` : short;
}

/** Serialises a value that may be circular or nested too deeply for the stack. */
function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Array.isArray(value) ? 'a list too deep to show' : 'an object too deep to show';
  }
}

/**
 * Trims a text, including line breaks, no-break and zero-width spaces. A joiner that shapes the
 * letter before it stays: in Arabic and Indic scripts it is part of the spelling.
 */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  // Fast path: nearly all texts begin and end with ASCII characters other than spaces.
  if (end > 0 && isPrintableAscii(text.charCodeAt(0)) && isPrintableAscii(text.charCodeAt(end - 1)))
    return text;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1)) && !shapesALetter(text, end - 1)) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Turns a blank text into `undefined`; returns others, `trimmed` or as they are. */
export function blankToUndefined(text: string, trimmed: boolean): string | undefined {
  const trimmedText = trim(text);
  if (trimmedText === '') return undefined;
  return trimmed ? trimmedText : text;
}

function isPrintableAscii(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

const OTHER_SPACES = new Set([
  0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff,
]);

/** Returns whether a code point is white space, or a zero-width character that acts as a space. */
function isSpace(code: number): boolean {
  if (code < 0x85) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code >= 0x2000 && code <= 0x200d) return true;
  return OTHER_SPACES.has(code);
}

/** Returns whether the joiner (or non-joiner) at `index` follows a letter of a script that uses it. */
function shapesALetter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if ((code !== 0x200c && code !== 0x200d) || index === 0) return false;
  const before = text.charCodeAt(index - 1);
  return before >= 0x600 && before <= 0xdff;
}
