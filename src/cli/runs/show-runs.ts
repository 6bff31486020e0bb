import type { RunProgress } from '../../cluster/run-progress.js';
import type { Progress } from '../../index.js';
import { OptionError } from '../../model/errors.js';
import { count, thousands } from '../../model/figures.js';
import { isShared, shownState } from '../../operations/options.js';
import { followRun } from '../../operations/runs/follow-run.js';
import { listRuns, type RunSummary, showRun } from '../../operations/runs/show-runs.js';
import { checkOutput } from '../../outputs/check-output.js';
import { writeOutput } from '../../outputs/output-file.js';
import type { Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import { reportJson, WRITTEN_EARLIER } from '../../report/written-earlier.js';
import { type StateArguments, stateOf } from '../options/connection.js';
import { isStdout, jsonText, pageFile, print, programName, say } from '../print.js';
import { EXIT_INTERRUPTED, untilInterrupted } from './interruption.js';
import { stateFlag } from './resume-hint.js';
import { showProgress } from './show-run.js';

/**
 * `docferry runs list`. Unreadable journals are reported on stderr, and don't prevent listing other
 * runs.
 */
export async function printRuns(args: StateArguments, json: boolean): Promise<number> {
  const state = stateOf(args);
  const { runs, failures } = await listRuns(state);
  if (json) print(JSON.stringify(runs, null, 2));
  else if (runs.length === 0) say(`No imports in ${shownState(state)} yet.`);
  else for (const summary of runs) print(summaryLine(summary));
  for (const message of failures) say(message);
  return failures.length === 0 ? 0 : 4;
}

export async function printRun(
  args: StateArguments,
  { run, json, ...files }: RunToShow,
): Promise<number> {
  const state = stateOf(args);
  const { summary, report } = await showRun(state, run);
  if (files.htmlFile !== undefined || files.reportFile !== undefined) {
    if (report === undefined) throw new OptionError(`The run ${run} has no report yet.`);
    await writeFiles(report, files);
    return 0;
  }
  const progress = isShared(state) ? await progressOf(state, run) : undefined;
  if (json) {
    const shared = progress === undefined ? {} : { progress };
    print(JSON.stringify({ ...summary, report: report ?? null, ...shared }, null, 2));
    return 0;
  }
  print(summaryLine(summary));
  if (progress !== undefined) print(progressText(progress, summary.started));
  if (report !== undefined) print(`\nIts last report:\n\n${reportText(report).trimEnd()}`);
  if (!summary.resumable) return 0;
  const flags = stateFlag(args);
  say(`To resume: ${[programName(), 'runs', 'resume', run, ...flags].join(' ')}`);
  return 0;
}

interface RunToShow {
  readonly run: string;
  readonly json?: boolean;
  /** Files to write the last report to, instead of printing. */
  readonly htmlFile?: string;
  readonly reportFile?: string;
  readonly force?: boolean;
}

async function writeFiles(
  report: Report,
  { htmlFile, reportFile, force = false }: Omit<RunToShow, 'run'>,
): Promise<void> {
  const options = { force, inputs: [] };
  if (htmlFile !== undefined) await writePage(report, htmlFile, options);
  if (reportFile !== undefined) writeJson(report, reportFile, options);
}

async function progressOf(state: string, run: string): Promise<RunProgress | undefined> {
  const { progressOfRun } = await import('../../cluster/run-progress.js');
  return await progressOfRun(state, run);
}

function progressText(
  { counts, shards, planned, workers, stop }: RunProgress,
  started: string | null,
): string {
  const { open, leased, done } = shards;
  const total = open + leased + done;
  const seconds = started === null ? 0 : (Date.now() - Date.parse(started)) / 1_000;
  return [
    `  ${count(counts.read, 'record')} read, ${thousands(counts.accepted)} accepted; ${thousands(counts.read / Math.max(1, seconds))} records/s since it began`,
    `  shards: ${thousands(done)} of ${thousands(total)} done${planned ? '' : ' (more are being cut)'}, ${thousands(leased)} being processed`,
    ...workers.map(
      ({ name, shards: own, silentMs }) =>
        `  worker ${name}: ${count(own, 'shard')}, last seen ${Math.round(silentMs / 1_000)} s ago`,
    ),
    ...(workers.length === 0
      ? ['  no worker is processing it: start one with `docferry worker`']
      : []),
    ...(stop === null ? [] : [`  being stopped: ${stop.message}`]),
  ].join('\n');
}

function summaryLine(summary: RunSummary): string {
  const { run, state, inputs, target, documents, resolvedLater, rejects, resumable } = summary;
  const counts = Object.entries(documents)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${thousands(count)} ${kind === 'sending' ? 'unconfirmed' : kind}`);
  if (resolvedLater > 0) counts.push(`${thousands(resolvedLater)} resolved by a later run`);
  const facts = [
    resumable ? `${stateText(state)}, can be resumed` : stateText(state),
    ...(state === 'unreadable' ? [] : [counts.length === 0 ? 'nothing sent' : counts.join(', ')]),
    ...(rejects === 0 ? [] : [`rejects: ${thousands(rejects)}`]),
    ...(target === null ? [] : [`monitoring ${target.monitoring} of ${target.service}`]),
    ...inputs,
  ];
  return `${run}  ${facts.join('; ')}`;
}

/** Returns the label of a state; the JSON keeps the original name. */
function stateText(state: string): string {
  return state === 'under way' ? 'running' : state;
}

interface WriteOptions {
  readonly force: boolean;
  readonly inputs: readonly string[];
}

/**
 * Writes a report as an HTML page.
 * @throws OptionError, OutputError
 */
export async function writePage(
  report: Report,
  file: string,
  options: WriteOptions,
): Promise<void> {
  const { reportHtml } = await import('../../report/html/report-html.js');
  const path = pageFile(file).replaceAll('{run}', report.run);
  writeFile('htmlFile', path, await reportHtml(report), options);
}

function writeJson(report: Report, file: string, options: WriteOptions): void {
  if (isStdout(file)) print(jsonText(report));
  else writeFile('reportFile', file.replaceAll('{run}', report.run), reportJson(report), options);
}

function writeFile(
  option: keyof typeof WRITTEN_EARLIER,
  path: string,
  text: string,
  { force, inputs }: WriteOptions,
): void {
  const mayReplace = (): boolean => force || WRITTEN_EARLIER[option](path);
  const remedy = 'name another one, or give --force to replace it';
  checkOutput({ path, what: 'report', mayReplace: mayReplace(), remedy }, { inputs });
  writeOutput(path, text, { mayReplace });
}

/** `docferry runs show --follow`; returns the exit status of the run, or 4 if it was cut off. */
export async function followOnCommand(args: StateArguments & RunToShow): Promise<number> {
  const { run } = args;
  const { signal, dispose } = untilInterrupted();
  let progress: Progress | undefined;
  let report: Report | undefined;
  const display = showProgress({ progress: () => progress, notices: () => [] });
  try {
    for await (const event of followRun({ state: stateOf(args), run, signal })) {
      if (event.type === 'progress') progress = event.progress;
      if (event.type === 'end') report = event.report;
    }
  } finally {
    display.stop();
    dispose();
  }
  if (signal.aborted) return EXIT_INTERRUPTED;
  await printRun(args, args);
  if (report === undefined) say(`The run ${run} was cut off.`);
  return report?.exitCode ?? EXIT_CUT_OFF;
}

const EXIT_CUT_OFF = 4;
