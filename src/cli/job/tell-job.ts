/** What a scheduler or a CI job is told of a run, from its report. It is loaded if asked for. */
import { appendFileSync, statSync } from 'node:fs';
import { OptionError } from '../../model/errors.js';
import { inputFiles } from '../../operations/input-files.js';
import type { ImportOptions } from '../../operations/options.js';
import { checkOutput, type Surroundings } from '../../outputs/check-output.js';
import { OutputError } from '../../outputs/output-file.js';
import { placeOfName } from '../../outputs/places.js';
import { reportAnnotations } from '../../report/annotations.js';
import type { ExitCode, Report } from '../../report/report.js';
import { reportSummary } from '../../report/summary.js';
import type { JobArguments } from '../options/run.js';
import { isStdout, say } from '../print.js';
import { checkMetrics, writeMetrics } from './metrics-file.js';

/** What a run reads and writes itself. */
export type FileOptions = Pick<
  ImportOptions,
  'input' | 'mapping' | 'schema' | 'stateDir' | 'rejects' | 'reportFile' | 'htmlFile' | 'eventsFile'
>;

/**
 * Makes sure, before a run begins, that all files can be written and cost none that is there.
 * @returns what tells the job once the run has ended, and gives the exit status
 * @throws OptionError
 */
export async function planTellingJob(
  { metrics, summary, annotations }: JobArguments,
  options: FileOptions,
): Promise<(report: Report) => ExitCode> {
  const around = { inputs: await filesRead(options), stateDir: options.stateDir };
  refuseShared({ '--metrics': metrics, '--summary': summary }, options);
  if (metrics !== undefined) checkMetrics(metrics, around);
  if (summary !== undefined) checkSummary(summary, around);
  return (report) => {
    if (annotations) process.stderr.write(reportAnnotations(report));
    const written = [
      summary === undefined || attempt(() => appendSummary(summary, report)),
      metrics === undefined || attempt(() => writeMetrics(metrics, report)),
    ];
    return written.includes(false) ? codeOfLoss(report.exitCode) : report.exitCode;
  };
}

async function filesRead({ input, mapping, schema }: FileOptions): Promise<readonly string[]> {
  // On the command line, inputs are paths and globs.
  const found = await inputFiles(input as readonly string[]);
  return [...found, ...[mapping, schema].filter((given) => typeof given === 'string')];
}

/** Files by the flags that name them. */
type NamedFiles = Readonly<Record<string, string | undefined>>;

/** @throws OptionError if one of the files is another one, too, or one that the run itself writes */
function refuseShared(files: NamedFiles, options: FileOptions): void {
  const { rejects, reportFile, htmlFile, eventsFile } = options;
  const results = { '--rejects': rejects, '--report': reportFile, '--html': htmlFile };
  const others = { ...results, '--events': eventsFile };
  for (const [flag, file] of Object.entries(files)) {
    const same = Object.entries({ ...files, ...others }).find(
      ([other, name]) => other !== flag && isSameName(file, name),
    );
    if (same === undefined) continue;
    const both = `${flag} and ${same[0]} are both ${file}`;
    throw new OptionError(`${both}: give one of them another name.`);
  }
}

function isSameName(file: string | undefined, other: string | undefined): boolean {
  if (file === undefined || other === undefined) return false;
  return placeOfName(file) === placeOfName(other);
}

/** Other steps of the job may have written into it: what is there stays. */
function checkSummary(file: string, around: Surroundings): void {
  if (file === '') {
    throw new OptionError(
      '--summary is empty: name a file. GITHUB_STEP_SUMMARY is only set where GitHub runs a workflow.',
    );
  }
  if (isStdout(file)) {
    throw new OptionError(`--summary ${file} is stdout, which has another report: name a file.`);
  }
  checkOutput({ path: file, what: 'summary', mayReplace: true, remedy: '' }, around);
}

/** As the report, it may quote what people have written. */
const PRIVATE = 0o600;

function appendSummary(named: string, report: Report): void {
  const file = named.replaceAll('{run}', report.run);
  try {
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
    // A heading needs a line of its own.
    const text = `${size > 0 ? '\n\n' : ''}${reportSummary(report)}`;
    appendFileSync(file, text, { mode: PRIVATE });
  } catch (error) {
    throw new OutputError(file, error);
  }
}

/** Whether it could be written. What has become of the records is told already. */
function attempt(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    say(error.message);
    return false;
  }
}

/** As for any result file that can't be written. */
function codeOfLoss(exitCode: ExitCode): ExitCode {
  return exitCode === 130 || exitCode === 3 ? exitCode : 4;
}
