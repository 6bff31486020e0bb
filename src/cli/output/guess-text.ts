/** Formats a guess for people. */
import { count, thousands } from '../../model/figures.js';
import {
  formatOf,
  type Guess,
  type GuessedField,
  leftOutSummary,
  todosIn,
  UNCLEAR_ENCODING,
} from '../../operations/guess-mapping.js';
import type { InputOptions } from '../../operations/options.js';
import { type TableColumn, table } from './table.js';

/**
 * Lists how the file is read, which column each field comes from, what is missing and left out, the
 * results for the sample, and the questions.
 * @param file the mapping file, for places; `undefined` if it is written to stdout
 * @param width of the terminal, in columns
 */
export async function guessLines(
  guess: Guess,
  file: string | undefined,
  width: number,
): Promise<readonly string[]> {
  const { ready, notices, missing, leftOut } = guess;
  return [
    ...(ready === null ? [] : [`Recognised as ${ready}. Using the built-in mapping.`]),
    ...readingLines(guess),
    ...notices,
    ...(await fieldLines(guess, width)),
    ...(missing.length === 0 ? [] : [`Not found in the file: ${missing.join(', ')}.`]),
    ...(leftOut.length === 0 ? [] : [`Left out: ${leftOutSummary(leftOut)}.`]),
    usageLine(guess),
    recordLine(guess),
    ...questionLines(guess, file),
  ];
}

const FIELD_COLUMNS: readonly TableColumn<GuessedField>[] = [
  { title: 'FIELD', cell: ({ field }) => field },
  { title: 'FROM', cell: ({ columns }) => columns.join(', ') || '–', maxWidth: 34 },
  {
    title: 'HOW SURE',
    cell: ({ confidence, todo }) => `${confidence}${todo === null ? '' : ' ?'}`,
  },
  { title: 'EXAMPLE', cell: ({ example }) => example ?? '' },
];

async function fieldLines({ fields }: Guess, width: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const text of table(inOneBatch(fields), FIELD_COLUMNS, width)) {
    lines.push(...text.trimEnd().split('\n'));
  }
  return lines;
}

async function* inOneBatch<R>(records: readonly R[]): AsyncGenerator<readonly R[]> {
  yield await Promise.resolve(records);
}

function usageLine({ columns, mapping }: Guess): string {
  const used = columns.filter(({ usedBy }) => usedBy.length > 0).length;
  const open = todosIn(mapping).length;
  return `${thousands(used)} of ${count(columns.length, 'column')} used; ${count(open, 'question')}.`;
}

function recordLine({ records: { read, valid, duplicate, skipped, invalid } }: Guess): string {
  const repeated = duplicate === 0 ? '' : ` ${thousands(duplicate)} duplicate,`;
  return `${count(read, 'record')} sampled: ${thousands(valid)} valid,${repeated} ${thousands(skipped)} skipped, ${thousands(invalid)} invalid.`;
}

/** Numbers the questions, each with the line of the mapping to edit. */
function questionLines({ mapping }: Guess, file: string | undefined): readonly string[] {
  const todos = todosIn(mapping);
  if (todos.length === 0) return [];
  return [
    'Questions to answer in the mapping (delete each TODO once it is answered):',
    ...todos.map(
      ({ line, text }, at) =>
        `${at + 1}. ${file === undefined ? `line ${line}` : `${file}:${line}`}: ${text}`,
    ),
  ];
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
  return header === false ? 'no header' : 'the columns named under header';
}
