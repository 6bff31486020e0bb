import { lstatSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../model/errors.js';
import { readSmallFile } from '../../model/small-file.js';
import type { ImportOptions } from '../../operations/options.js';
import { inputFiles } from '../../operations/pipeline/plan-outputs.js';
import { checkOutput } from '../../outputs/check-output.js';
import { inRealFolder, OutputError, writeOutput } from '../../outputs/output-file.js';
import { reportMetrics } from '../../report/metrics.js';
import type { ExitCode, Report } from '../../report/report.js';
import { log } from '../print.js';

/** Files that a run reads and writes, and the folder where it is stored. */
interface FileOptions
  extends Pick<ImportOptions, 'input'>,
    Partial<Pick<ImportOptions, 'mapping' | 'schema'>>,
    Pick<ImportOptions, 'rejects' | 'reportFile' | 'htmlFile' | 'eventsFile'> {
  readonly stateDir?: string;
}

/**
 * Checks, before a run starts, that its metrics can be written.
 * @returns function that writes them after the run, and returns the exit status
 * @throws OptionError
 */
export async function planMetrics(
  file: string | undefined,
  { input, mapping, schema, stateDir, ...outputs }: FileOptions,
): Promise<(report: Report) => ExitCode> {
  if (file === undefined) return ({ exitCode }) => exitCode;
  checkName(file);
  checkDistinct(file, outputs);
  // On the command line, inputs are paths and globs.
  const inputs = await inputFiles(input as readonly string[]);
  const read = [...inputs, ...[mapping, schema].filter((given) => typeof given === 'string')];
  checkOutput({ path: file, what: 'metrics file' }, { inputs: read, stateDir });
  return (report) => {
    const before = readRegularFile(file);
    const task = path.basename(file, '.prom');
    const text = reportMetrics(report, { task, ...(before !== undefined && { before }) });
    try {
      writeOutput(file, text, { mode: READABLE_BY_ALL });
      return report.exitCode;
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      log(error.message);
      // As for any other output that can't be written.
      return report.exitCode === 130 || report.exitCode === 3 ? report.exitCode : 4;
    }
  };
}

/** File mode: the collector runs as another user, and metrics contain no data of records. */
const READABLE_BY_ALL = 0o644;

/** @throws OptionError if node_exporter would not read the file, or read too many */
function checkName(file: string): void {
  if (path.extname(file) !== '.prom') {
    throw new OptionError(
      `--metrics is ${JSON.stringify(file)}: node_exporter reads only files whose names end in .prom. Name such a file.`,
    );
  }
  if (file.includes('{run}')) {
    throw new OptionError(
      `--metrics is ${file}: with a file for each run, node_exporter would show all of them forever. Give each job one name, without {run}.`,
    );
  }
}

/** @throws OptionError if another output has the same file */
function checkDistinct(file: string, outputs: Omit<FileOptions, 'input' | 'mapping'>): void {
  const { rejects, reportFile, htmlFile, eventsFile } = outputs;
  const others = [rejects, reportFile, htmlFile, eventsFile];
  if (!others.some((other) => other !== undefined && inRealFolder(other) === inRealFolder(file))) {
    return;
  }
  throw new OptionError(
    `The metrics and another output would be the same file, ${file}. Give one of them another name.`,
  );
}

/** Reads a file; `undefined` if it isn't a readable regular file. Links aren't followed. */
function readRegularFile(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? readSmallFile(file).toString() : undefined;
  } catch {
    return undefined;
  }
}
