import { byUrgency } from '../model/errors.js';
import { count, thousands } from '../model/figures.js';
import { OUTCOMES, type ProblemKind } from '../model/record.js';
import { sentence } from '../model/text.js';
import type { ImportRun } from '../operations/pipeline/import-run.js';
import type { ProblemExample } from '../outcomes/problem-tally.js';
import type { SingerConfig } from './config.js';
import type { StreamResult } from './epoch.js';
import type { Message } from './messages.js';

/** Reason why no state may be written after an epoch. */
export interface EpochRefusal {
  readonly exitCode: number;
  readonly message: string;
}

type Rules = Pick<SingerConfig, 'emitState' | 'repeatedIds'>;

/**
 * Decides whether the state of an epoch may be written: every record must be accepted or accounted
 * for. Returns the reason if not.
 */
export function refusalOfEpoch(
  ends: readonly StreamResult[],
  rules: Rules,
): EpochRefusal | undefined {
  const refusals = ends.flatMap((end) => refusalIn(end, rules) ?? []);
  const [first] = refusals.toSorted((a, b) => byUrgency(a.exitCode, b.exitCode));
  if (first === undefined) return undefined;
  const messages = refusals.map(({ message }) => message);
  return { exitCode: first.exitCode, message: messages.join('\n') };
}

/**
 * Counts the records of a stream that weren't accepted. With `repeatedIds: error`, those with the
 * sourceId of an earlier record but other content are among them, otherwise not. It must not depend
 * on whether an epoch ended between the two: the same epoch makes the later one invalid, another
 * one a duplicate.
 */
export function countNotAccepted(
  { report }: Pick<StreamResult, 'report'>,
  { repeatedIds }: Pick<Rules, 'repeatedIds'>,
): number {
  const { invalid, rejected } = report.counts;
  const isError = repeatedIds === 'error';
  return (
    invalid +
    rejected +
    (isError ? countProblems(report, 'changed') : -countProblems(report, 'repeated-id'))
  );
}

/** Counts the records with the sourceId of an earlier record but other content. */
export function countChanged(report: StreamResult['report']): number {
  return countProblems(report, 'changed') + countProblems(report, 'repeated-id');
}

function countProblems({ problems }: StreamResult['report'], kind: ProblemKind): number {
  return problems.find((group) => group.kind === kind)?.count ?? 0;
}

function refusalIn(end: StreamResult, rules: Rules): EpochRefusal | undefined {
  const { exitCode, stop, counts } = end.report;
  const who = `Stream ${JSON.stringify(end.stream)}`;
  if (stop !== null || counts.unsent > 0) {
    const why = stop?.message ?? `${count(counts.unsent, 'record')} could not be sent`;
    return { exitCode, message: `${who}: ${sentence(why)} ${RESTART}` };
  }
  if (counts.unknown > 0) {
    const first = Math.min(...end.report.unknown.map(({ from }) => from));
    const where = `the first in line ${lineAt(end, first)}`;
    const message = `${who}: the outcome of ${count(counts.unknown, 'record')} is unknown, ${where}. ${RESTART} They are reconciled then.`;
    return { exitCode, message };
  }
  const others = countNotAccepted(end, rules);
  if (others === 0 || rules.emitState === 'accounted') return undefined;
  const message = `${who}: ${notAcceptedText(end, others, rules)}`;
  return { exitCode: Math.max(exitCode, 1), message };
}

const RESTART =
  'Start the tap again from the last state that was written: accepted documents are not sent again.';

function notAcceptedText(end: StreamResult, others: number, rules: Rules): string {
  const what = `${count(others, 'record')} ${others === 1 ? 'was' : 'were'} not accepted`;
  const first = firstProblem(end, rules);
  const where =
    first === undefined ? '' : `, the first in line ${lineAt(end, first.record)}: ${first.message}`;
  return `${what}${sentence(where)} Fix the mapping or the source, and start the tap again from the last state that was written; or set emitState to "accounted" to write such records to the rejects.`;
}

/** Problems of records that are accepted or skipped anyway. */
const HARMLESS: ReadonlySet<ProblemKind> = new Set([
  'duplicate',
  'known',
  'sent-again',
  'shown-twice',
]);

/** Problems of records with the sourceId of an earlier one but other content. */
const OF_CHANGED: ReadonlySet<ProblemKind> = new Set(['changed', 'repeated-id']);

function firstProblem(
  { report }: StreamResult,
  { repeatedIds }: Rules,
): ProblemExample | undefined {
  const isError = repeatedIds === 'error';
  return report.problems
    .filter(({ kind }) => !HARMLESS.has(kind) && (isError || !OF_CHANGED.has(kind)))
    .flatMap(({ examples }) => examples)
    .toSorted((a, b) => a.record - b.record)[0];
}

function lineAt({ lines }: StreamResult, record: number): number {
  return lines[record - 1] ?? 0;
}

/** Maximum number of different notices, for taps with endless stream or type names. */
const MAX_NOTICES = 100;

/** Interval of asking a run for notices, in milliseconds. */
const NOTICES_MS = 1_000;

/** Prints what a target ignores, once for each kind, and its progress. */
export class Notices {
  readonly #log: (message: string) => void;
  readonly #shown = new Set<string>();

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  unused(message: Message, line: number): void {
    if (message.type === 'ACTIVATE_VERSION') {
      this.#once(
        'ACTIVATE_VERSION',
        `Line ${line}: the tap sends ACTIVATE_VERSION. Imported documents can't be deleted, so those of earlier versions stay.`,
      );
    } else if (message.type === 'other') {
      const name = JSON.stringify(message.name);
      this.#once(name, `Line ${line}: messages of the type ${name} are ignored.`);
    }
  }

  skipped(stream: string, line: number): void {
    const name = JSON.stringify(stream);
    this.#once(
      `stream ${name}`,
      `Line ${line}: the stream ${name} is not in the config and is skipped.`,
    );
  }

  /**
   * Reports an epoch that ended well.
   * @param stateLine line of the state that was written; `undefined` if none was
   */
  epoch(number: number, ends: readonly StreamResult[], stateLine: number | undefined): void {
    for (const { stream, report } of ends) this.#ofRun(stream, report.notices);
    const streams = ends.map((end) => `${end.stream}: ${countsText(end.report.counts)}`);
    const state =
      stateLine === undefined
        ? 'no state arrived'
        : `the state of line ${thousands(stateLine)} is written`;
    if (ends.length > 0) this.#log(`Epoch ${number}: ${streams.join('; ')}; ${state}.`);
  }

  /** Prints the notices of a running import: it may wait for a long time, and they explain why. */
  follow(stream: string, run: ImportRun): void {
    const timer = setInterval(() => this.#ofRun(stream, run.notices() ?? []), NOTICES_MS);
    const end = (): void => clearInterval(timer);
    run.then(end, end);
  }

  #ofRun(stream: string, notices: readonly string[]): void {
    for (const notice of notices) this.#once(`${stream} ${notice}`, `${stream}: ${notice}`);
  }

  #once(key: string, message: string): void {
    if (this.#shown.has(key) || this.#shown.size >= MAX_NOTICES) return;
    this.#shown.add(key);
    this.#log(message);
  }
}

/** `1,200 records, 1,190 accepted, 10 duplicate` */
export function countsText(counts: StreamResult['report']['counts']): string {
  const outcomes = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  const each = outcomes.map((outcome) => `${thousands(counts[outcome])} ${outcome}`);
  return [count(counts.read, 'record'), ...each].join(', ');
}
