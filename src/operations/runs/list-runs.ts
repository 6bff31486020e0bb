import path from 'node:path';
import { JournalError } from '../../model/errors.js';
import { countRecords, countStates, RecordStates } from '../../model/record-ranges.js';
import type { Report } from '../../report/report.js';
import { isRepeatable, type RunDescription, type RunTarget } from '../../runs/description.js';
import { ifStored } from '../../runs/find-run.js';
import { openStore } from '../../runs/open-store.js';
import { type RunStore, shardOf } from '../../runs/store.js';

export interface RunSummary {
  readonly run: string;
  /** Start of the run, ISO 8601 in UTC; `null` if its journal is damaged. */
  readonly started: string | null;
  /** `under way`, `cut off`, `unreadable` (its journal is damaged), or the `status` of its last report. */
  readonly state: string;
  readonly inputs: readonly string[];
  readonly target: RunTarget | null;
  /**
   * Documents by their state in the journal. `unsent` are, once the run has a report, all that were
   * read and are left to send; before, those that were about to be sent.
   */
  readonly documents: ReturnType<typeof countStates>;
  /** Unconfirmed documents of this run that a later run resolved or took over; not counted in `documents`. */
  readonly resolvedLater: number;
  /** Number of invalid and rejected records. */
  readonly rejects: number;
  /** Whether the run read its inputs to their end, as far as is known. */
  readonly readToEnd: boolean;
  readonly resumable: boolean;
}

/**
 * Lists the runs of a state, the latest last. A run with an unreadable journal doesn't hide the others.
 * @param state a folder, or the address of a shared state
 */
export async function listRuns(
  state: string,
): Promise<{ readonly runs: readonly RunSummary[]; readonly failures: readonly string[] }> {
  await using store = await openStore(state);
  const runs: RunSummary[] = [];
  const failures: string[] = [];
  for (const run of await store.list()) {
    try {
      const shown = await ifStored(store, run, () => showStored(store, run));
      if (shown !== undefined) runs.push(shown.summary);
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      failures.push(error.message);
      runs.push({ run, ...UNREADABLE });
    }
  }
  const shown = await withoutTaken(store, runs);
  return { runs: foldShards(shown, await store.shardCounts()), failures };
}

/** Returns whether an import of a shared state was begun in shards with this name. */
export async function isInShards(state: string, key: string): Promise<boolean> {
  await using store = await openStore(state);
  return (await store.shardCounts()).has(key);
}

/** Sums up the shards of each import, in the place of the first. */
function foldShards(
  runs: readonly RunSummary[],
  counts: ReadonlyMap<string, number>,
): readonly RunSummary[] {
  const groups = new Map<string, RunSummary[]>();
  for (const run of runs) {
    const key = shardOf(run.run)?.key ?? run.run;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups].map(([key, [first, ...others]]) => {
    const total = counts.get(key);
    if (total === undefined || first === undefined) return first as RunSummary;
    const isStarted = others.length + 1 === total;
    const start = { ...first, run: key, resumable: false, readToEnd: first.readToEnd && isStarted };
    const whole = others.reduce(added, start);
    const isOver = whole.state === 'finished' && !isStarted;
    return { ...whole, state: isOver ? 'cut off' : whole.state };
  });
}

/** Adds a shard. An import is running as long as one of its shards is, and finished when all are. */
function added(whole: RunSummary, shard: RunSummary): RunSummary {
  const documents = Object.fromEntries(
    Object.entries(whole.documents).map(([kind, number]) => [
      kind,
      number + shard.documents[kind as keyof RunSummary['documents']],
    ]),
  ) as RunSummary['documents'];
  const states = [whole.state, shard.state];
  const state = states.includes('under way')
    ? 'under way'
    : (states.find((one) => one !== 'finished') ?? 'finished');
  return {
    ...{ ...whole, documents, state },
    resolvedLater: whole.resolvedLater + shard.resolvedLater,
    rejects: whole.rejects + shard.rejects,
    readToEnd: whole.readToEnd && shard.readToEnd,
  };
}

