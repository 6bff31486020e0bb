import { resolvePaths } from '../../input/inputs.js';
import { OptionError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import { checkOutput, type PlannedOutput, type Surroundings } from '../../outputs/check-output.js';
import { type OutputMark, placeOfName } from '../../outputs/output-file.js';
import { RunOutputs } from '../../outputs/run-outputs.js';
import { holdsEvents } from '../../report/event-log.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { ImportOptions, ValidateOptions } from '../options.js';

/** The files that a run is going to write for its user; nothing is changed yet. */
export interface PlannedOutputs {
  readonly outputs: RunOutputs;
  readonly rejects: RejectsWriter | undefined;
  /** `undefined` if the report isn't to be written to a file. */
  readonly reportFile: string | undefined;
  /** The same for the report as a page. */
  readonly htmlFile: string | undefined;
  /** The same for the run's events. */
  readonly eventsFile: string | undefined;
}

/** Options that say which files a run writes. */
export type OutputSettings = Pick<
  ValidateOptions,
  'rejects' | 'reportFile' | 'htmlFile' | 'eventsFile' | 'force'
> &
  Pick<ValidateOptions, 'mapping' | 'schema'> &
  Partial<Pick<ImportOptions, 'stateDir'>>;

/** The run that writes them. */
interface WritingRun {
  readonly id: string;
  readonly sources: readonly Pick<Source, 'file'>[];
  /** What earlier processes of this run have written. */
  readonly marks: readonly OutputMark[];
}

/**
 * Checks that the files which a run is to write cost none that is there.
 * @throws OptionError that names the file and says what helps
 */
export async function planOutputs(
  options: OutputSettings,
  { id, sources, marks }: WritingRun,
): Promise<PlannedOutputs> {
  const outputs = new RunOutputs(id, { force: options.force ?? false, marks });
  const around = surroundingsOf(options, sources);
  const rejects = nameOf(options.rejects, outputs);
  const named = {
    reportFile: nameOf(options.reportFile, outputs),
    htmlFile: nameOf(options.htmlFile, outputs),
    eventsFile: nameOf(options.eventsFile, outputs),
  };
  const files = plannedFiles(named, outputs);
  for (const file of files) checkOutput(file, around);
  refuseSameFile(files);
  if (rejects === undefined) return { outputs, rejects, ...named };
  // A run without rejects need not load what writes them.
  const { checkRejects, isOfRejects, openRejects } = await import(
    '../../report/rejects/rejects.js'
  );
  checkRejects(rejects, outputs, around);
  for (const { path, what } of files) {
    if (!isOfRejects(path, rejects)) continue;
    throw new OptionError(
      `The ${what} ${path} would be the same file as the rejects ${rejects}, or as one that stands beside it: give one of them another name.`,
    );
  }
  return { outputs, rejects: openRejects(rejects, { id, outputs }), ...named };
}

function nameOf(file: string | undefined, outputs: RunOutputs): string | undefined {
  return file === undefined ? undefined : outputs.named(file);
}

/** A file that is to be written, and how it is told from the others. */
interface NamedOutput extends PlannedOutput {
  readonly title: string;
}

function plannedFiles(
  {
    reportFile,
    htmlFile,
    eventsFile,
  }: Pick<PlannedOutputs, 'reportFile' | 'htmlFile' | 'eventsFile'>,
  outputs: RunOutputs,
): readonly NamedOutput[] {
  const report = (path: string): Omit<NamedOutput, 'title'> => ({
    ...{ path, what: 'report', mayReplace: outputs.mayReplace(path) },
    remedy: outputs.remedyFor(path),
  });
  const files: NamedOutput[] = [];
  if (reportFile !== undefined) files.push({ ...report(reportFile), title: 'report as JSON' });
  if (htmlFile !== undefined) files.push({ ...report(htmlFile), title: 'report as a page' });
  if (eventsFile !== undefined) files.push({ ...eventLog(eventsFile), title: 'file of events' });
  return files;
}

/** It is added to, so one that is there must be one. */
function eventLog(path: string): Omit<NamedOutput, 'title'> {
  const isOne = holdsEvents(path);
  return {
    ...{ path, what: 'file of events', mayReplace: isOne },
    remedy: 'it holds something else, and events are added to a file. Name another one',
  };
}

function refuseSameFile(files: readonly NamedOutput[]): void {
  for (const [at, { path, title }] of files.entries()) {
    const same = files.slice(0, at).find((other) => placeOfName(other.path) === placeOfName(path));
    if (same === undefined) continue;
    throw new OptionError(
      `The ${same.title} and the ${title} would be the same file, ${path}: give one of them another name.`,
    );
  }
}

/** A member's file is its archive. */
function surroundingsOf(
  { mapping, schema, stateDir }: OutputSettings,
  sources: WritingRun['sources'],
): Surroundings {
  const read = sources.flatMap(({ file }) => (file === null ? [] : [file.path]));
  const named = [mapping, schema].filter((given) => typeof given === 'string');
  return { inputs: [...read, ...named], stateDir };
}

/**
 * The files that paths and globs of an input name; nothing is read, and no address is asked.
 * @throws SourceError if there is nothing at a path
 */
export async function inputFiles(given: readonly string[]): Promise<readonly string[]> {
  const found = await resolvePaths(given);
  return found.flatMap(({ file }) => (file === null ? [] : [file.path]));
}
