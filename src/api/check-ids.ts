import { OptionError } from '../model/errors.js';
import { showValue } from './show-value.js';

/** Refuses what can't be an id: ids are positive integers. */
export function checkId(name: string, id: unknown): void {
  if (isId(id)) return;
  throw new OptionError(`${name}: ${showValue(id)} is no id; expected a positive integer.`);
}

/** Refuses a list without ids, and one that holds anything else. */
export function checkIds(name: string, ids: readonly unknown[]): void {
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new OptionError(`${name}: expected a list of at least one id.`);
  }
  for (const id of ids) checkId(name, id);
}

/** Refuses what can't be an offset: an integer, at least 0. */
export function checkOffset(offset: unknown): void {
  if (Number.isSafeInteger(offset) && (offset as number) >= 0) return;
  throw new OptionError(
    `offset: ${showValue(offset)} can't be skipped; expected an integer, at least 0.`,
  );
}

/** Whether a value can be an id. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
