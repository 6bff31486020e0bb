/** The ways in which a file can be read, where detection of its format alone does not decide. */
import { formatOf } from '../formats/formats.js';
import { findLists, firstSheets } from '../formats/look-into.js';
import { openSources } from '../formats/open-sources.js';
import { type InputOptions, type SourceOptions, statedFormat } from '../formats/options.js';
import { findEncoding, UnclearEncodingError } from '../input/encoding/detect-encoding.js';
import { DocferryError } from '../model/errors.js';
import type { Input, Source } from '../model/source.js';
import { bestSheet, MAX_TRIAL_ROWS, raggedWay, type Try, type Way } from './candidate-parsings.js';
import { type Draft, draftMapping } from './draft-mapping.js';
import { lacksHeader } from './headers.js';
import { type Sample, takeRecords } from './sample.js';

/** What a sample holds at most; and what a trial of one of several ways looks at. */
const BOUNDS = { records: 4000, bytes: 2 * 1024 ** 3 };
const TRIAL = { records: 300, bytes: 1024 ** 2 };
/** Most lines before a header. */
const MAX_PREAMBLE = 25;
const MAX_LISTS = 6;
/** Files of a glob or an archive that are tried. */
const MAX_FILES = 6;

/**
 * Reads a file in the way in which it looks most like reviews, and drafts a mapping for it.
 * @throws SourceError if it can't be read in any way
 */
export async function draftFor(input: Input, stated: SourceOptions): Promise<Draft> {
  try {
    return await draftIn(input, stated);
  } catch (error) {
    if (!(error instanceof UnclearEncodingError) || !canBeReadAgain(input)) throw error;
    return await draftInLikely(error.readings, input, stated);
  }
}

/** How the question begins that a draft in one of several encodings asks. */
export const UNCLEAR_ENCODING = 'the file is not UTF-8, and its encoding is not clear';

/** Drafts it in the likeliest of several encodings, and asks which it is. */
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
    ({ encoding, line }) => `"encoding: ${encoding}" reads ${JSON.stringify(line)}`,
  );
  const todo = `${UNCLEAR_ENCODING}. Add the one that reads right under input: ${choices.join('; ')}`;
  return { ...draft, input: others, todos: [todo, ...draft.todos] };
}

function canBeReadAgain(input: Input): boolean {
  return typeof input === 'string' || Array.isArray(input);
}

async function draftIn(input: Input, stated: SourceOptions): Promise<Draft> {
  const { way, todos } = await bestWay(input, stated);
  const source = await openOne(input, { ...stated, ...way });
  const sample = await takeRecords(source, BOUNDS);
  const { notUtf8 } = sample;
  const canReadAgain = source.file !== null || Array.isArray(input);
  if (notUtf8 !== undefined && stated.encoding === undefined && canReadAgain) {
    const { encoding, unclear } = findEncoding(source.name, { bytes: notUtf8, whole: true }, {});
    if (unclear !== undefined) throw new UnclearEncodingError(source.name, unclear);
    if (encoding !== 'utf-8') return await draftIn(input, { ...stated, encoding });
  }
  const draft = draftMapping(sample, inputOf(source, { ...stated, ...way }));
  return { ...draft, todos: [...todos, ...draft.todos] };
}

async function bestWay(input: Input, stated: SourceOptions): Promise<Way> {
  const plain = await attempt(() => openOne(input, stated));
  if (!(plain instanceof DocferryError)) closeFiles([plain]);
  if (plain instanceof DocferryError || hasSheets(plain)) {
    const sheets = await firstSheets(input, stated, MAX_TRIAL_ROWS);
    if (sheets !== undefined && sheets.length > 0) return bestSheet(sheets, stated);
  }
  // To find the encoding takes longer than all else of a trial.
  const encoding = plain instanceof DocferryError ? null : plain.detected.encoding;
  const found = encoding === null || encoding === 'utf-8' ? {} : { encoding };
  const { way, todos } = await bestText(input, { ...stated, ...found }, plain);
  return { way: { ...found, ...way }, todos };
}

function hasSheets({ layout }: Source): boolean {
  return formatOf(layout).binary?.firstRows !== undefined;
}

/** The same for a file that is no workbook. */
async function bestText(
  input: Input,
  stated: SourceOptions,
  plain: Source | DocferryError,
): Promise<Way> {
  if (plain instanceof DocferryError || plain.layout.inList) {
    return { way: await bestList(input, stated, plain), todos: [] };
  }
  if (plain.layout.dialect === undefined) return { way: {}, todos: [] };
  const way = await bestTable(input, stated, plain);
  const isOpen = stated.ragged === undefined && stated.header === undefined;
  const attempt: Try = (other) => trial(input, { ...stated, ...other });
  const ragged = isOpen ? await raggedWay(way, attempt) : undefined;
  return ragged ?? { way, todos: [] };
}

async function bestTable(
  input: Input,
  stated: SourceOptions,
  plain: Source,
): Promise<SourceOptions> {
  const skipLines = stated.skipLines ?? (await bestStart(input, stated, plain));
  const skipping = skipLines === undefined || skipLines === 0 ? {} : { skipLines };
  if (stated.header !== undefined) return skipping;
  const headed = await trial(input, { ...stated, ...skipping });
  return headed !== undefined && lacksHeader(headed) ? { ...skipping, header: false } : skipping;
}

