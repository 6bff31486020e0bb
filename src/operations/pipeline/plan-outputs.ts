import { resolvePaths } from '../../input/inputs.js';
import { OptionError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import { checkOutput, type PlannedOutput, type Surroundings } from '../../outputs/check-output.js';
import { holdsEvents } from '../../outputs/event-log.js';
import { type OutputMark, placeOfName } from '../../outputs/output-file.js';
import { RunOutputs } from '../../outputs/run-outputs.js';
import type { RecordSamples } from '../../report/html/samples.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { Report } from '../../report/report.js';
import { WRITTEN_EARLIER } from '../../report/written-earlier.js';
import type { ImportOptions, RecordOptions, ValidateOptions } from '../options.js';

/** Files that a run will write for its user. Nothing has been written yet. */
export interface PlannedOutputs {
  readonly outputs: RunOutputs;
  readonly rejects: RejectsWriter | undefined;
  readonly reportFile: string | undefined;
  readonly htmlFile: string | undefined;
  readonly eventsFile: string | undefined;
  /** Reads records with problems again, for the page; `undefined` if not asked for. */
  readonly samplesOf: ((report: Report) => Promise<RecordSamples>) | undefined;
}

type OutputSettings = Pick<
  ValidateOptions,
  'rejects' | 'reportFile' | 'htmlFile' | 'eventsFile' | 'force'
> &
  RecordOptions &
  Pick<ValidateOptions, 'htmlSamples'> &
  Partial<Pick<ImportOptions, 'stateDir'>>;

interface WritingRun {
  readonly id: string;
  readonly sources: readonly Pick<Source, 'file'>[];
  /** Files that earlier processes of this run have written. */
  readonly marks: readonly OutputMark[];
}

/**
 * Makes sure that the files of a run overwrite no input, no file of others and not each other.
 * @throws OptionError that names the file and a remedy
 */
export async function planOutputs(
  options: OutputSettings,
  { id, sources, marks }: WritingRun,
): Promise<PlannedOutputs> {
  const outputs = new RunOutputs(id, { force: options.force ?? false, marks });
  const surroundings = surroundingsOf(options, sources);
  const named = (file: string | undefined): string | undefined => file?.replaceAll('{run}', id);
  const rejects = named(options.rejects);
  const reportFile = named(options.reportFile);
  const htmlFile = named(options.htmlFile);
  const eventsFile = named(options.eventsFile);
  const files = [
    ...asReport('reportFile', reportFile, outputs),
    ...asReport('htmlFile', htmlFile, outputs),
    ...asEventLog(eventsFile),
  ];
  for (const file of files) checkOutput(file, surroundings);
  assertDistinctFiles(files);
  const samplesOf = samplesFor(options);
  const planned = { outputs, reportFile, htmlFile, eventsFile, samplesOf };
  if (rejects === undefined) return { ...planned, rejects };
  // Loaded lazily; only runs with rejects need it.
  const { checkRejects, isOfRejects, openRejects } = await import(
    '../../report/rejects/rejects.js'
  );
  checkRejects(rejects, outputs, surroundings);
  for (const { path, what } of files) {
    if (!isOfRejects(path, rejects)) continue;
    throw new OptionError(
      `The ${what} ${path} would overwrite the rejects ${rejects} or a file that belongs to them. Give one of them another name.`,
    );
  }
  return { ...planned, rejects: openRejects(rejects, { id, outputs }) };
}

/** @throws OptionError if there is no page to show them */
function samplesFor(options: OutputSettings): PlannedOutputs['samplesOf'] {
  const { htmlFile, htmlSamples } = options;
  if (htmlSamples === undefined) return undefined;
  if (htmlFile === undefined) {
    throw new OptionError(
      "Samples of records are shown on the report's page: name its file with --html.",
    );
  }
  return async (report) => {
    const { readSamples } = await import('./read-samples.js');
    return await readSamples(options, report, htmlSamples);
  };
}

interface NamedOutput extends PlannedOutput {
  readonly title: string;
}

const TITLES = { reportFile: 'report as JSON', htmlFile: 'report as a page' } as const;

function asReport(
  option: keyof typeof TITLES,
  path: string | undefined,
  outputs: RunOutputs,
): readonly NamedOutput[] {
  if (path === undefined) return [];
  const mayReplace = outputs.mayReplace(path, WRITTEN_EARLIER[option]);
  const remedy = outputs.remedyFor(path);
  return [{ path, title: TITLES[option], what: 'report', mayReplace, remedy }];
}

/** Events are appended, so an existing file must already be an event log. */
function asEventLog(path: string | undefined): readonly NamedOutput[] {
  if (path === undefined) return [];
  const remedy = "it doesn't hold events, so none can be appended. Name another file";
  const title = 'file of events';
  return [{ path, title, what: title, mayReplace: holdsEvents(path), remedy }];
}

function assertDistinctFiles(files: readonly NamedOutput[]): void {
  for (const [index, { path, title }] of files.entries()) {
    const same = files
      .slice(0, index)
      .find((other) => placeOfName(other.path) === placeOfName(path));
    if (same === undefined) continue;
    throw new OptionError(
      `The ${same.title} and the ${title} would be the same file, ${path}. Give one of them another name.`,
    );
  }
}

/** The file of an archive's member is the archive. */
function surroundingsOf(
  { mapping, schema, stateDir }: OutputSettings,
  sources: WritingRun['sources'],
): Surroundings {
  const read = sources.flatMap(({ file }) => (file === null ? [] : [file.path]));
  const named = [mapping, schema].filter((given) => typeof given === 'string');
  return { inputs: [...read, ...named], stateDir };
}

/**
 * Resolves the paths and globs of an input to files, without reading them or contacting URLs.
 * @throws SourceError if a path doesn't exist
 */
export async function inputFiles(given: readonly string[]): Promise<readonly string[]> {
  const found = await resolvePaths(given);
  return found.flatMap(({ file }) => (file === null ? [] : [file.path]));
}
