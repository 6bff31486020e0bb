import { lstatSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../model/errors.js';
import { readSmallTextSync } from '../../model/small-file.js';
import type { ImportOptions } from '../../operations/options.js';
import { inputFiles } from '../../operations/pipeline/plan-outputs.js';
import { checkOutput, type Surroundings } from '../../outputs/check-output.js';
import { OutputError, writeOutput } from '../../outputs/output-file.js';
import { isMetrics, reportMetrics } from '../../report/metrics.js';
import type { ExitCode, Report } from '../../report/report.js';
import { say } from '../print.js';

/** Files that a run reads, and the folder where it is kept. */
type FileOptions = Pick<ImportOptions, 'input' | 'mapping' | 'schema' | 'stateDir'>;

/**
 * Checks, before a run begins, that its metrics can be written and replace only those of the last run.
 * @returns writes them once the run has ended, and gives the exit status
 * @throws OptionError
 */
export async function planMetrics(
  file: string,
  options: FileOptions,
): Promise<(report: Report) => ExitCode> {
  checkMetrics(file, { inputs: await filesRead(options), stateDir: options.stateDir });
  return (report) => {
    try {
      writeMetrics(file, report);
      return report.exitCode;
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      say(error.message);
      // As for any file of results that can't be written.
      return report.exitCode === 130 || report.exitCode === 3 ? report.exitCode : 4;
    }
  };
}

async function filesRead({ input, mapping, schema }: FileOptions): Promise<readonly string[]> {
  // On the command line, inputs are paths and globs.
  const found = await inputFiles(input as readonly string[]);
  return [...found, ...[mapping, schema].filter((given) => typeof given === 'string')];
}

/**
 * Makes sure that a run's metrics can be written to a file, and cost none but those of the last run.
 * @throws OptionError
 */
function checkMetrics(file: string, around: Surroundings): void {
  if (path.extname(file) !== '.prom') {
    throw new OptionError(
      `--metrics is ${JSON.stringify(file)}: node_exporter reads only files whose names end in .prom. Name such a file.`,
    );
  }
  if (file.includes('{run}')) {
    throw new OptionError(
      `--metrics is ${file}: with a file for each run, node_exporter would show all of them for ever. Give each job one name, without {run}.`,
    );
  }
  const mayReplace = isOwn(file);
  const remedy = "docferry didn't write it, so it isn't replaced: name another file";
  checkOutput({ path: file, what: 'metrics file', mayReplace, remedy }, around);
}

/** Who runs the collector is somebody else, and metrics hold nothing of the records. */
const READABLE_BY_ALL = 0o644;

/**
 * Writes a run's metrics in place of those of the last run.
 * @throws OutputError
 */
function writeMetrics(file: string, report: Report): void {
  const before = textOf(file);
  const text = reportMetrics(report, {
    task: path.basename(file, '.prom'),
    ...(before === undefined ? {} : { before }),
  });
  writeOutput(file, text, { mode: READABLE_BY_ALL, mayReplace: () => isOwn(file) });
}

/** An empty file holds nothing. */
function isOwn(file: string): boolean {
  const text = textOf(file);
  return text !== undefined && (text === '' || isMetrics(text));
}

/** `undefined` for what is no file that can be read; links may lead to anybody's. */
function textOf(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? readSmallTextSync(file) : undefined;
  } catch {
    return undefined;
  }
}
