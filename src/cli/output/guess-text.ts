/** Formats a guess for people. */

import { count, thousands } from '../../model/figures.js';
import {
  formatOf,
  type Guess,
  leftOutText,
  type Rival,
  UNCLEAR_ENCODING,
} from '../../operations/guess-mapping.js';
import type { InputOptions } from '../../operations/options.js';

/**
 * Lists how the file is read, what was found, missing and left out, the TODOs, and the results for
 * the sample.
 */
export function guessLines(guess: Guess): readonly string[] {
  const { ready, notices, missing, todos, leftOut } = guess;
  return [
    ...(ready === null ? [] : [`Recognised as ${ready}. Using the built-in mapping.`]),
    ...readingLines(guess),
    ...notices,
    ...(missing.length === 0 ? [] : [`Not found in the file: ${missing.join(', ')}.`]),
    ...todos.map((todo) => `TODO: ${todo}.`),
    ...leftOut.map((one) => `Left out: ${leftOutText(one)}.`),
    ...fieldLines(guess),
    recordLine(guess),
  ];
}

function fieldLines({ fields }: Guess): readonly string[] {
  return fields.flatMap(({ field, confidence, evidence, todo, rivals }) => [
    `${field} (${confidence}): ${evidence}`,
    ...(todo === null ? [] : [`  TODO: ${todo}`]),
    ...(confidence === 'low' ? rivals.slice(0, 1).map(rivalLine) : []),
  ]);
}

function rivalLine({ confidence, evidence }: Rival): string {
  return `  alternative (${confidence}): ${evidence}`;
}

function recordLine({ records: { read, valid, skipped, invalid } }: Guess): string {
  return `${count(read, 'record')} sampled: ${thousands(valid)} valid, ${thousands(skipped)} skipped, ${thousands(invalid)} invalid.`;
}

/**
 * Formats `Read as csv, delimiter ";", windows-1252, header in line 3.`; nothing for objects of a
 * program.
 */
function readingLines({ input, todos }: Guess): readonly string[] {
  const unclear = todos.some((todo) => todo.startsWith(UNCLEAR_ENCODING));
  const { format, delimiter, encoding, records, sheet, ragged } = input;
  if (format === undefined) return [];
  const { text, hasColumns } = formatOf({ format });
  const facts = [
    ...(delimiter === undefined ? [] : [`delimiter ${JSON.stringify(delimiter)}`]),
    ...(text === undefined || unclear ? [] : [encoding ?? 'utf-8']),
    ...(sheet === undefined ? [] : [`sheet ${JSON.stringify(sheet)}`]),
    ...(hasColumns ? [headerText(input, text === undefined ? 'row' : 'line')] : []),
    ...(ragged === undefined ? [] : ['rows filled up or cut to the header (ragged: pad)']),
    ...(records === undefined ? [] : [`records in ${records}`]),
  ];
  return [`Read as ${[format, ...facts].join(', ')}.`];
}

function headerText({ header = true, skipLines = 0 }: InputOptions, line: string): string {
  if (header === true) return `header in ${line} ${skipLines + 1}`;
  return header === false ? 'no header' : 'the columns as stated';
}
