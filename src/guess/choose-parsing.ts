/** Chooses how to read a file where detecting its format isn't enough, and drafts its mapping. */
import type { SheetRows } from '../formats/format.js';
import { formatOf } from '../formats/formats.js';
import { findLists, firstSheets } from '../formats/look-into.js';
import { openSources } from '../formats/open-sources.js';
import { type InputOptions, type SourceOptions, statedFormat } from '../formats/options.js';
import { findSheet, wantsAll } from '../formats/xlsx/choose-sheet.js';
import { findSheetTable } from '../formats/xlsx/find-sheet-table.js';
import { findEncoding, UnclearEncodingError } from '../input/encoding/detect-encoding.js';
import { DocferryError } from '../model/errors.js';
import type { Input, Source, TableReading } from '../model/source.js';
import { chooseList, type Parsing, type TryParsing, withListQuestion } from './choose-list.js';
import { type Draft, draftMapping } from './draft-mapping.js';
import { likeliest } from './ranking.js';
import { type Sample, takeRecords } from './sample.js';

/** Size of the sample that a mapping is drafted from. */
const SAMPLE = { records: 4000, bytes: 2 * 1024 ** 3 };
/** Size of the sample with which one of several parsings is tried. */
const TRIAL = { records: 300, bytes: 1024 ** 2 };
/** Number of files of a glob or an archive that are tried. */
const MAX_FILES = 6;

/**
 * Drafts a mapping for a file with the parsing that looks most like reviews.
 * @throws SourceError if the file can't be read
 */
export async function draftFor(input: Input, stated: SourceOptions): Promise<Draft> {
  try {
    return await draftIn(input, stated);
  } catch (error) {
    if (!(error instanceof UnclearEncodingError)) throw error;
    return await draftInLikely(error.readings, input, stated);
  }
}

/** Start of the question about an unclear encoding. */
export const UNCLEAR_ENCODING = 'the file is not UTF-8, and its encoding is unclear';

/** Drafts a mapping with the likeliest encoding, and asks which one is right. */
async function draftInLikely(
  readings: UnclearEncodingError['readings'],
  input: Input,
  stated: SourceOptions,
): Promise<Draft> {
  const { input: written, ...draft } = await draftIn(input, {
    ...stated,
    encoding: readings[0]?.encoding ?? 'windows-1252',
  });
  const { encoding: _, ...others } = written;
  const choices = readings.map(
    ({ encoding, line }) =>
      `If ${JSON.stringify(line)} is right, put \`encoding: ${encoding}\` under input`,
  );
  const todo = `${UNCLEAR_ENCODING}. ${choices.join('. ')}`;
  const answers = readings.map(({ encoding, line }) => ({
    label: `${JSON.stringify(line)} is right`,
    changes: [{ path: ['input', 'encoding'], value: encoding }],
  }));
  const question = { field: null, ask: UNCLEAR_ENCODING, todo, answers };
  return { ...draft, input: others, questions: [question, ...draft.questions] };
}

async function draftIn(input: Input, stated: SourceOptions): Promise<Draft> {
  const { options, todos, remarks = [] } = await bestParsing(input, stated);
  const source = await openOne(input, { ...stated, ...options });
  const taken = await takeRecords(source, SAMPLE).finally(() => source.close());
  const sample = { ...taken, remarks: [...remarks, ...taken.remarks] };
  const { notUtf8 } = sample;
  if (notUtf8 !== undefined && stated.encoding === undefined) {
    const { encoding, unclear } = await findEncoding(
      source.name,
      { bytes: notUtf8, whole: true },
      undefined,
    );
    if (unclear !== undefined) throw new UnclearEncodingError(source.name, unclear);
    if (encoding !== 'utf-8') return await draftIn(input, { ...stated, encoding });
  }
  const draft = withListQuestion(draftMapping(sample, inputOf(source, { ...stated, ...options })));
  const about = todos.map((todo) => ({ field: null, ask: todo, todo, answers: [] }));
  return { ...draft, questions: [...about, ...draft.questions] };
}

