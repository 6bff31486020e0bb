import { thousands } from '../../model/figures.js';
import { listRuns, type RunSummary, showRun } from '../../operations/show-runs.js';
import { reportText } from '../../report/report-text.js';
import { print, say } from '../print.js';
import { programName } from '../program-name.js';
import { stateFlag } from './resume-hint.js';

/** `docferry runs list`. One whose journal can't be read costs no other: it is named on stderr. */
export async function printRuns(stateDir: string, json: boolean): Promise<number> {
  const { runs, failures } = await listRuns(stateDir);
  if (json) print(JSON.stringify(runs, null, 2));
  else if (runs.length === 0) say(`No import was made from here: there is none in ${stateDir}.`);
  else for (const summary of runs) print(line(summary));
  for (const message of failures) say(message);
  return failures.length === 0 ? 0 : 4;
}

/** `docferry runs show`. */
export async function printRun(stateDir: string, run: string, json: boolean): Promise<number> {
  const { summary, report } = await showRun(stateDir, run);
  if (json) {
    print(JSON.stringify({ ...summary, report: report ?? null }, null, 2));
    return 0;
  }
  print(line(summary));
  if (report !== undefined) print(`\nIts last report:\n\n${reportText(report).trimEnd()}`);
  if (!summary.resumable) return 0;
  const flags = stateFlag({ 'state-dir': stateDir });
  say(`To resume: ${[programName(), 'runs', 'resume', run, ...flags].join(' ')}`);
  return 0;
}

function line(summary: RunSummary): string {
  const { run, state, inputs, target, documents, openRejects, mended, resumable } = summary;
  const counts = Object.entries(documents)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${thousands(count)} ${kind === 'sending' ? 'unconfirmed' : kind}`);
  const facts = [
    resumable ? `${shown(state)}, can be resumed` : shown(state),
    ...(state === 'unreadable' ? [] : [counts.length === 0 ? 'nothing sent' : counts.join(', ')]),
    ...(openRejects === 0 ? [] : [`rejects open: ${thousands(openRejects)}`]),
    ...(mended === 0 ? [] : [`${thousands(mended)} fixed since`]),
    ...(target === null ? [] : [`monitoring ${target.monitoring} of ${target.service}`]),
    ...inputs,
  ];
  return `${run}  ${facts.join('; ')}`;
}

/** Programs know the state by the name that it has always had. */
function shown(state: string): string {
  return state === 'under way' ? 'running' : state;
}
