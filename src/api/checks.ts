import { OptionError } from '../model/errors.js';
import { isOneOf } from '../service/codes.js';
import { type ApiSchema, bodyMistakes } from '../validation/request-bodies.js';

/** Creates the error for an argument: `id is 0; expected a positive integer.` */
export function wrongValue(name: string, value: unknown, expected: string): OptionError {
  return new OptionError(`${name} is ${showValue(value)}; expected ${expected}.`);
}

/** Shows a value in an error, shortened. */
function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value).slice(0, 60);
  if (!Array.isArray(value)) return 'an object';
  return value.length === 0 ? 'an empty list' : 'a list';
}

/** @throws OptionError unless the value is a positive integer */
export function checkId(name: string, id: unknown): void {
  if (!isInteger(id, 1)) throw wrongValue(name, id, 'a positive integer');
}

/** @throws OptionError unless the value is an integer of at least 0 */
export function checkOffset(offset: unknown): void {
  if (!isInteger(offset, 0)) throw wrongValue('offset', offset, 'an integer of at least 0');
}

export function isInteger(value: unknown, min: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min;
}

/** @throws OptionError unless the value is one of the codes */
export function checkCode(name: string, code: unknown, codes: readonly string[]): void {
  if (!isOneOf(codes, code)) throw wrongValue(name, code, codes.join(', '));
}

/**
 * Checks a body as the service does, by `schemas/openapi.yaml`.
 * @throws OptionError with the first mistake
 */
export function checkBody(schema: ApiSchema, body: unknown): void {
  const [mistake] = bodyMistakes(schema, body);
  if (mistake !== undefined) throw new OptionError(mistake);
}

/** @throws OptionError unless the value is a list with an entry */
export function filledList(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw wrongValue(name, value, 'a list of at least one');
}
