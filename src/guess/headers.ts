/** Finds out whether a table has a header, and which rows of a sheet are headers or descriptions of columns. */
import { trim } from '../mapping/steps/value.js';
import type { Column } from './columns.js';
import { findDate, isNumberOrDate } from './notations/dates.js';
import { readRating } from './notations/ratings.js';
import type { DraftSkip, RuleContext } from './rules/draft.js';
import type { Sample } from './sample.js';

/** Number of records examined. */
const MAX_RECORDS = 100;
/** Records skipped at the start, as they may still describe the columns. */
const SKIPPED_RECORDS = 2;
/** If fewer records remain, none are skipped. */
const MIN_RECORDS = 3;
/** Minimum share of a column's values that match a pattern. */
const MIN_ALIKE = 0.9;
/** Minimum evidence for a record: two cells that only values have, or one and a long text. */
const MIN_EVIDENCE = 1.5;

/**
 * Whether the first line is a record: its cells look like the values below them, for example a number
 * above numbers, or a word that recurs in the column. A cell that doesn't, above a column of numbers or
 * dates, indicates a header.
 */
export function lacksHeader({ layout, records }: Sample): boolean {
  const columns = layout.columns;
  if (columns === undefined || records.length === 0) return false;
  const from = records.length < SKIPPED_RECORDS + MIN_RECORDS ? 0 : SKIPPED_RECORDS;
  const below = records.slice(from, from + MAX_RECORDS);
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
  return alike >= MIN_EVIDENCE && unlike <= alike * 0.15;
}

/** Compares a cell with the values below it: 1 if alike, 0.5 if both are long texts, -1 if unlike, 0 if unclear. */
function likeness(cell: string, texts: readonly string[]): number {
  const share = (test: (text: string) => boolean): number =>
    texts.filter(test).length / texts.length;
  for (const test of VALUE_PATTERNS) if (share(test) >= MIN_ALIKE) return test(cell) ? 1 : -1;
  const distinct = new Set(texts);
  if (texts.length >= 6 && distinct.size <= texts.length / 2 && distinct.has(cell)) return 1;
  const long = (text: string): boolean => text.split(/\s+/u).length > 6 && !text.endsWith('?');
  return share(long) > 0.5 && long(cell) ? 0.5 : 0;
}

/** Patterns that values match and column names don't. */
const VALUE_PATTERNS: readonly ((text: string) => boolean)[] = [
  (text) => /^[-+]?\d+(?:[.,]\d+)*$/u.test(text),
  (text) => /^https?:\/\/\S+$/iu.test(text),
  (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text),
  (text) => findDate(text) !== undefined,
  (text) => readRating(text) !== undefined,
  (text) => /^(?=\S*\d)(?=\S*[a-z])[\w-]{12,}$/iu.test(text),
  (text) => /^(?:true|false)$/iu.test(text),
];

/** Maximum number of rows above a header. */
const MAX_TITLE_ROWS = 25;

/**
 * Lists the indexes of rows that may be the header: the first row, the first row about as full as
 * the table, and rows with several words but no numbers or dates.
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

/** Maximum number of description rows: the question, and the survey tool's own key for it. */
const MAX_SUBHEADERS = 2;
/** Minimum number of records below the description rows. */
const MIN_BELOW = 2;
const MAX_BELOW = 200;

/** Removes description rows from the columns' values; returns how many there were. */
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
 * Whether a row describes the columns: it has words in columns where all other rows have numbers or
 * dates, and no number or date anywhere.
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
  // A row that is filled in only for questions: it is blank wherever others have a number or date.
  const filled = cells.filter((text) => text !== undefined);
  const described = filled.filter((text) => DESCRIPTION.test(text)).length;
  if (described === 0 || strict.length === 0) return false;
  return described === filled.length || described >= MIN_DESCRIBED;
}

/** Number of descriptions that make a row one, although it holds other words, too. */
const MIN_DESCRIBED = 2;
/** Descriptions that SurveyMonkey writes below its questions. */
const DESCRIPTION =
  /^(?:response|open-ended response|other \(please specify\)|antwort|offene antwort|respuesta(?: abierta)?|réponse(?: ouverte)?|resposta(?: aberta)?|antwoord|open antwoord|odpověď)$/iu;

/** Skips description rows by their values in the first column that identifies them. */
export function subheaderSkips({ profiles, subheaders }: RuleContext): readonly DraftSkip[] {
  if (subheaders === 0) return [];
  const identifying = profiles.find(
    ({ column, filled }) =>
      column.subheaders?.length === subheaders &&
      !column.subheaders.some((text) => filled.includes(text)),
  );
  if (identifying?.column.subheaders === undefined) return [];
  const evidence = `the first ${subheaders === 1 ? 'record describes' : `${subheaders} records describe`} the columns and ${subheaders === 1 ? 'is not a review' : 'are not reviews'}`;
  return [{ condition: { from: identifying.name, in: identifying.column.subheaders }, evidence }];
}
