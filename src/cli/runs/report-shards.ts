import { duration, thousands } from '../../model/figures.js';
import { mergeReports } from '../../operations/merge-reports.js';
import type { ImportOptions } from '../../operations/options.js';
import { followShards, type ImportProgress } from '../../operations/shards/show-shards.js';
import { withProgramName } from '../../report/program-name.js';
import type { Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import { fileOptions } from '../options/run.js';
import { canRedraw, clearStatusLine, drawStatusLine, terminalOf } from '../output/terminal-of.js';
import { isStdout, jsonText, log, print } from '../print.js';
import { untilInterrupted } from './interruption.js';
import { planMetrics } from './metrics-file.js';

interface ReportArguments
  extends Pick<ImportOptions, 'rejects' | 'reportFile' | 'htmlFile' | 'quotes' | 'overwrite'> {
  readonly metrics?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly follow?: boolean;
}

/** Prints the merged report of an import in shards, and writes its files. */
export async function reportShards(
  key: string,
  state: string,
  args: ReportArguments,
): Promise<number> {
  const writeMetrics = await planMetrics(args.metrics, {
    ...fileOptions(args),
    input: [],
    mapping: {} as ImportOptions['mapping'],
  });
  if (args.follow) await showProgress(key, state);
  const report = await mergeReports({ state, run: key, ...fileOptions(args) });
  await printReport(report, args);
  for (const { message } of report.unwritten) log(message);
  return writeMetrics(report);
}

async function printReport(
  report: Report,
  { json, markdown, reportFile = '' }: ReportArguments,
): Promise<void> {
  if (json || isStdout(reportFile)) print(jsonText(report));
  else if (markdown) {
    const { reportSummary } = await import('../../report/summary.js');
    process.stdout.write(reportSummary(report));
  } else process.stdout.write(withProgramName(reportText(report, terminalOf(process.stdout))));
}

/** Interval of progress lines that aren't redrawn, in seconds. */
const LINE_SECONDS = 5;

/** Shows the progress of the shards until all are done or the user interrupts it. */
async function showProgress(key: string, state: string): Promise<void> {
  const { signal, dispose } = untilInterrupted();
  try {
    let seconds = 0;
    for await (const progress of followShards(state, key, signal)) {
      const line = shardsLine(progress);
      if (canRedraw()) drawStatusLine(line.slice(0, terminalOf(process.stderr).width - 1));
      else if (seconds % LINE_SECONDS === 0) log(line);
      seconds += 1;
    }
  } finally {
    clearStatusLine();
    dispose();
  }
}

/** For example `3 of 16 shards done, 4 running, 9 left; 1,200,000 records, 40,000/s, 2 min left`. */
function shardsLine({ shards, startedMs, bytesTotal }: ImportProgress): string {
  const number = (state: string): number => shards.filter((one) => one.state === state).length;
  const sum = (name: 'read' | 'bytesRead'): number =>
    shards.reduce((all, { counts }) => all + counts[name], 0);
  const [done, running] = [number('done'), number('running')];
  const elapsedMs = Math.max(1, Date.now() - startedMs);
  const share = bytesTotal === 0 ? 1 : sum('bytesRead') / bytesTotal;
  const leftMs = (elapsedMs * (1 - share)) / share;
  const left = share > 0 && share < 1 ? `, ${duration(leftMs)} left` : '';
  const others = shards.length - done - running;
  return `${done} of ${shards.length} shards done, ${running} running, ${others} left; ${thousands(sum('read'))} records, ${thousands((sum('read') * 1_000) / elapsedMs)}/s${left}`;
}
