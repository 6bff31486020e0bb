/** MongoDB's extended JSON, as `mongoexport` writes it: types that JSON lacks, as objects of one key. */

const AS_IT_IS = new Set(['$oid', '$uuid', '$symbol']);
const NUMBERS = new Set(['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal']);

/** Replaces such objects by their values, at any depth. */
export function plainJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainJson);
  const entries = Object.entries(value);
  const [[key, inner] = ['', undefined]] = entries;
  if (entries.length === 1) {
    if (AS_IT_IS.has(key)) return inner;
    if (NUMBERS.has(key)) return numberIn(inner);
    if (key === '$date') return dateIn(inner);
  }
  for (const [name, one] of entries) {
    if (typeof one === 'object') (value as Record<string, unknown>)[name] = plainJson(one);
  }
  return value;
}

/** A number if it has the same digits; otherwise the text, so that no digit is lost. */
function numberIn(value: unknown): unknown {
  return String(Number(value)) === value ? Number(value) : value;
}

/** ISO 8601, as newer versions write it themselves, for milliseconds since 1970. */
function dateIn(value: unknown): unknown {
  const ms = plainJson(value);
  const date = new Date(typeof ms === 'number' ? ms : Number.NaN);
  return Number.isNaN(date.getTime()) ? ms : date.toISOString();
}
