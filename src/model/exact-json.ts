import { createRequire } from 'node:module';

const nodeRequire = createRequire(import.meta.url);

/** Numbers with fewer digits are exact as doubles. */
const LONG_NUMBER = /\d(?:\.?\d){15}/;

/**
 * Parses JSON; numbers that a double can't represent become text, as they may be ids.
 * @throws SyntaxError, RangeError
 */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (!LONG_NUMBER.test(text)) return plain;
  return losslessJson().parse(text, null, {
    parseNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

function parseNumber(digits: string): number | string {
  const number = Number(digits);
  // Short numbers in the same text stay numbers: 1e20.
  if (!LONG_NUMBER.test(digits)) return number;
  // Beyond 2^53 doubles skip integers, in any notation: 9.007199254740993e15 is one.
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? digits : number;
}

/** Loaded lazily: only numbers with many digits and repeated keys need it. */
export function losslessJson(): typeof import('lossless-json') {
  return nodeRequire('lossless-json');
}
