/** Tries alternative parsings: sheets of a workbook, and tables with rows of uneven length. */
import type { SheetRows } from '../formats/format.js';
import type { SourceOptions } from '../formats/options.js';
import { findSheet, wantsAll } from '../formats/xlsx/choose-sheet.js';
import { type Draft, draftMapping } from './draft-mapping.js';
import { headerCandidates, lacksHeader } from './headers.js';
import type { Sample } from './sample.js';

/** Number of rows examined in each sheet. */
export const MAX_TRIAL_ROWS = 300;
/** Lead in score that a later parsing needs over an earlier one. */
const MIN_LEAD = 0.1;

interface Trial {
  readonly sheet: SheetRows;
  readonly options: SourceOptions;
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
    const trial = sheet === undefined ? undefined : bestStart(sheet, stated);
    return { options: trial?.options ?? {}, todos: [] };
  }
  const trials = sheets.flatMap((sheet) => bestStart(sheet, stated) ?? []);
  const shown = trials.filter(({ sheet }) => !sheet.hidden);
  const best = bestOf(shown.some(looksLikeReviews) ? shown : trials);
  if (best === undefined) return { options: {}, todos: [] };
  const isDefault = best.sheet.name === findSheet(sheets, undefined)?.name;
  return {
    options: { ...best.options, ...(isDefault ? {} : { sheet: best.sheet.name }) },
    todos: shown.filter((trial) => trial !== best && isLike(trial, best)).map(alsoReviews),
  };
}

/** Finds the header row with which a sheet looks most like reviews; `undefined` if it has no records. */
function bestStart(sheet: SheetRows, stated: SourceOptions): Trial | undefined {
  const { skipLines = 0, header = true } = stated;
  const rows = sheet.rows.filter(({ number }) => number > skipLines);
  const isGiven = stated.skipLines !== undefined || Array.isArray(header);
  const starts = isGiven ? [0] : headerCandidates(rows.map(({ cells }) => cells));
  return bestOf(starts.flatMap((start) => trialOf({ ...sheet, rows }, start, stated) ?? []));
}

function trialOf(sheet: SheetRows, start: number, stated: SourceOptions): Trial | undefined {
  const headed = sampleOf(sheet, start, stated.header);
  if (headed.records.length === 0) return undefined;
  const bare = stated.header === undefined && lacksHeader(headed);
  const sample = bare ? sampleOf(sheet, start, false) : headed;
  const skipLines = start === 0 ? undefined : (sheet.rows[start]?.number ?? 1) - 1;
  const options: SourceOptions = {
    ...(skipLines === undefined ? {} : { skipLines }),
    ...(bare ? { header: false } : {}),
  };
  return { sheet, options, draft: draftMapping(sample, bare ? { header: false } : {}) };
}

/** Makes a sheet's rows into the records that an import would read. */
function sampleOf(
  { format, name, rows }: SheetRows,
  start: number,
  header: SourceOptions['header'] = true,
): Sample {
  const table = rows.slice(start).map(({ cells }) => cells);
  const columns = columnNames(table, header);
  const records = (header === true ? table.slice(1) : table).map((cells, index) => ({
    number: index + 1,
    value: columns.map((_, column) => cells[column] ?? ''),
  }));
  return {
    source: name,
    layout: { format, columns },
    records,
    unreadable: 0,
    remarks: [],
    seen: records.length,
    whole: false,
  };
}

function columnNames(
  table: readonly (readonly string[])[],
  header: boolean | readonly string[],
): readonly string[] {
  if (typeof header !== 'boolean') return header;
  if (header) return (table[0] ?? []).map((name) => name.trim());
  const width = Math.max(0, ...table.map((cells) => cells.length));
  return Array.from({ length: width }, (_, index) => String(index + 1));
}

function bestOf(trials: readonly Trial[]): Trial | undefined {
  let best: Trial | undefined;
  for (const trial of trials) {
    if (best === undefined || trial.draft.reviewScore > best.draft.reviewScore + MIN_LEAD)
      best = trial;
  }
  return best;
}

/** Whether a sheet has a text, and also a rating or a date. */
function looksLikeReviews({ draft }: Trial): boolean {
  const found = new Set(draft.fields.map(({ path }) => path[0]));
  return found.has('text') && (found.has('metrics') || found.has('published'));
}

