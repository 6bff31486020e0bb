/** Formats a guess for people. */
import { count, thousands } from '../../model/figures.js';
import { paint, type Terminal, wrap } from '../../model/terminal.js';
import { printable } from '../../model/text.js';
import {
  formatOf,
  type Guess,
  type GuessedField,
  notUsedLines,
  plainTodo,
  todosIn,
  UNCLEAR_ENCODING,
} from '../../operations/guess-mapping.js';
import type { InputOptions } from '../../operations/options.js';
import { type TableColumn, tableText } from './table.js';

/**
 * Formats how the file is read, which column each field comes from, what is missing and left out,
 * the results for the sample, and the questions.
 * @param file the mapping file, for places; `undefined` if it is written to stdout
 */
export function guessText(guess: Guess, file: string | undefined, terminal: Terminal): string {
  const { ready, notices, missing, leftOut, fields } = guess;
  const recognised = `Layout recognised. Using the ready-made mapping ${ready}.`;
  const sections = [
    [
      ...(ready === null ? [] : [paint(wrapped(recognised, terminal), 'bold', terminal)]),
      ...[...readingLines(guess), ...notices].map((line) => wrapped(line, terminal)),
    ],
    [tableText(withNotesInOne(fields), FIELD_COLUMNS, terminal).trimEnd()],
    [
      ...(missing.length === 0 ? [] : [`Not found in the file: ${missing.join(', ')}.`]),
      ...notUsedLines(leftOut),
      usageLine(guess),
      recordLine(guess),
    ].map((line) => wrapped(line, terminal)),
    questionLines(guess, file, terminal),
  ];
  const texts = sections.map((lines) => lines.join('\n')).filter((text) => text !== '');
  return `${texts.join('\n\n')}\n`;
}

function wrapped(line: string, terminal: Terminal): string {
  return wrap(printable(line), terminal, 2);
}

const NOTES = 'author.annotations';
/** Maximum number of annotations with a line each. */
const MAX_NOTES = 3;

/** Puts the annotations of a survey, one for each closed question, in one line. */
function withNotesInOne(fields: readonly GuessedField[]): readonly GuessedField[] {
  const notes = fields.filter(({ field }) => field.startsWith(`${NOTES}.`));
  const [first] = notes;
  if (first === undefined || notes.length <= MAX_NOTES) return fields;
  const all = {
    ...first,
    field: NOTES,
    columns: notes.flatMap(({ columns }) => columns),
    todo: notes.find(({ todo }) => todo !== null)?.todo ?? null,
    example: `${count(notes.length, 'annotation')}, for example ${first.example ?? ''}`,
  };
  return [...fields.filter((one) => !notes.includes(one)), all];
}

const FIELD_COLUMNS: readonly TableColumn<GuessedField>[] = [
  { title: 'field', cell: ({ field }) => field, maxWidth: 48 },
  { title: 'from', cell: ({ columns }) => columns.join(', ') || '–', maxWidth: 34 },
  {
    title: 'confidence',
    cell: ({ confidence, todo }) => `${confidence}${todo === null ? '' : ' ?'}`,
    tone: ({ confidence, todo }) => {
      if (todo === null && confidence === 'high') return 'good';
      return confidence === 'low' ? 'bad' : 'mixed';
    },
  },
  { title: 'example', cell: ({ example }) => example ?? '', tone: () => 'dim' },
];

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
function questionLines(
  { mapping, questions }: Guess,
  file: string | undefined,
  terminal: Terminal,
): readonly string[] {
  const todos = todosIn(mapping);
  if (todos.length === 0) return [];
  const lists = questions.filter(({ checklist }) => checklist !== undefined);
  return [
    wrap('Questions to answer in the mapping (delete each TODO once it is answered):', terminal, 2),
    ...todos.map(({ line, text }, at) => {
      const place = printable(file === undefined ? `line ${line}` : `${file}:${line}`);
      const start = `${at + 1}. ${paint(`${place}:`, 'dim', terminal)}`;
      const list = lists.find(({ todo }) => plainTodo(todo) === plainTodo(text));
      const forms = list === undefined ? questionForms(text) : [withoutList(list)];
      return shortestOf(forms.map((form) => wrap(`${start} ${printable(form)}`, terminal, 3)));
    }),
  ];
}

const MAX_QUESTION_LINES = 6;

/** Takes the first text that isn't too long; cuts the last. */
function shortestOf(wrapped: readonly string[]): string {
  const fits = (text: string): boolean => text.split('\n').length <= MAX_QUESTION_LINES;
  const last = wrapped.at(-1) ?? '';
  const cutLines = last.split('\n').slice(0, MAX_QUESTION_LINES).join('\n');
  return wrapped.find(fits) ?? `${cutLines.slice(0, -1)}…`;
}

/** A question: what to check, the condition of its edits, and these. */
const QUESTION = /^(?<ask>.*?\. (?:If|To) .*?), (?<edits>(?:put|delete) .*)$/su;
const MAX_EDITS = 2;

/** Leaves a checklist to the comment in the mapping. */
function withoutList({ todo }: Guess['questions'][number]): string {
  return `${todo.split('\n', 1)[0]} the columns are listed there.`;
}

/** A question as the mapping asks it, and a shorter form for one with many or long edits. */
function questionForms(text: string): readonly string[] {
  const { ask, edits = '' } = QUESTION.exec(text)?.groups ?? {};
  if (ask === undefined) return [text];
  const all = edits.split(/; (?=put |delete )/u);
  const short = `${ask}, make the ${all.length === 1 ? 'edit' : `${all.length} edits`} listed there.`;
  return all.length > MAX_EDITS ? [short] : [text, short];
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
    ...(ragged === undefined ? [] : ['rows padded or cut to the header (ragged: pad)']),
    ...(records === undefined ? [] : [`records in ${records}`]),
  ];
  return [`Read as ${[format, ...facts].join(', ')}.`];
}

function headerText({ header = true, skipLines = 0 }: InputOptions, line: string): string {
  if (header === true) return `header in ${line} ${skipLines + 1}`;
  return header === false ? 'no header' : 'the columns named under header';
}
