/** Names the columns of a table, and finds the rows that describe them. */
import { cellType } from './cell-types.js';
import {
  filledCells,
  isName,
  MAX_DESCRIBING,
  NO_VALUE,
  type Stated,
  type TableRow,
  TYPED_SHARE,
  usualWidth,
} from './compare-rows.js';

export interface Named {
  readonly columns: readonly string[];
  readonly pads: boolean;
  readonly notices: readonly string[];
  readonly questions: readonly string[];
}

/** Names the columns of records, also where the header has fewer or more. */
export function columnsFor(
  { above, header }: Partial<Record<'above' | 'header', TableRow | undefined>>,
  records: readonly TableRow[],
  { header: stated, ragged }: Stated,
): Named {
  const usual = usualWidth(records);
  const named = (columns: readonly string[], more: Partial<Named> = {}): Named => ({
    ...{ columns, pads: false, notices: [], questions: [] },
    ...more,
  });
  if (Array.isArray(stated)) return named(stated);
  if (header === undefined) return named(Array.from({ length: usual }, (_, at) => String(at + 1)));
  const names = namesIn(header, above);
  const alike = records.filter(({ cells }) => cells.length === usual);
  const isRule = alike.length > 0 && alike.length >= TYPED_SHARE * records.length;
  if (names.length === usual || !isRule || ragged !== undefined) return named(names);
  const filledNames = names.filter((name) => name !== '');
  if (filledNames.length === usual) return named(filledNames);
  const surplus = usual - names.length;
  if (surplus < 0 && alike.length > 1) {
    const empty = names.slice(usual).join(', ');
    const notice = `its rows lack the last ${columnCount(-surplus)} of the header (${empty}), read as empty`;
    return named(names, { pads: true, notices: [notice] });
  }
  if (
    surplus > 0 &&
    alike.every(({ cells }) => cells.slice(-surplus).every((cell) => cell.trim() === ''))
  ) {
    const notice = `its rows end in ${columnCount(surplus)} that the header lacks and that are empty`;
    return named([...names, ...Array<string>(surplus).fill('')], { notices: [notice] });
  }
  return surplus !== 1 || alike.length < 2
    ? named(names)
    : named(['', ...names], { questions: [FIRST_UNNAMED] });
}

/** Names of the columns; repeated ones with the name of their group in the line above. */
function namesIn(header: TableRow, above: TableRow | undefined): readonly string[] {
  const names = header.cells.map((name) => name.trim());
  const isRepeated = new Set(names).size < names.length;
  const hasGroups = above?.cells.length === names.length && above.number === header.number - 1;
  if (!isRepeated || !hasGroups || above === undefined || !above.cells.every(isName)) return names;
  let group = '';
  return names.map((name, at) => {
    group = above.cells[at]?.trim() || group;
    return `${group} ${name}`.trim();
  });
}

/** As R and pandas write the names of rows. */
const FIRST_UNNAMED =
  'the header has one column fewer than the records; the first column is assumed to be the one without a name: check this, and give it a name under header';

function columnCount(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}

/** Rows examined below one that may describe the columns, and those that must be typed. */
const MAX_BELOW = 200;
const MIN_BELOW = 2;
const MIN_TYPED = 2;
/** Labels of answers that make a row a description, although it has other words, too. */
const MIN_LABELS = 2;

/** Rows below a header that describe its columns, as survey tools write them. */
export function describingRows(rows: readonly TableRow[], from: number): readonly TableRow[] {
  let count = 0;
  while (count < MAX_DESCRIBING && isDescribing(rows, from + count)) count += 1;
  return rows.slice(from, from + count);
}

/** Whether a row has words, and no number or date, where those below have numbers or dates. */
function isDescribing(rows: readonly TableRow[], at: number): boolean {
  const cells = (rows[at]?.cells ?? []).map((cell) => cell.trim());
  if (cells.some((cell) => cellType(cell) !== undefined)) return false;
  const below = rows.slice(at + 1, at + MAX_BELOW);
  const typed = cells.filter((_, column) => {
    const texts = filledCells(below, column).slice(MAX_DESCRIBING);
    return texts.length >= MIN_BELOW && texts.every((text) => cellType(text) !== undefined);
  });
  // A record without a rating and a date isn't a description.
  const words = cells.filter((cell) => !NO_VALUE.test(cell));
  if (typed.filter((cell) => !NO_VALUE.test(cell)).length >= MIN_TYPED) return true;
  const labels = words.filter(isAnswerLabel).length;
  return typed.length > 0 && labels > 0 && (labels === words.length || labels >= MIN_LABELS);
}

/** As SurveyMonkey writes below its questions. */
function isAnswerLabel(cell: string): boolean {
  return /^(?:response|open-ended response|other \(please specify\)|antwort|offene antwort|respuesta(?: abierta)?|réponse(?: ouverte)?|resposta(?: aberta)?|antwoord|open antwoord|odpověď)$/iu.test(
    cell,
  );
}
