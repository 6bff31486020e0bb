import type { RecordRange } from '../../model/record-ranges.js';
import type { Intent } from '../../runs/sqlite/entries.js';
import { type Journal, type RecordState, recordsInOrder } from '../../runs/sqlite/journal.js';
import type { Doubt, ResolvedDoubt } from '../reconciliation/doubt.js';
import type { Acknowledgements } from './acknowledgements.js';

/** Documents of one request of an earlier process whose fate nobody knows. */
interface EarlierDoubt {
  readonly intent: number;
  readonly doubt: Doubt;
  /** For each of the doubt's ids its record. */
  readonly records: readonly RecordRange[];
}

/** What looking for what was left in doubt has told, in documents. */
export interface Resolution {
  readonly accepted: number;
  readonly absent: number;
  readonly undecided: number;
  /** Of those that are there, how many the service shows more than once. */
  readonly twice: number;
}

/**
 * Looks for what an earlier process of this run left in doubt, and writes down what that tells.
 * What is missing becomes `unsent`.
 */
export async function resolveEarlierDoubts(
  journal: Journal,
  acknowledgements: Acknowledgements,
  lookFor: (doubts: readonly Doubt[]) => Promise<readonly ResolvedDoubt[]>,
): Promise<Resolution> {
  const earlier = [...earlierDoubts(journal)];
  if (earlier.length === 0) return { accepted: 0, absent: 0, undecided: 0, twice: 0 };
  for (const document of acknowledgedIn(journal)) acknowledgements.add(document);
  const resolved = await lookFor(earlier.map(({ doubt }) => doubt));
  for (const [index, one] of earlier.entries()) write(journal, one, resolved[index]);
  journal.flush();
  const sum = (pick: (one: ResolvedDoubt) => readonly number[]): number =>
    resolved.reduce((total, one) => total + pick(one).length, 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    absent: sum(({ absent }) => absent),
    undecided: sum(({ undecided }) => undecided),
    twice: sum(({ twice }) => twice),
  };
}

function write(
  journal: Journal,
  { intent, records, doubt }: EarlierDoubt,
  resolved: ResolvedDoubt | undefined,
): void {
  if (resolved === undefined) return;
  const at = (indexes: readonly number[]): readonly RecordRange[] =>
    indexes.map((index) => records[index] as RecordRange);
  const { accepted, absent, undecided, reason } = resolved;
  const settle = (
    indexes: readonly number[],
    outcome: 'accepted' | 'unsent' | 'unknown',
    message: string,
  ): void => {
    if (indexes.length > 0) journal.settle({ intent, records: at(indexes), outcome, message });
  };
  settle(accepted, 'accepted', '');
  settle(undecided, 'unknown', reason ?? 'it could not be found out whether it arrived');
  const since = new Date(doubt.endedMs).toISOString();
  settle(
    absent,
    'unsent',
    `a request of ${since} got no usable answer; it was looked for and not found, so it was sent again: should that request take effect later still, it is there twice`,
  );
}

function* earlierDoubts(journal: Journal): Generator<EarlierDoubt, void, undefined> {
  for (const [number, parts] of byIntent(journal, ['sending', 'unknown'])) {
    const intent = journal.intent(number);
    if (intent !== undefined) yield earlierDoubt(number, intent, parts);
  }
}

type Part = readonly [RecordRange, RecordState];

function earlierDoubt(number: number, intent: Intent, parts: readonly Part[]): EarlierDoubt {
  const inDoubt = [...recordsInOrder(intent.records)].filter(({ input, record }) =>
    parts.some(([range]) => range.input === input && range.from <= record && record <= range.to),
  );
  const doubt = {
    ids: inDoubt.map(({ index }) => intent.ids[index] ?? null),
    published: intent.published,
    endedMs: Math.max(...parts.map(([, { atMs }]) => atMs)),
  };
  const records = inDoubt.map(({ input, record }) => ({ input, from: record, to: record }));
  return { intent: number, doubt, records };
}

/** One document of each of the last requests that were accepted. */
function* acknowledgedIn(journal: Journal): Generator<{
  readonly sourceId: string;
  readonly published: string | null;
  readonly acknowledgedMs: number;
}> {
  const accepted = [...byIntent(journal, ['accepted'])].slice(-MOST_ACKNOWLEDGED);
  for (const [number, parts] of accepted) {
    const intent = journal.intent(number);
    const state = parts[0]?.[1];
    if (intent === undefined || state === undefined) continue;
    const [one] = earlierDoubt(number, intent, parts).doubt.ids.filter((id) => id !== null);
    // Its own moment isn't written down, and that of its request spans the others'.
    const { from, to } = intent.published ?? { from: null, to: undefined };
    const published = from === to ? from : null;
    if (one !== undefined) yield { sourceId: one, published, acknowledgedMs: state.atMs };
  }
}

const MOST_ACKNOWLEDGED = 20;

/** Stretches of records in some states, by the request that they come from. */
function byIntent(
  journal: Journal,
  kinds: readonly RecordState['kind'][],
): ReadonlyMap<number, readonly Part[]> {
  const found = new Map<number, Part[]>();
  for (const part of journal.states().entries()) {
    const { kind, intent } = part[1];
    if (!kinds.includes(kind)) continue;
    const parts = found.get(intent) ?? [];
    parts.push(part);
    found.set(intent, parts);
  }
  return found;
}
