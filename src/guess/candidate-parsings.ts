/** Chooses a sheet of a workbook, and how to read a table. */
import type { SheetRows } from '../formats/format.js';
import type { SourceOptions } from '../formats/options.js';
import { findSheet, wantsAll } from '../formats/xlsx/choose-sheet.js';
import { findSheetTable } from '../formats/xlsx/find-sheet-table.js';
import type { Source, TableReading } from '../model/source.js';
import { type Draft, draftMapping } from './draft-mapping.js';
import { likeliest } from './ranking.js';

/** Number of rows examined in each sheet. */
export const MAX_TRIAL_ROWS = 300;
interface Trial {
  readonly sheet: SheetRows;
  readonly reading: TableReading;
  readonly draft: Draft;
}

/**
 * Chooses the sheet most like reviews; a hidden one only if no visible one looks like reviews.
 * @param sheets at least one
 */
export function bestSheet(sheets: readonly SheetRows[], stated: SourceOptions): Parsing {
  if (stated.sheet !== undefined) {
    const [first] = [stated.sheet].flat();
    const sheet = findSheet(sheets, wantsAll(sheets, stated.sheet) ? undefined : first);
    const trial = sheet === undefined ? undefined : trialOf(sheet, stated);
    return trial === undefined ? { options: {}, todos: [] } : parsingOf(trial.reading);
  }
  const trials = sheets.flatMap((sheet) => trialOf(sheet, stated) ?? []);
  const shown = trials.filter(({ sheet }) => !sheet.hidden);
  const best = likeliest(
    shown.some(looksLikeReviews) ? shown : trials,
    ({ draft }) => draft.reviewScore,
  );
  if (best === undefined) return { options: {}, todos: [] };
  const isDefault = best.sheet.name === findSheet(sheets, undefined)?.name;
  const { options, todos, remarks } = parsingOf(best.reading);
  const others = shown.filter((trial) => trial !== best && isLike(trial, best));
  return {
    options: { ...options, ...(isDefault ? {} : { sheet: best.sheet.name }) },
    todos: [...todos, ...others.map(alsoReviews)],
    remarks,
  };
}

function parsingOf({ options, questions, notices }: TableReading): Parsing {
  return { options, todos: questions, remarks: notices };
}

/** Reads a sheet as an import would; `undefined` if it has no records. */
function trialOf(sheet: SheetRows, stated: SourceOptions): Trial | undefined {
  const { format, name, rows } = sheet;
  const found = findSheetTable(name, rows, stated, rows.length < MAX_TRIAL_ROWS);
  const own = found?.rows.slice(found.from, found.to) ?? [];
  if (found === undefined || own.length === 0) return undefined;
  const { columns, reading } = found;
  const records = own.map(({ cells }, index) => ({
    number: index + 1,
    value: columns.map((_, column) => cells[column] ?? ''),
  }));
  const counts = { unreadable: 0, seen: records.length, whole: false, day: '' };
  const layout = { format, columns };
  const sample = { source: name, layout, records, labels: reading.labels, remarks: [], ...counts };
  return { sheet, reading, draft: draftMapping(sample, reading.options) };
}

/** Returns whether a sheet has a text, and also a rating or a date. */
function looksLikeReviews({ draft }: Trial): boolean {
  const found = new Set(draft.fields.map(({ path }) => path[0]));
  return found.has('text') && (found.has('metrics') || found.has('published'));
}

/** Returns whether a sheet looks about as much like reviews as the best one. */
function isLike(trial: Trial, best: Trial): boolean {
  return looksLikeReviews(trial) && trial.draft.reviewScore >= best.draft.reviewScore * 0.9;
}

function alsoReviews({ sheet: { name } }: Trial): string {
  return `the sheet ${JSON.stringify(name)} also looks like reviews and is not read. For a mapping of its own, guess again with --sheet ${JSON.stringify(name)}`;
}

/** Options to add to the stated ones to read a file. */
export interface Parsing {
  readonly options: SourceOptions;
  /** Open questions about these options. */
  readonly todos: readonly string[];
  /** Lists that these options leave out, and findings about the table. Reading with these options may not show them again. */
  readonly remarks?: readonly string[];
}

/**
 * Parses a table in text as it was found; rows that lack their last fields are padded, with a
 * question.
 */
export function tableParsing({ reading }: Source, stated: SourceOptions): Parsing {
  if (reading === undefined) return { options: {}, todos: [] };
  const { options, lacking, questions, notices } = reading;
  if (lacking === undefined || stated.ragged !== undefined) return parsingOf(reading);
  const todo = `${lacking}, which are read as empty (ragged: pad): check that they aren't truncated. To make them invalid, delete \`ragged\` under input`;
  return {
    options: { ...options, ragged: 'pad' },
    todos: [...questions, todo],
    remarks: notices.filter((notice) => !notice.includes(lacking)),
  };
}