async function openOne(input: Input, options: SourceOptions): Promise<Source> {
  const [source] = await openSources(input, options);
  if (source === undefined) throw new Error('An input was opened as no source. This is a bug.');
  return source;
}

/** One of the files that an input gives. */
interface ChosenFile {
  readonly input: Input;
  /** What a person should know of the others. */
  readonly remarks: readonly string[];
}

/**
 * Of the files that a glob or an archive gives, the one that looks most like reviews; of a stream,
 * which can't be named, the first.
 */
export async function likeliestFile(input: Input, stated: SourceOptions): Promise<ChosenFile> {
  const isNamed = typeof input === 'string' || Array.isArray(input);
  const sources = await attempt(() => (isNamed ? openSources(input, stated) : Promise.resolve([])));
  if (sources instanceof DocferryError) return { input, remarks: [] };
  closeFiles(sources);
  if (sources.length < 2) return { input, remarks: [] };
  let best = { name: sources[0]?.name ?? '', merit: Number.NEGATIVE_INFINITY };
  for (const { name, file } of sources.slice(0, MAX_FILES)) {
    const sample = file === null ? undefined : await trial(name, stated);
    if (sample === undefined || sample.records.length === 0) continue;
    const { merit } = draftMapping(sample, {});
    if (merit > best.merit + 0.1) best = { name, merit };
  }
  const remark = `The mapping is guessed for ${best.name}, one of ${sources.length} files; name another one if their layouts differ.`;
  return { input: best.merit > Number.NEGATIVE_INFINITY ? best.name : input, remarks: [remark] };
}

/** Files are opened anew when they are tried; stdin can't be. */
function closeFiles(sources: readonly Source[]): void {
  for (const source of sources) if (source.file !== null) source.close();
}

/** What comes of an act, or why the input can't be read. */
async function attempt<T>(act: () => Promise<T>): Promise<T | DocferryError> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DocferryError) return error;
    throw error;
  }
}

async function trial(input: Input, options: SourceOptions): Promise<Sample | undefined> {
  const taken = await attempt(async () => takeRecords(await openOne(input, options), TRIAL));
  return taken instanceof DocferryError ? undefined : taken;
}

/** Of the lists in a JSON document, the one whose elements look most like reviews. */
async function bestList(
  input: Input,
  stated: SourceOptions,
  plain: Source | DocferryError,
): Promise<SourceOptions> {
  if (stated.records !== undefined) return {};
  const lists = await findLists(input, stated);
  const ways: SourceOptions[] = [
    ...(plain instanceof DocferryError ? [] : [{}]),
    ...lists
      .filter(isOutside)
      .slice(0, MAX_LISTS)
      .map((records) => ({ records })),
  ];
  let best: { readonly way: SourceOptions; readonly merit: number } | undefined;
  for (const way of ways) {
    const sample = await trial(input, { ...stated, ...way });
    if (sample === undefined || sample.records.length === 0) continue;
    const { merit } = draftMapping(sample, {});
    if (best === undefined || merit > best.merit + 0.1) best = { way, merit };
  }
  if (best !== undefined) return best.way;
  if (plain instanceof DocferryError) throw plain;
  return {};
}

/** A list inside the first of many elements holds only that element's. */
function isOutside(path: string, _: number, lists: readonly string[]): boolean {
  return !lists.some((other) => other !== path && path.startsWith(`${other}[`));
}

/**
 * How many lines precede the table: those after which the header has most columns that the records
 * share. Only asked where the first line makes a poor header.
 */
async function bestStart(
  input: Input,
  stated: SourceOptions,
  plain: Source,
): Promise<number | undefined> {
  const first = await trial(input, stated);
  if (first === undefined || (fitOf(first) >= 0.9 * columnCount(plain) && columnCount(plain) > 1))
    return undefined;
  let best = { lines: 0, fit: fitOf(first) };
  for (let lines = 1; lines <= MAX_PREAMBLE; lines += 1) {
    const sample = await trial(input, { ...stated, skipLines: lines });
    if (sample === undefined) break;
    const fit = fitOf(sample);
    if (fit > best.fit * 1.2 + 0.5) best = { lines, fit };
  }
  return best.lines;
}

function columnCount({ layout: { dialect, columns = [] } }: Pick<Source, 'layout'>): number {
  return dialect === undefined ? 0 : columns.length;
}

/** Named columns, weighed by the share of records that have as many fields. */
function fitOf(sample: Sample): number {
  const { layout, records, unreadable } = sample;
  const { dialect, columns = [] } = layout;
  if (dialect === undefined || records.length === 0) return 0;
  const named = columns.filter((name) => name !== '').length;
  return (named * records.length) / (records.length + unreadable);
}

/** What a mapping says about its input: enough to read the next export in the same way. */
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
    ...statedIn(options),
  };
}

/** What can't be detected. */
function statedIn(options: SourceOptions): InputOptions {
  const keys = ['skipLines', 'ragged', 'nulls', 'records', 'sheet', 'inputHeaderFile'] as const;
  const stated = keys.filter((key) => options[key] !== undefined);
  return Object.fromEntries(stated.map((key) => [key, options[key]]));
}
