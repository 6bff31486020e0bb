import { count } from '../model/figures.js';
import type { ProblemKind } from '../model/record.js';
import type { ProblemExample } from '../outcomes/tally.js';
import type { SingerConfig } from './config.js';
import type { StreamEnd } from './epoch.js';

/** Why no state may be written after an epoch. */
export interface EpochRefusal {
  readonly exitCode: number;
  /** What happened, where, and what to do. */
  readonly message: string;
}

type Rules = Pick<SingerConfig, 'emitState' | 'repeatedIds'>;

/**
 * Whether every record of an epoch is accepted, or accounted for, so that the state that came with
 * them may be written; if not, why.
 */
export function judgeEpoch(ends: readonly StreamEnd[], rules: Rules): EpochRefusal | undefined {
  const refusals = ends.flatMap((end) => refusalOf(end, rules) ?? []);
  const [first] = refusals.toSorted((a, b) => rank(a) - rank(b));
  if (first === undefined) return undefined;
  const messages = refusals.map(({ message }) => message);
  return { exitCode: first.exitCode, message: messages.join('\n') };
}

/** How many records of a stream were not accepted, but for repeats that are meant to be left out. */
export function notAccepted(
  { report }: Pick<StreamEnd, 'report'>,
  { repeatedIds }: Pick<Rules, 'repeatedIds'>,
): number {
  const { invalid, rejected } = report.counts;
  return invalid + rejected - (repeatedIds === 'skip' ? countOf(report, 'repeated-id') : 0);
}

/** How many problems of a kind a report has. */
export function countOf({ problems }: StreamEnd['report'], kind: ProblemKind): number {
  return problems.find((group) => group.kind === kind)?.count ?? 0;
}

/** The exit codes in the order in which they matter, as for a run that ends for several reasons. */
const RANKS: readonly number[] = [130, 3, 4, 5, 1];

function rank({ exitCode }: EpochRefusal): number {
  return RANKS.indexOf(exitCode);
}

function refusalOf(end: StreamEnd, rules: Rules): EpochRefusal | undefined {
  const { exitCode, stop, counts } = end.report;
  const who = `Stream ${JSON.stringify(end.stream)}`;
  if (stop !== null || counts.unsent > 0) {
    const why = stop?.message ?? `${count(counts.unsent, 'record')} could not be sent`;
    return { exitCode, message: `${who}: ${sentence(why)} ${AGAIN}` };
  }
  if (counts.unknown > 0) {
    const where = `the first in line ${firstUnknown(end)}`;
    const message = `${who}: the outcome of ${count(counts.unknown, 'record')} is unknown, ${where}. ${AGAIN} They are reconciled then.`;
    return { exitCode, message };
  }
  const others = notAccepted(end, rules);
  if (others === 0 || rules.emitState === 'accounted') return undefined;
  return { exitCode, message: `${who}: ${notAcceptedText(end, others)}` };
}

const AGAIN =
  'Start the tap again from the last state that was written: what is accepted is not sent again.';

function notAcceptedText(end: StreamEnd, others: number): string {
  const what = `${count(others, 'record')} ${others === 1 ? 'was' : 'were'} not accepted`;
  const first = firstProblem(end);
  const where =
    first === undefined ? '' : `, the first in line ${lineOf(end, first.record)}: ${first.message}`;
  return `${what}${sentence(where)} Fix the mapping or the source, and start the tap again from the last state that was written; or set emitState to "accounted", and such records go to the rejects.`;
}

/** Problems of records that are accepted all the same, or left out. */
const HARMLESS: ReadonlySet<ProblemKind> = new Set([
  'duplicate',
  'known',
  'changed',
  'sent-again',
  'shown-twice',
]);

function firstProblem({ report }: StreamEnd): ProblemExample | undefined {
  return report.problems
    .filter(({ kind }) => !HARMLESS.has(kind))
    .flatMap(({ examples }) => examples)
    .toSorted((a, b) => a.record - b.record)[0];
}

function firstUnknown(end: StreamEnd): number {
  return lineOf(end, Math.min(...end.report.unknown.map(({ from }) => from)));
}

function lineOf({ lines }: StreamEnd, record: number): number {
  return lines[record - 1] ?? 0;
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
