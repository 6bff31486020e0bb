/** Other ways to read an input: which sheet of a workbook holds the reviews, and rows of uneven length. */
import type { SheetRows } from '../formats/format.js';
import type { SourceOptions } from '../formats/options.js';
import { findSheet, wantsAll } from '../formats/xlsx/choose-sheet.js';
import { type Draft, draftMapping } from './draft-mapping.js';
import { headerCandidates, lacksHeader } from './headers.js';
import type { Sample } from './sample.js';

/** Rows of each sheet that are looked at. */
export const MAX_TRIAL_ROWS = 300;
/** A later way has to look so much more like reviews than an earlier one. */
const MARGIN = 0.1;

/** What has to be stated for a workbook to be read, and what a person should know of the rest. */
export interface SheetWay {
  readonly way: SourceOptions;
  readonly todos: readonly string[];
}

interface Trial {
  readonly sheet: SheetRows;
  readonly way: SourceOptions;
  readonly draft: Draft;
}

/**
 * The sheet that looks most like reviews. Hidden ones are only taken where no other does.
 * @param sheets at least one
 */
export function bestSheet(sheets: readonly SheetRows[], stated: SourceOptions): SheetWay {
  if (stated.sheet !== undefined) {
    const [first] = [stated.sheet].flat();
    const sheet = findSheet(sheets, wantsAll(sheets, stated.sheet) ? undefined : first);
    const trial = sheet === undefined ? undefined : bestStart(sheet, stated);
    return { way: trial?.way ?? {}, todos: [] };
  }
  const trials = sheets.flatMap((sheet) => bestStart(sheet, stated) ?? []);
  const shown = trials.filter(({ sheet }) => !sheet.hidden);
  const best = bestOf(shown.some(looksLikeReviews) ? shown : trials);
  if (best === undefined) return { way: {}, todos: [] };
  const isDefault = best.sheet.name === findSheet(sheets, undefined)?.name;
  return {
    way: { ...best.way, ...(isDefault ? {} : { sheet: best.sheet.name }) },
    todos: shown.filter((trial) => trial !== best && isLike(trial, best)).map(alsoReviews),
  };
}

/** The way to read a sheet in which it looks most like reviews; nothing if it has no records. */
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
  const way: SourceOptions = {
    ...(skipLines === undefined ? {} : { skipLines }),
    ...(bare ? { header: false } : {}),
  };
  return { sheet, way, draft: draftMapping(sample, bare ? { header: false } : {}) };
}

/** A sheet's rows as the records that an import would make of them. */
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
    if (best === undefined || trial.draft.merit > best.draft.merit + MARGIN) best = trial;
  }
  return best;
}

/** Whether a sheet has a text, and a rating or a date beside it. */
function looksLikeReviews({ draft }: Trial): boolean {
  const found = new Set(draft.fields.map(({ path }) => path[0]));
  return found.has('text') && (found.has('metrics') || found.has('published'));
}

/** Whether a sheet has as much of a review as the best one. */
function isLike(trial: Trial, best: Trial): boolean {
  return looksLikeReviews(trial) && trial.draft.merit >= best.draft.merit * 0.9;
}

function alsoReviews({ sheet: { name } }: Trial): string {
  return `the sheet ${JSON.stringify(name)} looks like reviews, too, and is not read: import it as well, with --sheet`;
}

/** Options to add to the stated ones so that a file can be read. */
export interface Way {
  readonly way: SourceOptions;
  /** What a person should know of it. */
  readonly todos: readonly string[];
}

/** Reads the start of a file in a way; nothing if it can't be read so. */
export type Try = (way: SourceOptions) => Promise<Sample | undefined>;

/** Minimum share of records that must be readable. */
const READABLE = 0.9;
/** A table may look so much less like reviews, where more of it can be read: fields that are filled up are blank. */
const KEPT = 0.75;

/**
 * A way in which more of a table can be read than in the one that was found, if there is one: with
 * empty fields for those that rows lack at their end, or with a first column that the header doesn't
 * name.
 */
export async function raggedWay(found: SourceOptions, attempt: Try): Promise<Way | undefined> {
  const known = await attempt(found);
  for (const skipLines of new Set([0, found.skipLines ?? 0])) {
    const way = await wayBehind(skipLines, known, attempt);
    if (way !== undefined) return way;
  }
  return undefined;
}

/** The same for a header behind some lines. */
async function wayBehind(
  skipLines: number,
  known: Sample | undefined,
  attempt: Try,
): Promise<Way | undefined> {
  const start = skipLines === 0 ? {} : { skipLines };
  const headed = await attempt(start);
  if (headed === undefined || headed.unreadable === 0) return undefined;
  const pad = { ...start, ragged: 'pad' } as const;
  const padded = await attempt(pad);
  const todos = padded === undefined ? undefined : lacking(headed, padded);
  if (todos !== undefined && isBetter(padded, known)) return { way: pad, todos };
  const { columns = [] } = headed.layout;
  if (headed.records.length > 0 || columns.length < 2) return undefined;
  const unnamed = { skipLines: skipLines + 1, header: ['', ...columns] };
  return isBetter(await attempt(unnamed), known) ? { way: unnamed, todos: [UNNAMED] } : undefined;
}

/** As R writes row names. */
const UNNAMED =
  'the header names a column fewer than the records have: the first one is taken for the one without a name; check that, and name it in header';

function isBetter(sample: Sample | undefined, known: Sample | undefined): boolean {
  if (sample === undefined || sample.records.length === 0) return false;
  const { records, unreadable } = sample;
  if (records.length < READABLE * (records.length + unreadable)) return false;
  if (known === undefined) return true;
  const [merit, before] = [meritOf(sample), meritOf(known)];
  return merit > before + MARGIN || (unreadable < known.unreadable && merit >= KEPT * before);
}

function meritOf(sample: Sample): number {
  return sample.records.length === 0 ? 0 : draftMapping(sample, {}).merit;
}

/**
 * A question where only some records lack fields, none where all do. Nothing if they are no records:
 * lines behind a table, and halves of a record that a line end cuts in two, are shorter.
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
    `${unreadable} of ${whole.length + unreadable} records lack their last fields, which are read as empty (ragged: pad): check that they aren't cut, or leave that out to have them invalid`,
  ];
}

function filledLength(fields: readonly unknown[]): number {
  return fields.findLastIndex((field) => String(field).trim() !== '') + 1;
}
