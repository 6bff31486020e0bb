import type { RunProgress } from '../../cluster/cluster.js';
import { OptionError } from '../../model/errors.js';
import { count, thousands } from '../../model/figures.js';
import { listRuns, type RunSummary, showRun } from '../../operations/runs/show-runs.js';
import { isShared, shownState } from '../../operations/state-place.js';
import { reportText } from '../../report/report-text.js';
import { type StateArguments, stateOf } from '../options/connection.js';
import { print, say } from '../print.js';
import { programName } from '../program-name.js';
import { stateFlag } from './resume-hint.js';

/** `docferry runs list`. One whose journal can't be read costs no other: it is named on stderr. */
export async function printRuns(args: StateArguments, json: boolean): Promise<number> {
  const state = stateOf(args);
  const { runs, failures } = await listRuns(state);
  if (json) print(JSON.stringify(runs, null, 2));
  else if (runs.length === 0)
    say(`No import was made from here: there is none in ${shownState(state)}.`);
  else for (const summary of runs) print(line(summary));
  for (const message of failures) say(message);
  return failures.length === 0 ? 0 : 4;
}

/** `docferry runs show`. */
export async function printRun(
  args: StateArguments,
  { run, json, htmlFile: html, force = false }: RunToShow,
): Promise<number> {
  const state = stateOf(args);
  const { summary, report } = await showRun(state, run);
  if (html !== undefined) {
    if (report === undefined) throw new OptionError(`The run ${run} has no report yet.`);
    const { writePage } = await import('./write-page.js');
    await writePage(report, html, { force, inputs: [] });
    return 0;
  }
  const progress = isShared(state) ? await progressOf(state, run) : undefined;
  if (json) {
    const shared = progress === undefined ? {} : { progress };
    print(JSON.stringify({ ...summary, report: report ?? null, ...shared }, null, 2));
    return 0;
  }
  print(line(summary));
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
  /** File for its last report as a page, instead of what is printed. */
  readonly htmlFile?: string;
  readonly force?: boolean;
}

async function progressOf(state: string, run: string): Promise<RunProgress | undefined> {
  const { progressOfRun } = await import('../../cluster/cluster.js');
  return await progressOfRun(state, run);
}

/** How far a run is that several processes work on. */
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
        `  worker ${name}: ${count(own, 'shard')}, heard of ${Math.round(silentMs / 1_000)} s ago`,
    ),
    ...(workers.length === 0
      ? ['  no worker has anything of it: start one with `docferry worker`']
      : []),
    ...(stop === null ? [] : [`  being stopped: ${stop.message}`]),
  ].join('\n');
}

function line(summary: RunSummary): string {
  const { run, state, inputs, target, documents, rejects, resumable } = summary;
  const counts = Object.entries(documents)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${thousands(count)} ${kind === 'sending' ? 'unconfirmed' : kind}`);
  const facts = [
    resumable ? `${shown(state)}, can be resumed` : shown(state),
    ...(state === 'unreadable' ? [] : [counts.length === 0 ? 'nothing sent' : counts.join(', ')]),
    ...(rejects === 0 ? [] : [`rejects: ${thousands(rejects)}`]),
    ...(target === null ? [] : [`monitoring ${target.monitoring} of ${target.service}`]),
    ...inputs,
  ];
  return `${run}  ${facts.join('; ')}`;
}

/** Programs know the state by the name that it has always had. */
function shown(state: string): string {
  return state === 'under way' ? 'running' : state;
}
