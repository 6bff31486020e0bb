import { OptionError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import { checkOutput, type Surroundings } from '../../outputs/check-output.js';
import type { OutputMark } from '../../outputs/output-file.js';
import { placeOfName } from '../../outputs/places.js';
import { RunOutputs } from '../../outputs/run-outputs.js';
import type { RejectsWriter } from '../../report/rejects.js';
import type { ImportOptions, ValidateOptions } from '../options.js';

/** The files that a run is going to write for its user; nothing is changed yet. */
export interface PlannedOutputs {
  readonly outputs: RunOutputs;
  readonly rejects: RejectsWriter | undefined;
  /** `undefined` if the report isn't to be written to a file. */
  readonly reportFile: string | undefined;
  /** The same for the report as a page. */
  readonly htmlFile: string | undefined;
}

/** Options that say which files a run writes. */
export type OutputSettings = Pick<
  ValidateOptions,
  'rejects' | 'reportFile' | 'htmlFile' | 'force'
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
  const reports = {
    reportFile: nameOf(options.reportFile, outputs),
    htmlFile: nameOf(options.htmlFile, outputs),
  };
  checkReports(reports, outputs, around);
  if (rejects === undefined) return { outputs, rejects, ...reports };
  // A run without rejects need not load what writes them.
  const { checkRejects, isOfRejects, openRejects } = await import('../../report/rejects.js');
  checkRejects(rejects, outputs, around);
  for (const file of Object.values(reports)) {
    if (file === undefined || !isOfRejects(file, rejects)) continue;
    throw new OptionError(
      `The report ${file} would be the same file as the rejects ${rejects}, or as one that stands beside it: give one of them another name.`,
    );
  }
  return { outputs, rejects: openRejects(rejects, { id, outputs }), ...reports };
}

function nameOf(file: string | undefined, outputs: RunOutputs): string | undefined {
  return file === undefined ? undefined : outputs.named(file);
}

function checkReports(
  { reportFile, htmlFile }: Pick<PlannedOutputs, 'reportFile' | 'htmlFile'>,
  outputs: RunOutputs,
  around: Surroundings,
): void {
  for (const file of [reportFile, htmlFile]) {
    if (file === undefined) continue;
    const may = { mayReplace: outputs.mayReplace(file), remedy: outputs.remedyFor(file) };
    checkOutput({ path: file, what: 'report', ...may }, around);
  }
  if (reportFile === undefined || htmlFile === undefined) return;
  if (placeOfName(reportFile) !== placeOfName(htmlFile)) return;
  throw new OptionError(
    `The report as JSON and as a page would be the same file, ${htmlFile}: give one of them another name.`,
  );
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
