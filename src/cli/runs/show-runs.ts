import { JournalError } from '../../model/errors.js';
import { thousands } from '../../report/figures.js';
import type { Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import { countStates, type Journal } from '../../runs/sqlite/journal.js';
import { RecordStates } from '../../runs/sqlite/record-states.js';
import { isHeld, listRuns, lookAtRun } from '../../runs/sqlite/run-folders.js';
import { print, say } from '../print.js';
import { programName } from '../program-name.js';
import { stateFlag } from './resume-hint.js';

/** What there is to say of a run that is kept. */
interface RunSummary {
  readonly run: string;
  /** When it began, ISO 8601 in UTC; `null` if it was cut off before that was written. */
  readonly started: string | null;
  /** `under way`, `cut off`, `unreadable` (its journal is damaged), or as its last report says. */
  readonly state: string;
  readonly inputs: readonly string[];
  readonly target: { readonly service: string; readonly monitoring: number } | null;
  /** Documents that were sent or about to be, by what the journal says of them. */
  readonly documents: ReturnType<typeof countStates>;
  /** Records that are invalid or were rejected, and that no run has imported since, mended. */
  readonly openRejects: number;
  /** Records that another run has imported since, mended. */
  readonly mended: number;
  /** Whether something is left to do. */
  readonly resumable: boolean;
}

/** `docferry runs list`. One whose journal can't be read costs no other: it is named on stderr. */
export function printRuns(stateDir: string, json: boolean): number {
  const failures: string[] = [];
  const runs = listRuns(stateDir).map((run) => {
    try {
      return summaryOf(stateDir, run);
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      failures.push(error.message);
      return unreadable(run);
    }
  });
  if (json) print(JSON.stringify(runs, null, 2));
  else if (runs.length === 0) say(`No import was made from here: there is none in ${stateDir}.`);
  else for (const summary of runs) print(line(summary));
  for (const message of failures) say(message);
  return failures.length === 0 ? 0 : 4;
}

function unreadable(run: string): RunSummary {
  return {
    run,
    started: null,
    state: 'unreadable',
    openRejects: 0,
    inputs: [],
    target: null,
    documents: countStates(new RecordStates()),
    mended: 0,
    resumable: false,
  };
}

/** `docferry runs show`. */
export function printRun(stateDir: string, run: string, json: boolean): number {
  const summary = summaryOf(stateDir, run);
  const report = lookAtRun(stateDir, run, (journal) => journal.report as Report | undefined);
  if (json) {
    print(JSON.stringify({ ...summary, report: report ?? null }, null, 2));
    return 0;
  }
  print(line(summary));
  if (report !== undefined) print(`\nIts last report:\n\n${reportText(report).trimEnd()}`);
  if (!summary.resumable) return 0;
  const flags = stateFlag({ 'state-dir': stateDir });
  say(`To go on: ${[programName(), 'runs', 'resume', run, ...flags].join(' ')}`);
  return 0;
}

function summaryOf(stateDir: string, run: string): RunSummary {
  return lookAtRun(stateDir, run, (journal) => summary(run, journal, isHeld(stateDir, run)));
}

function summary(run: string, journal: Journal, held: boolean): RunSummary {
  const { description } = journal;
  const report = journal.report as Report | undefined;
  return {
    run,
    started: description?.started ?? null,
    state: held ? 'under way' : (report?.status ?? 'cut off'),
    inputs: description?.inputs.map(({ name }) => name) ?? [],
    target: description?.target ?? null,
    documents: countStates(journal.states()),
    ...rejectsOf(journal, report),
    resumable: !held && description !== undefined && (report?.resumable ?? true),
  };
}

/** Invalid records never became documents: only the report knows of them. */
function rejectsOf(
  journal: Journal,
  report: Report | undefined,
): Pick<RunSummary, 'mended' | 'openRejects'> {
  const states = journal.states();
  const { rejected } = countStates(states);
  const mended = [...journal.mended().entries()].flatMap(([{ input, from, to }]) =>
    Array.from({ length: to - from + 1 }, (_, index) => states.get(input, from + index)?.kind),
  );
  const closed = mended.filter((kind) => kind === undefined || kind === 'rejected').length;
  const openRejects = Math.max(0, (report?.counts.invalid ?? 0) + rejected - closed);
  return { mended: mended.length, openRejects };
}

function line(summary: RunSummary): string {
  const { run, state, inputs, target, documents, openRejects, mended, resumable } = summary;
  const counts = Object.entries(documents)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${thousands(count)} ${kind === 'sending' ? 'in doubt' : kind}`);
  const facts = [
    resumable ? `${state}, can go on` : state,
    ...(state === 'unreadable' ? [] : [counts.length === 0 ? 'nothing sent' : counts.join(', ')]),
    ...(openRejects === 0 ? [] : [`rejects open: ${thousands(openRejects)}`]),
    ...(mended === 0 ? [] : [`${thousands(mended)} mended since`]),
    ...(target === null ? [] : [`monitoring ${target.monitoring} of ${target.service}`]),
    ...inputs,
  ];
  return `${run}  ${facts.join('; ')}`;
}
