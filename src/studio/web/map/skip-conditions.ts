/** The conditions that leave records out: in words, and the changes that add and remove them. */
import type { MappingChange } from '../../../mapping/load/edit-mapping.js';
import type { SkipCondition } from '../../../mapping/mapping.js';
import { isObject } from '../../../model/record.js';

/** @param written a parsed mapping, which may have mistakes */
export function skipsOf(written: unknown): readonly SkipCondition[] {
  const skip = isObject(written) ? written['skip'] : undefined;
  return Array.isArray(skip) ? (skip.filter(isObject) as unknown as SkipCondition[]) : [];
}

export function conditionText(condition: SkipCondition): string {
  const { from, in: values, blank, matches, below, above } = condition;
  const column = [from].flat().join(' and ');
  if (blank !== undefined) {
    return `${column} ${blank ? 'is' : 'is not'} ${['empty', ...(values ?? [])].join(' or ')}`;
  }
  if (values !== undefined) return `${column} = ${values.join(' or ')}`;
  if (matches !== undefined) return `${column} matches ${matches}`;
  return below === undefined ? `${column} is above ${above}` : `${column} is below ${below}`;
}

/** The change that leaves out records with this value, added to a condition on the same column. */
export function skipChanges(
  written: unknown,
  column: string,
  value: unknown,
): readonly MappingChange[] {
  const skips = skipsOf(written);
  const isBlank = value === null || String(value).trim() === '';
  const text = typeof value === 'string' ? value.trim() : (value as string);
  const same = skips.findIndex(
    (one) => one.from === column && one.in !== undefined && one.blank === undefined,
  );
  const test = isBlank ? { blank: true } : { in: [text] };
  const added = { from: column, ...test };
  const values = isBlank ? undefined : skips[same]?.in;
  if (values?.includes(text) || skips.some((one) => isEqual(one, added))) return [];
  if (values) return [{ path: ['skip', same, 'in'], value: [...values, text] }];
  return [{ path: ['skip', '-'], value: added }];
}

/** The change that removes a condition; none if there is no such condition. */
export function keepChanges(written: unknown, condition: SkipCondition): readonly MappingChange[] {
  const index = skipsOf(written).findIndex((one) => isEqual(one, condition));
  return index < 0 ? [] : [{ path: ['skip', index] }];
}

function isEqual(one: SkipCondition, other: SkipCondition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