/** Whether a sheet looks about as much like reviews as the best one. */
function isLike(trial: Trial, best: Trial): boolean {
  return looksLikeReviews(trial) && trial.draft.reviewScore >= best.draft.reviewScore * 0.9;
}

function alsoReviews({ sheet: { name } }: Trial): string {
  return `the sheet ${JSON.stringify(name)} also looks like reviews and is not read; import it separately with --sheet`;
}

/** Options to add to the stated ones to read a file. */
export interface Parsing {
  readonly options: SourceOptions;
  /** Open questions about these options. */
  readonly todos: readonly string[];
}

/** Reads the start of a file with additional options; `undefined` if it can't be read with them. */
export type TryParsing = (options: SourceOptions) => Promise<Sample | undefined>;

/** Minimum share of readable records. */
const MIN_READABLE = 0.9;
/** Share of the previous score that suffices if more records are readable, as padded fields are blank and lower the score. */
const MIN_SCORE_RATIO = 0.75;

/**
 * Finds options that read more of a table than `found` does: with rows padded to the header's
 * length, or with a first column that the header doesn't name.
 */
export async function raggedParsing(
  found: SourceOptions,
  attempt: TryParsing,
): Promise<Parsing | undefined> {
  const known = await attempt(found);
  for (const skipLines of new Set([0, found.skipLines ?? 0])) {
    const parsing = await parsingAfter(skipLines, known, attempt);
    if (parsing !== undefined) return parsing;
  }
  return undefined;
}

/** Does the same for a header after `skipLines` lines. */
async function parsingAfter(
  skipLines: number,
  known: Sample | undefined,
  attempt: TryParsing,
): Promise<Parsing | undefined> {
  const start = skipLines === 0 ? {} : { skipLines };
  const headed = await attempt(start);
  if (headed === undefined || headed.unreadable === 0) return undefined;
  const pad = { ...start, ragged: 'pad' } as const;
  const padded = await attempt(pad);
  const todos = padded === undefined ? undefined : lacking(headed, padded);
  if (todos !== undefined && isBetter(padded, known)) return { options: pad, todos };
  const { columns = [] } = headed.layout;
  if (headed.records.length > 0 || columns.length < 2) return undefined;
  const unnamed = { skipLines: skipLines + 1, header: ['', ...columns] };
  return isBetter(await attempt(unnamed), known)
    ? { options: unnamed, todos: [UNNAMED] }
    : undefined;
}

/** R writes row names without a name in the header. */
const UNNAMED =
  'the header has one column fewer than the records; the first column is assumed to be the one without a name: check this, and give it a name under header';

function isBetter(sample: Sample | undefined, known: Sample | undefined): boolean {
  if (sample === undefined || sample.records.length === 0) return false;
  const { records, unreadable } = sample;
  if (records.length < MIN_READABLE * (records.length + unreadable)) return false;
  if (known === undefined) return true;
  const [score, before] = [reviewScoreOf(sample), reviewScoreOf(known)];
  return (
    score > before + MIN_LEAD ||
    (unreadable < known.unreadable && score >= MIN_SCORE_RATIO * before)
  );
}

function reviewScoreOf(sample: Sample): number {
  return sample.records.length === 0 ? 0 : draftMapping(sample, {}).reviewScore;
}

/**
 * Lists the question to ask about padding: one if only some records lack fields, none if all do.
 * `undefined` if some rows are too short to be records, like lines after a table or a record split
 * by a line break.
 */
function lacking(
  { records: whole, unreadable }: Sample,
  { records, layout }: Sample,
): readonly string[] | undefined {
  if (whole.length === 0) return [];
  const columns = layout.columns?.length ?? 0;
  const least = columns - Math.max(1, Math.floor(columns / 4));
  const lengths = records.map(({ value }) => filledLength(value as readonly unknown[]));
  if (lengths.some((length) => length < least)) return undefined;
  return [
    `${unreadable} of ${whole.length + unreadable} records lack their last fields, which are read as empty (ragged: pad): check that they aren't truncated, or remove ragged to make them invalid`,
  ];
}

function filledLength(fields: readonly unknown[]): number {
  return fields.findLastIndex((field) => String(field).trim() !== '') + 1;
}
