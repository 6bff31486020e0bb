import { OptionError } from '../../model/errors.js';
import type { SourceOptions } from '../../model/source.js';

/**
 * Makes sure that what is stated about a CSV source can be, taken together.
 * @throws OptionError
 */
export function checkCsvOptions(options: SourceOptions): void {
  const { delimiter, quote, escape: mark, comment } = options;
  const given = { delimiter, quote, escape: mark, comment };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== null) checkText(name, value);
  }
  checkCharacter('quote', quote);
  checkCharacter('escape', mark);
  apart('delimiter', delimiter, 'quote', quote);
  apart('delimiter', delimiter, 'escape', mark);
  apart('comment', comment, 'quote', quote);
  apart('comment', comment, 'delimiter', delimiter);
  checkHeader(options.header);
  checkSkipLines(options.skipLines);
}

function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string') {
    throw new OptionError(`The ${name} is ${String(value)} (${typeof value}); expected a string.`);
  }
  if (value === '')
    throw new OptionError(`The ${name} is empty: leave it out to have it detected.`);
  if (/[\r\n]/.test(value)) {
    throw new OptionError(`The ${name} holds a line end, which always ends a record.`);
  }
}

function checkCharacter(name: string, value: string | null | undefined): void {
  if (value === undefined || value === null || /^[!-~\t ]$/.test(value)) return;
  throw new OptionError(`The ${name} is ${JSON.stringify(value)}; expected one ASCII character.`);
}

/** Two signs of which one is part of the other can't be told apart. */
function apart(
  name: string,
  value: string | null | undefined,
  otherName: string,
  other: string | null | undefined,
): void {
  if (value == null || other == null) return;
  if (!value.includes(other) && !other.includes(value)) return;
  throw new OptionError(
    `The ${name} (${JSON.stringify(value)}) and the ${otherName} (${JSON.stringify(other)}) can't be told apart: change one of them.`,
  );
}

function checkHeader(header: unknown): void {
  if (header === undefined || typeof header === 'boolean') return;
  const isList = Array.isArray(header) && header.length > 0;
  if (isList && header.every((name) => typeof name === 'string')) return;
  throw new OptionError('The header is neither true, false nor a list of column names.');
}

function checkSkipLines(lines: unknown): void {
  if (lines === undefined || (typeof lines === 'number' && Number.isInteger(lines) && lines >= 0)) {
    return;
  }
  throw new OptionError(`skipLines is ${String(lines)}; expected a whole number from 0.`);
}
