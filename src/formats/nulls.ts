import type { RecordValue } from '../model/record.js';

/**
 * The texts that stand for nothing in a source, as a set to look values up in. `null` is what YAML
 * makes of an unquoted NULL.
 */
export function nullTexts(nulls: readonly (string | number | null)[]): ReadonlySet<string> {
  return new Set(
    nulls.flatMap((text) => (text === null ? ['NULL', 'Null', 'null'] : [String(text).trim()])),
  );
}

/** A record with empty texts for the values that stand for nothing, at any depth. */
export function withoutNulls(record: RecordValue, nulls: ReadonlySet<string>): RecordValue {
  return replaced(record, nulls) as RecordValue;
}

/** Only what is plain data is looked into: a program's other objects stay as they are. */
function replaced(value: unknown, nulls: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return nulls.has(value.trim()) ? '' : value;
  if (typeof value === 'number') return nulls.has(String(value)) ? '' : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, nulls));
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaced(inner, nulls)]),
  );
}
