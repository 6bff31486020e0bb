/** What flows through a rule: one value, a list, nothing, or a failure. */
import type { Problem, ProblemKind, RecordValue } from '../../model/record.js';
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
  const flat = text.replace(/\s+/gu, ' ');
  const characters = [...flat.slice(0, 82)];
  const short =
    characters.length > 40 || flat.length > 82 ? `${characters.slice(0, 40).join('')}…` : flat;
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
