import path from 'node:path';
import { FALLBACK_FORMAT, FILE_FORMATS, rejectsFormatOf } from '../../formats/formats.js';
import { resolvePaths } from '../../input/inputs.js';
import { OptionError } from '../../model/errors.js';
import type { Source, WrittenFile } from '../../model/source.js';
import {
  checkOutput,
  type PlannedOutput,
  refuseExisting,
  refuseLink,
  type Surroundings,
} from '../../outputs/check-output.js';
import { holdsEvents } from '../../outputs/event-log.js';
import { inRealFolder, isAsWritten, nameWithRun } from '../../outputs/output-file.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { ImportOptions, RecordOptions, ValidateOptions } from '../options.js';

/** Files that a run will write for its user. Nothing has been written yet. */
export interface PlannedOutputs {
  readonly rejects: RejectsWriter | undefined;
  readonly reportFile: string | undefined;
  readonly htmlFile: string | undefined;
  /** Whether that page may quote values of records. */
  readonly quotes: boolean | undefined;
  readonly eventsFile: string | undefined;
}

type OutputSettings = Pick<
  ValidateOptions,
  'rejects' | 'reportFile' | 'htmlFile' | 'quotes' | 'eventsFile' | 'overwrite'
> &
  RecordOptions &
  Partial<Pick<ImportOptions, 'stateDir'>>;

interface WritingRun {
  readonly id: string;
  readonly sources: readonly Pick<Source, 'name' | 'layout'>[];
  /** Paths of its inputs. The file of an archive's member is the archive. */
  readonly reads: readonly string[];
  /** The rejects that an earlier process of this run has written. */
  readonly earlierRejects?: readonly WrittenFile[] | undefined;
}

/**
 * Makes sure that the files of a run overwrite no input, no other rejects and not each other.
 * @throws OptionError that names the file and a remedy
 */
export async function planOutputs(
  options: OutputSettings,
  { id, sources, reads, earlierRejects = [] }: WritingRun,
): Promise<PlannedOutputs> {
  const surroundings = surroundingsOf(options, reads);
  const named = (file: string | undefined): string | undefined =>
    file === undefined ? undefined : nameWithRun(file, id);
  const rejects = named(options.rejects);
  const reportFile = named(options.reportFile);
  const htmlFile = named(options.htmlFile);
  const eventsFile = named(options.eventsFile);
  const files = [
    ...asOutput('report', 'report as JSON', reportFile),
    ...asOutput('report', 'report as a page', htmlFile),
    ...asOutput('file of events', 'file of events', eventsFile),
  ];
  for (const file of files) checkOutput(file, surroundings);
  if (eventsFile !== undefined) checkEventLog(eventsFile);
  assertDistinctFiles(files);
  const planned = { reportFile, htmlFile, quotes: options.quotes, eventsFile };
  if (rejects === undefined) return { ...planned, rejects };
  // Loaded lazily; only runs with rejects need it.
  const { checkRejects, isOfRejects, openRejects } = await import(
    '../../report/rejects/rejects.js'
  );
  const isFree = (file: string): boolean =>
    !surroundings.inputs.some((input) => isOfRejects(input, file));
  checkRejectsName(rejects, sources, isFree);
  // Not once somebody has corrected them, or another run has written files of these names.
  const isOwn =
    earlierRejects.some((file) => file.path === inRealFolder(rejects)) &&
    earlierRejects.every(isAsWritten);
  const mayReplace = options.overwrite === true || isOwn;
  checkRejects(rejects, mayReplace, surroundings);
  for (const { path: file, what } of files) {
    if (!isOfRejects(file, rejects)) continue;
    throw new OptionError(
      `The ${what} ${file} would overwrite the rejects ${rejects} or a file that belongs to them. Give one of them another name.`,
    );
  }
  return { ...planned, rejects: openRejects(rejects, { id, mayReplace }) };
}

/** Extensions of what is never written, besides binary formats that are read. */
const UNWRITABLE = new Set('xls xlsb ods numbers pdf doc docx zip 7z gz zst xz bz2'.split(' '));

/**
 * Makes sure that rejects can be what their name promises. Any text is often called .csv or .txt: what it
 * is, is recognised when it is read.
 * @param isFree whether rejects of a name replace no input
 * @throws OptionError
 */
function checkRejectsName(
  rejects: string,
  sources: WritingRun['sources'],
  isFree: (file: string) => boolean,
): void {
  const { dir, name, ext } = path.parse(rejects);
  const extension = ext.slice(1).toLowerCase();
  const named = FILE_FORMATS.find(({ extensions }) => extensions.includes(extension));
  for (const source of sources) {
    const written = rejectsFormatOf(source.layout);
    const [usual = ''] = written.extensions;
    const isText = named === undefined ? !UNWRITABLE.has(extension) : named === FALLBACK_FORMAT;
    if (isText || named === written || (extension === 'json' && usual === 'jsonl')) continue;
    const stem = path.join(dir, name.endsWith(`.${usual}`) ? path.parse(name).name : name);
    const better = `${stem}${isFree(`${stem}.${usual}`) ? '' : '.rejects'}.${usual}`;
    const opened = written === FALLBACK_FORMAT ? IN_SPREADSHEETS : '';
    throw OptionError.of(
      'rejects',
      `${rejects} can't be a file of that kind, as the rejects of ${source.name} are written as ${written.title}: name it ${better}.${opened}`,
    );
  }
}

const IN_SPREADSHEETS =
  ' Spreadsheet programs open it, and what they save, a workbook or CSV, is imported with the same mapping.';

interface NamedOutput extends PlannedOutput {
  readonly title: string;
}

function asOutput(what: string, title: string, path: string | undefined): readonly NamedOutput[] {
  return path === undefined ? [] : [{ path, title, what }];
}

/** Events are appended, so an existing file must already be an event log. */
function checkEventLog(path: string): void {
  const output = { path, what: 'file of events' };
  refuseLink(output);
  if (holdsEvents(path)) return;
  refuseExisting(output, "it doesn't hold events, so none can be appended. Name another file");
}

function assertDistinctFiles(files: readonly NamedOutput[]): void {
  for (const [index, { path: file, title }] of files.entries()) {
    const same = files
      .slice(0, index)
      .find((other) => inRealFolder(other.path) === inRealFolder(file));
    if (same === undefined) continue;
    throw new OptionError(
      `The ${same.title} and the ${title} would be the same file, ${file}. Give one of them another name.`,
    );
  }
}

function surroundingsOf(
  { mapping, schema, source, stateDir }: OutputSettings,
  reads: readonly string[],
): Surroundings {
  const named = [mapping, schema, source?.inputHeaderFile].filter(
    (given) => typeof given === 'string',
  );
  return { inputs: [...reads, ...named], stateDir: stateDir || undefined };
}

/**
 * Resolves the paths and globs of an input to files, without reading them or contacting URLs.
 * @throws SourceError if a path doesn't exist
 */
export async function inputFiles(given: readonly string[]): Promise<readonly string[]> {
  const found = await resolvePaths(given);
  return found.flatMap(({ file }) => (file === null ? [] : [file.path]));
}
