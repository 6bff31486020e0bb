/** What flows through a rule: one value, a list, nothing, or a failure. */
import type { Problem, ProblemKind, RecordValue } from '../../model/record.js';
import { excerpt } from '../../validation/explain-errors.js';
import type { Scalar } from '../mapping.js';

/** `undefined` is nothing: what is blank, or what a step has no answer for. */
export type Value = Scalar | readonly Scalar[] | Failure | undefined;

/** A rule, ready to run. It never throws: what can't be read is a {@link Failure}. */
export type CompiledRule = (record: RecordValue) => Value;

/** Takes one value further. It is never called with nothing. */
export type Step = (value: Scalar, record: RecordValue) => Value;

/** What is wrong, before it is known which field of the document it concerns. */
export type Complaint = Omit<Problem, 'field'>;

/** A value that is there but can't be used. */
export class Failure {
  readonly complaints: readonly Complaint[];

  constructor(complaints: readonly Complaint[]) {
    this.complaints = complaints;
  }
}

/** A failure with one complaint: where, what was found, what was expected. */
export function failure(
  kind: ProblemKind,
  subject: string,
  found: unknown,
  expected: string,
): Failure {
  return new Failure([
    { kind, message: `${subject}: found ${shorten(found)}, expected ${expected}` },
  ]);
}

/** The value as one text. */
export function asText(value: Value, subject: string): string | Failure | undefined {
  if (typeof value === 'string' || value === undefined || value instanceof Failure) return value;
  if (isList(value)) return failure('not-text', subject, value, 'one value and not a list');
  return String(value);
}

/** The value as a list of texts; nothing is an empty list. */
export function asTexts(value: Value): readonly string[] | Failure {
  if (value === undefined) return [];
  if (value instanceof Failure) return value;
  return isList(value) ? value.map(String) : [String(value)];
}

/** Whether the value is a list. (`Array.isArray` does not narrow a read-only list.) */
export function isList(value: Value): value is readonly Scalar[] {
  return Array.isArray(value);
}

/** Runs a step on one value, or on each of a list. */
export function applyStep(value: Value, step: Step, record: RecordValue): Value {
  if (value === undefined || value instanceof Failure) return value;
  return isList(value) ? gather(value.map((each) => step(each, record))) : step(value, record);
}

/** One value of several: nothing is dropped, lists are flattened, failures are gathered. */
export function gather(values: readonly Value[]): readonly Scalar[] | Failure | undefined {
  const kept: Scalar[] = [];
  const complaints: Complaint[] = [];
  for (const value of values) {
    if (value instanceof Failure) complaints.push(...value.complaints);
    else if (isList(value)) kept.push(...value);
    else if (value !== undefined) kept.push(value);
  }
  if (complaints.length > 0) return new Failure(complaints);
  return kept.length > 0 ? kept : undefined;
}

/** A value for a message: quoted, on one line, at most 40 characters of it. */
export function shorten(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : jsonText(value);
  const short = excerpt(text.replace(/\s+/gu, ' '));
  return typeof value === 'string' ? `"${short}"` : short;
}

/** What a program hands over may hold itself, and lists may be nested deeper than the stack is. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Array.isArray(value) ? 'a list too deep to show' : 'an object too deep to show';
  }
}

/**
 * Takes white space off both ends of a text: line breaks, no-break and zero-width spaces included.
 * A joiner that shapes the letter before it stays: in Arabic and the scripts of India it is part
 * of the spelling.
 */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  // Nearly all texts begin and end with what is plainly no space.
  if (end > 0 && isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(end - 1))) return text;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1)) && !shapesALetter(text, end - 1)) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Whether it is a letter, a digit or a sign of ASCII. */
function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

const OTHER_SPACES = new Set([
  0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff,
]);

/** White space as Unicode has it, and the characters of no width that stand for a space. */
function isSpace(code: number): boolean {
  if (code < 0x85) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code >= 0x2000 && code <= 0x200d) return true;
  return OTHER_SPACES.has(code);
}

/** Whether the joiner (or non-joiner) at `index` follows a letter of a script that uses it. */
function shapesALetter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if ((code !== 0x200c && code !== 0x200d) || index === 0) return false;
  const before = text.charCodeAt(index - 1);
  return before >= 0x600 && before <= 0xdff;
}
