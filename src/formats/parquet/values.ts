import type { ParquetParsers, SchemaTree } from 'hyparquet';
import { parseExactly } from '../../model/exact-json.js';

/** Lone surrogate: a record with it is invalid, like any undecodable text. */
const LONE_SURROGATE = '\ud800';

const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder();

/** Converts values other than numbers and texts. Timestamps become ISO 8601 in UTC. */
export const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value: bigint | undefined) => timestamp(value, 3),
  timestampFromMicroseconds: (value: bigint | undefined) => timestamp(value, 6),
  timestampFromNanoseconds: (value: bigint | undefined) => timestamp(value, 9),
  dateFromDays: (days: number | undefined) =>
    days === undefined ? undefined : (isoOf(days * 86_400_000)?.slice(0, 10) ?? days),
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decodeText(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && jsonOrText(decodeText(bytes)),
};

/** @param digits of the fraction of a second that the value counts in: 3, 6 or 9 */
function timestamp(value: bigint | undefined, digits: number): string | bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const unit = 10n ** BigInt(digits);
  const fraction = ((value % unit) + unit) % unit;
  const seconds = isoOf(Number((value - fraction) / unit) * 1000)?.slice(0, 19);
  if (seconds === undefined) return value;
  const shown = String(fraction)
    .padStart(digits, '0')
    .replace(/(000)+$/, '');
  return `${seconds}${shown === '' ? '' : `.${shown}`}Z`;
}

function isoOf(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function decodeText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return lenient.decode(bytes).replaceAll('\ufffd', LONE_SURROGATE);
  }
}

function jsonOrText(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

export type Convert = (value: unknown) => unknown;

const asIs: Convert = (value) => value;

/**
 * Replaces the decoder's lossy conversions: decimals to floating-point numbers, timestamps without
 * a zone to UTC, and single-precision numbers. Nested columns are left as they are.
 */
export function converterOf({ element, children }: SchemaTree): Convert {
  if (children.length > 0) return asIs;
  const { logical_type: logical, type } = element;
  if (element.converted_type === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = element.scale ?? 0;
    delete element.converted_type;
    delete element.logical_type;
    return (value) => decimal(value, scale);
  }
  if (logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC) {
    return (value) => (typeof value === 'string' ? value.replace(/Z$/, '') : value);
  }
  return type === 'FLOAT' ? shortestSingle : asIs;
}

function decimal(value: unknown, scale: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  const unscaled =
    value instanceof Uint8Array ? bigEndian(value) : BigInt(value as number | bigint);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const sign = unscaled < 0n ? '-' : '';
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}

function bigEndian(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

/** Shortest number with the same single-precision value: 4.1, not 4.099999904632568. */
function shortestSingle(value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  for (let digits = 6; digits < 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}

/**
 * Formats a value as JSON. Integers keep all of their digits; bytes that aren't text become base64.
 */
export function parquetJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Uint8Array) return JSON.stringify(bytesText(value));
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(parquetJson).join(',')}]`;
  const fields = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${parquetJson(one)}`,
  );
  return `{${fields.join(',')}}`;
}

function bytesText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
}