async function bestParsing(input: Input, stated: SourceOptions): Promise<Parsing> {
  const plain = await resultOrError(() => openOne(input, stated));
  if (!(plain instanceof DocferryError)) closeAll([plain]);
  if (plain instanceof DocferryError || hasSheets(plain)) {
    const sheets = await firstSheets(input, stated, MAX_TRIAL_ROWS);
    if (sheets !== undefined && sheets.length > 0) return bestSheet(sheets, stated);
  }
  // Detect the encoding once: that takes longer than the rest of a trial.
  const encoding = plain instanceof DocferryError ? null : plain.detected.encoding;
  const found = encoding === null || encoding === 'utf-8' ? {} : { encoding };
  const { options, ...others } = await bestText(input, { ...stated, ...found }, plain);
  return { options: { ...found, ...options }, ...others };
}

function hasSheets({ layout }: Source): boolean {
  return formatOf(layout).binary?.firstRows !== undefined;
}

/** Number of rows examined in each sheet. */
const MAX_TRIAL_ROWS = 300;
interface Trial {
  readonly sheet: SheetRows;
  readonly reading: TableReading;
  readonly draft: Draft;
}

/**
 * Chooses the sheet most like reviews; a hidden one only if no visible one looks like reviews.
 * @param sheets at least one
 */
function bestSheet(sheets: readonly SheetRows[], stated: SourceOptions): Parsing {
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
  const found = parsingOf(best.reading);
  const others = shown.filter((trial) => trial !== best && isLike(trial, best));
  return {
    ...found,
    options: { ...found.options, ...(isDefault ? {} : { sheet: best.sheet.name }) },
    todos: [...found.todos, ...others.map(alsoReviews)],
  };
}

function parsingOf({ options, questions, notices }: TableReading): Parsing {
  return { options, todos: questions, remarks: notices };
}

/** Reads a sheet as an import would; `undefined` if it has no records. */
function trialOf(sheet: SheetRows, stated: SourceOptions): Trial | undefined {
  const { format, name, rows } = sheet;
  const found = findSheetTable(
    `Sheet ${JSON.stringify(name)}`,
    rows,
    stated,
    rows.length < MAX_TRIAL_ROWS,
  );
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

/**
 * Parses a table in text as it was found; rows that lack their last fields are padded, with a
 * question.
 */
function tableParsing({ reading }: Source, stated: SourceOptions): Parsing {
  if (reading === undefined) return { options: {}, todos: [] };
  const { options, lacking, questions, notices } = reading;
  if (lacking === undefined || stated.ragged !== undefined) return parsingOf(reading);
  const todo = `${lacking.found}, which are read as empty (ragged: pad): check that they aren't truncated. To make them invalid, delete \`ragged\` under input`;
  return {
    options: { ...options, ragged: 'pad' },
    todos: [...questions, todo],
    remarks: notices.filter((notice) => notice !== lacking.notice),
  };
}

/** Finds the best parsing of a file that isn't a workbook. */
async function bestText(
  input: Input,
  stated: SourceOptions,
  plain: Source | DocferryError,
): Promise<Parsing> {
  if (plain instanceof DocferryError || plain.layout.dialect === undefined) {
    return await bestList(input, stated, plain);
  }
  return tableParsing(plain, stated);
}

async function openOne(input: Input, options: SourceOptions): Promise<Source> {
  const [source, ...others] = await openSources(input, options);
  closeAll(others);
  if (source === undefined) throw new Error('An input was opened as no source. This is a bug.');
  return source;
}

interface ChosenFile {
  readonly input: Input;
  /** The file, if others have another layout, so that the mapping isn't theirs. */
  readonly only: string | null;
  /** Message about the other files. */
  readonly remarks: readonly string[];
}

/**
 * Chooses the file of a glob or an archive that looks most like reviews. Other inputs are returned
 * unchanged.
 */
export async function likeliestFile(input: Input, stated: SourceOptions): Promise<ChosenFile> {
  const sources = await resultOrError(() => openSources(input, stated));
  if (sources instanceof DocferryError) return { input, only: null, remarks: [] };
  closeAll(sources);
  if (sources.length < 2) return { input, only: null, remarks: [] };
  const tried: { readonly name: string; readonly score: number }[] = [];
  for (const { name, file } of sources.slice(0, MAX_FILES)) {
    const sample = file === null ? undefined : await trial(name, stated);
    if (sample === undefined || sample.records.length === 0) continue;
    tried.push({ name, score: draftMapping(sample, {}).reviewScore });
  }
  const best = likeliest(tried, ({ score }) => score);
  const name = best?.name ?? sources[0]?.name;
  const differ = new Set(sources.map(layoutText)).size > 1;
  const advice = differ ? 'Their layouts differ: guess' : 'If their layouts differ, guess';
  const remark = `The mapping is guessed from ${name}, one of ${sources.length} files. ${advice} a mapping for each.`;
  const only = differ ? (name ?? null) : null;
  return { input: best?.name ?? input, only, remarks: [remark] };
}

/** Summarises how a source is laid out, for comparison. */
function layoutText({ layout: { format, columns } }: Source): string {
  return JSON.stringify([format, columns]);
}

/** Closes sources, which are opened again for each trial. */
function closeAll(sources: readonly Source[]): void {
  for (const source of sources) source.close();
}

/** Returns the result, or the error if the input can't be read. */
async function resultOrError<T>(act: () => Promise<T>): Promise<T | DocferryError> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DocferryError) return error;
    throw error;
  }
}

