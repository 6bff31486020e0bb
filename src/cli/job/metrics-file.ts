import { lstatSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../model/errors.js';
import { readSmallTextSync } from '../../model/small-file.js';
import { checkOutput, type Surroundings } from '../../outputs/check-output.js';
import { writeOutput } from '../../outputs/output-file.js';
import { isMetrics, reportMetrics } from '../../report/metrics.js';
import type { Report } from '../../report/report.js';

/**
 * Makes sure that a run's metrics can be written to a file, and cost none but those of the last run.
 * @throws OptionError
 */
export function checkMetrics(file: string, around: Surroundings): void {
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
  const remedy = 'it is none that docferry wrote, and so it is not replaced. Name another one';
  checkOutput({ path: file, what: 'metrics file', mayReplace, remedy }, around);
}

/** Who runs the collector is somebody else, and metrics hold nothing of the records. */
const READABLE_BY_ALL = 0o644;

/**
 * Writes a run's metrics in place of those of the last run.
 * @throws OutputError
 */
export function writeMetrics(file: string, report: Report): void {
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
