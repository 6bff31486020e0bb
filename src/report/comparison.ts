/** Compares a run with an earlier one: what the reviews say, and shares of outcomes and filled fields. */
import type { Counted } from '../coverage/value-counts.js';
import { percent } from '../model/figures.js';
import { OUTCOMES, type Outcome } from '../model/record.js';
import { type EarlierRun, nameOfOutcome, type Report } from './report.js';

/** A share that changed, or the mean score. */
export interface ShareChange {
  /** An outcome, `metrics.score filled`, `sentiment B`, `language es` or `mean score`. */
  readonly name: string;
  /** `88%`; for the mean score, `4.76`. */
  readonly before: string;
  readonly now: string;
  /** By how much it is worse, as a share; negative if it is better, 0 if it may be either. */
  readonly loss: number;
}

/** Lists what changed: first what the reviews say, then shares, the worst change first. */
export function changesSince(
  earlier: EarlierRun,
  { counts, coverage, command }: Report,
): readonly ShareChange[] {
  const outcomes = OUTCOMES.map((outcome) => {
    const { [outcome]: before, read } = earlier.counts;
    const shares: Shares = [before, read, counts[outcome], counts.read];
    const isJudged = FAILURES.has(outcome) && !isUsual(shares);
    return changeOf(nameOfOutcome(outcome, command), shares, isJudged ? 1 : 0);
  });
  const changes = [...outcomes, ...fieldChanges(earlier, coverage)];
  const judged = changes.filter((one) => one !== null).toSorted((a, b) => b.loss - a.loss);
  return [...reviewChanges(earlier, coverage), ...judged];
}

/** Smaller changes of the mean score, from 1 to 5, are usual. */
const MIN_SCORE_CHANGE = 0.1;

/** Compares scores, sentiments and languages, which depend on the reviews, not on the import. */
function reviewChanges(
  { fills }: EarlierRun,
  coverage: Report['coverage'],
): readonly ShareChange[] {
  if (!fills?.documents || !coverage?.documents) return [];
  const [before, now] = [fills.meanScore, coverage.metrics['score']?.mean];
  const hasMoved =
    before !== undefined && now !== undefined && Math.abs(now - before) >= MIN_SCORE_CHANGE;
  const score = hasMoved
    ? [{ name: 'mean score', before: before.toFixed(2), now: now.toFixed(2), loss: 0 }]
    : [];
  const all = [fills.documents, coverage.documents] as const;
  return [
    ...score,
    ...valueChanges('sentiment', fills.sentiments, coverage.sentiments, all),
    ...valueChanges('language', fills.languages, coverage.languages, all),
  ];
}

/** Compares how many documents have each value. */
function valueChanges(
  field: string,
  earlier: Readonly<Record<string, number>> | undefined,
  counted: readonly Counted[],
  [ofEarlier, ofNow]: readonly [number, number],
): readonly ShareChange[] {
  if (earlier === undefined) return [];
  const now = Object.fromEntries(counted.map(({ value, count }) => [value, count]));
  return Object.keys({ ...earlier, ...now }).flatMap((value) => {
    const [a, b] = [earlier[value] ?? 0, now[value] ?? 0];
    if (Math.abs(b / ofNow - a / ofEarlier) < MIN_FIELD_CHANGE) return [];
    return changeOf(`${field} ${value}`, [a, ofEarlier, b, ofNow], 0) ?? [];
  });
}

/** Outcomes that are worse if they rise. Others, the accepted too, change with what the export has. */
const FAILURES: ReadonlySet<Outcome> = new Set(['invalid', 'rejected', 'unknown', 'unsent']);

/** Shares that differ by less than this factor count as equal. */
const USUAL_FACTOR = 1.1;

function isUsual([a, ofA, b, ofB]: Shares): boolean {
  const [one, other] = [a * ofB, b * ofA];
  return Math.max(one, other) <= USUAL_FACTOR * Math.min(one, other);
}

/** Smaller changes of how many documents have a field, or a value, are usual. */
const MIN_FIELD_CHANGE = 0.05;

/** Compares how many documents have each field; a report may leave out fields that none has. */
function fieldChanges({ fills }: EarlierRun, coverage: Report['coverage']): readonly ShareChange[] {
  if (!fills?.documents || !coverage?.documents) return [];
  const { documents, fields } = coverage;
  const now = Object.fromEntries(fields.map((one) => [one.field, one.filled]));
  const changes = Object.keys({ ...fills.fields, ...now }).map((name) => {
    const shares: Shares = [fills.fields[name] ?? 0, fills.documents, now[name] ?? 0, documents];
    return changeOf(`${name} filled`, shares, -1);
  });
  return changes.filter(
    (one): one is ShareChange => one !== null && Math.abs(one.loss) >= MIN_FIELD_CHANGE,
  );
}

type Shares = readonly [before: number, of: number, now: number, of: number];

function changeOf(name: string, [a, ofA, b, ofB]: Shares, sign: number): ShareChange | null {
  const [before, now] = [percent(a, ofA, 1), percent(b, ofB, 1)];
  const rise = b / Math.max(1, ofB) - a / Math.max(1, ofA);
  return before === now ? null : { name, before, now, loss: sign * rise };
}