/** @throws ResumeError if there is no run with this id; JournalError */
export async function showRun(state: string, id: string): Promise<ShownRun> {
  await using store = await openStore(state);
  const { summary, report } = await showStored(store, id);
  const [shown = summary] = await withoutTaken(store, [summary]);
  return { summary: shown, report };
}

/** Leaves out unconfirmed documents that later runs have taken over. */
async function withoutTaken(
  store: RunStore,
  runs: readonly RunSummary[],
): Promise<readonly RunSummary[]> {
  const open = runs.filter(hasUnconfirmed).map(({ run }) => run);
  const takenOver = open.length === 0 ? undefined : await store.takenOver(open);
  return runs.map((summary) => {
    const taken = takenOver?.get(summary.run) ?? [];
    const { documents } = summary;
    const left = { ...documents };
    for (const { kind, records } of taken) left[kind] -= countRecords(records);
    const resolvedLater = documents.sending + documents.unknown - left.sending - left.unknown;
    return { ...summary, documents: left, resolvedLater };
  });
}

function hasUnconfirmed({ state, documents }: RunSummary): boolean {
  return state !== 'under way' && documents.sending + documents.unknown > 0;
}

interface ShownRun {
  readonly summary: RunSummary;
  /** Last report; `undefined` if the run was cut off or is running. */
  readonly report: Report | undefined;
}

async function showStored(store: RunStore, id: string): Promise<ShownRun> {
  const isRunning = await store.isRunning(id);
  const run = await store.openReadOnly(id);
  const { description, report } = await run.facts();
  const shown = report as Report | undefined;
  const sent = countStates(await run.states());
  const documents = shown === undefined || isRunning ? sent : withUnsent(sent, shown);
  const readToEnd = !isRunning && shown?.status === 'finished';
  const isLeft = !readToEnd || documents.sending + documents.unknown + documents.unsent > 0;
  const resumable = !isRunning && isLeft && (report?.resumable ?? isRepeatable(description));
  const summary = {
    run: id,
    started: description.started,
    state: isRunning ? 'under way' : (shown?.status ?? 'cut off'),
    inputs: description.inputs.map(({ name }) => name),
    target: description.target,
    documents,
    resolvedLater: 0,
    // The journal doesn't have invalid records, because they never became documents.
    rejects: (shown?.counts.invalid ?? 0) + documents.rejected,
    readToEnd,
    resumable,
  };
  return { summary, report: shown };
}

type States = RunSummary['documents'];

/** Adds documents that were read and never about to be sent, which the journal doesn't have. */
function withUnsent(sent: States, { counts }: Report): States {
  const { accepted, rejected, unknown, sending } = sent;
  const valid = counts.accepted + counts.rejected + counts.unknown + counts.unsent;
  return { ...sent, unsent: Math.max(0, valid - accepted - rejected - unknown - sending) };
}

/**
 * Reads what a run was begun with.
 * @throws ResumeError if there is no run with this id; JournalError
 */
export async function readDescription(state: string, id: string): Promise<RunDescription> {
  await using store = await openStore(state);
  return await (await store.openReadOnly(id)).description();
}

/** Lists the files that a run read. None of its outputs may replace them. */
export async function filesReadBy(state: string, id: string): Promise<readonly string[]> {
  const { inputs, options } = await readDescription(state, id);
  const { folder, mapping, schema } = options;
  const named = [mapping, schema].filter((file) => typeof file === 'string');
  return [
    ...inputs.flatMap((input) => input.path ?? []),
    ...named.map((file) => path.resolve(String(folder), file)),
  ];
}

const UNREADABLE: Omit<RunSummary, 'run'> = {
  started: null,
  state: 'unreadable',
  inputs: [],
  target: null,
  documents: countStates(new RecordStates()),
  resolvedLater: 0,
  rejects: 0,
  readToEnd: false,
  resumable: false,
};
