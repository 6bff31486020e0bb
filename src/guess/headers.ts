/** Whether the first line of a table is a record like the others, and which rows of a sheet name its columns. */
import { trim } from '../mapping/steps/value.js';
import type { Column } from './columns.js';
import { findDate, isNumberOrDate } from './notations/dates.js';
import { readRating } from './notations/ratings.js';
import type { Chosen, DraftSkip } from './rules/draft.js';
import type { Sample } from './sample.js';

/** Records that are looked at. */
const LOOKED_AT = 100;
/** The first of them may go on describing the columns, in a header's words (`subheaders.ts`). */
const PASSED_OVER = 2;
/** With fewer records, all of them are needed. */
const MIN_RECORDS = 3;
/** Share of a column's values that have to be alike. */
const ALIKE = 0.9;
/** So much has to speak for a record: two cells that only values hold, or one and a long text. */
const ENOUGH = 1.5;

/**
 * A first line is a record when its cells are what the columns below hold: a number over numbers, a
 * date over dates, a word over columns of few words of which it is one. One that is not, over a
 * column of numbers or dates, makes a header of it.
 */
export function lacksHeader({ layout, records }: Sample): boolean {
  const columns = layout.columns;
  if (columns === undefined || records.length === 0) return false;
  const from = records.length < PASSED_OVER + MIN_RECORDS ? 0 : PASSED_OVER;
  const below = records.slice(from, from + LOOKED_AT);
  let alike = 0;
  let unlike = 0;
  for (const [position, name] of columns.entries()) {
    const cell = trim(name);
    const texts = below
      .map(({ value }) => trim(String((value as readonly unknown[])[position] ?? '')))
      .filter((text) => text !== '');
    if (cell === '' || texts.length === 0) continue;
    const weight = likeness(cell, texts);
    if (weight < 0) unlike += 1;
    else alike += weight;
  }
  return alike >= ENOUGH && unlike <= alike * 0.15;
}

/** How much a cell is like the values below it: 1 if it is, -1 if not, 0 if that can't be told. */
function likeness(cell: string, texts: readonly string[]): number {
  const share = (test: (text: string) => boolean): number =>
    texts.filter(test).length / texts.length;
  for (const test of STRICT) if (share(test) >= ALIKE) return test(cell) ? 1 : -1;
  const distinct = new Set(texts);
  if (texts.length >= 6 && distinct.size <= texts.length / 2 && distinct.has(cell)) return 1;
  const long = (text: string): boolean => text.split(/\s+/u).length > 6 && !text.endsWith('?');
  return share(long) > 0.5 && long(cell) ? 0.5 : 0;
}

/** What values are and names are not. */
const STRICT: readonly ((text: string) => boolean)[] = [
  (text) => /^[-+]?\d+(?:[.,]\d+)*$/u.test(text),
  (text) => /^https?:\/\/\S+$/iu.test(text),
  (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text),
  (text) => findDate(text) !== undefined,
  (text) => readRating(text) !== undefined,
  (text) => /^(?=\S*\d)(?=\S*[a-z])[\w-]{12,}$/iu.test(text),
  (text) => /^(?:true|false)$/iu.test(text),
];

/** Rows above a header, at most. */
const MAX_TITLE_ROWS = 25;

/**
 * Indexes of rows that may name the columns: the first row, the first one that is about as full as
 * the table, and those that hold several words and neither numbers nor dates.
 */
export function headerCandidates(rows: readonly (readonly string[])[]): readonly number[] {
  const filled = rows.map((cells) => cells.filter((cell) => cell.trim() !== ''));
  const widest = Math.max(0, ...filled.map(({ length }) => length));
  const full = filled.findIndex(({ length }) => length >= widest * 0.6);
  return filled
    .slice(0, MAX_TITLE_ROWS + 1)
    .flatMap((cells, at) => (at === 0 || at === full || namesColumns(cells) ? [at] : []));
}

function namesColumns(cells: readonly string[]): boolean {
  return cells.length >= 2 && !cells.some((cell) => isNumberOrDate(cell.trim()));
}

/** Most such lines: the question, and the tool's own key of it. */
const MAX_SUBHEADERS = 2;
/** Records below them that are enough to see what a column holds. */
const MIN_BELOW = 2;
const MAX_BELOW = 200;

/** Columns without the lines that describe them, and how many lines those are. */
export function withoutSubheaders(columns: readonly Column[]): {
  readonly columns: readonly Column[];
  readonly subheaders: number;
} {
  let subheaders = 0;
  while (subheaders < MAX_SUBHEADERS && isSubheader(columns, subheaders)) subheaders += 1;
  if (subheaders === 0) return { columns, subheaders };
  return {
    subheaders,
    columns: columns.map((column) => ({
      ...column,
      texts: column.texts.slice(subheaders),
      subheaders: column.texts.slice(0, subheaders).filter((text) => text !== undefined),
      label: column.texts
        .slice(0, subheaders)
        .filter((text) => text !== undefined && !text.startsWith('{'))
        .join(' '),
    })),
  };
}

/**
 * Whether a row is a header below the header, not a record: it has words in columns where all other
 * rows have numbers or dates, and neither a number nor a date anywhere.
 */
function isSubheader(columns: readonly Column[], at: number): boolean {
  const cells = columns.map(({ texts }) => texts[at]);
  if (cells.some((text) => text !== undefined && isNumberOrDate(text))) return false;
  const strict = columns.filter(({ texts }) => {
    const rest = texts.slice(at + 1, at + MAX_BELOW).filter((text) => text !== undefined);
    const below = rest.slice(MAX_SUBHEADERS);
    return below.length >= MIN_BELOW && below.every(isNumberOrDate);
  });
  const words = strict.filter(({ texts }) => texts[at] !== undefined);
  if (words.length >= 2) return true;
  // A line that fills in the questions alone: every number and date is blank in it.
  const filled = cells.filter((text) => text !== undefined);
  const described = filled.every((text) => DESCRIPTION.test(text));
  return strict.length >= 2 && filled.length > 0 && described;
}

/** What SurveyMonkey writes below its questions. */
const DESCRIPTION =
  /^(?:response|open-ended response|other \(please specify\)|antwort|offene antwort|respuesta(?: abierta)?|réponse(?: ouverte)?|resposta(?: aberta)?|antwoord|open antwoord|odpověď)$/iu;

/** Leaves those lines out by what stands in the first column that they fill. */
export function subheaderSkips({ profiles, subheaders }: Chosen): readonly DraftSkip[] {
  if (subheaders === 0) return [];
  const told = profiles.find(
    ({ column, filled }) =>
      column.subheaders?.length === subheaders &&
      !column.subheaders.some((text) => filled.includes(text)),
  );
  if (told?.column.subheaders === undefined) return [];
  const evidence = `the first ${subheaders === 1 ? 'record describes' : `${subheaders} records describe`} the columns, and ${subheaders === 1 ? 'is' : 'are'} no review`;
  return [{ condition: { from: told.name, in: told.column.subheaders }, evidence }];
}
