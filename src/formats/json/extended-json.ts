/** MongoDB's extended JSON, as `mongoexport` writes it: types that JSON lacks, as objects of one key. */

/** By key, the value that such an object stands for. */
const TYPES: Readonly<Record<string, (value: unknown) => unknown>> = {
  $oid: asItIs,
  $uuid: asItIs,
  $symbol: asItIs,
  $numberInt: numberIn,
  $numberLong: numberIn,
  $numberDouble: numberIn,
  $numberDecimal: numberIn,
  $date: dateIn,
};

/** Replaces such objects by their values, at any depth. */
export function plainJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainJson);
  const entries = Object.entries(value);
  const [[key, inner] = ['', undefined]] = entries;
  const type = entries.length === 1 && Object.hasOwn(TYPES, key) ? TYPES[key] : undefined;
  if (type !== undefined) return type(inner);
  for (const [name, one] of entries) {
    if (typeof one === 'object') (value as Record<string, unknown>)[name] = plainJson(one);
  }
  return value;
}

function asItIs(value: unknown): unknown {
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