async function trial(input: Input, options: SourceOptions): Promise<Sample | undefined> {
  const taken = await resultOrError(async () => {
    const source = await openOne(input, options);
    return await takeRecords(source, TRIAL).finally(() => source.close());
  });
  return taken instanceof DocferryError ? undefined : taken;
}

/** Finds the list in a JSON document, or in its elements, whose elements look most like reviews. */
async function bestList(
  input: Input,
  stated: SourceOptions,
  plain: Source | DocferryError,
): Promise<Parsing> {
  const none = { options: {}, todos: [] };
  const isError = plain instanceof DocferryError;
  if (stated.records !== undefined) return none;
  const lists = await findLists(input, stated);
  if (lists.length === 0 && !isError) return none;
  const attempt: TryParsing = (options) => trial(input, { ...stated, ...options });
  const chosen = await chooseList(lists, !isError, attempt);
  if (chosen === undefined && isError) throw plain;
  return chosen ?? none;
}

/** Input options to write into the mapping, so that the next export is read in the same way. */
function inputOf(source: Source, options: SourceOptions): InputOptions {
  const { layout, detected } = source;
  const { dialect } = layout;
  const { header, comment } = options;
  const encoding = detected.encoding;
  const csv =
    dialect !== undefined
      ? {
          delimiter: dialect.delimiter,
          ...(dialect.quote === '"' ? {} : { quote: dialect.quote }),
          ...(dialect.escape === dialect.quote ? {} : { escape: dialect.escape }),
          ...(comment === undefined ? {} : { comment }),
        }
      : {};
  return {
    ...statedFormat(layout),
    ...csv,
    ...(encoding === null || encoding === 'utf-8' ? {} : { encoding }),
    ...(header === undefined || header === true ? {} : { header }),
    ...undetectableOf(options),
  };
}

/** Stated options that can't be detected. */
function undetectableOf(options: SourceOptions): InputOptions {
  const keys = [
    ...(['skipLines', 'ragged', 'nulls', 'records', 'sheet', 'inputHeaderFile'] as const),
    'maxRecordBytes' as const,
  ];
  const stated = keys.filter((key) => options[key] !== undefined);
  return Object.fromEntries(stated.map((key) => [key, options[key]]));
}
