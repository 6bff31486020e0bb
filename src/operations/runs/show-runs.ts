import { JournalError } from '../../model/errors.js';
import { countStates, RecordStates } from '../../model/record-ranges.js';
import type { Report } from '../../report/report.js';
import { isRepeatable, type RunDescription, type RunTarget } from '../../runs/description.js';
import { withStore } from '../../runs/folder/store.js';
import type { RunStore, TakenOver } from '../../runs/store.js';
import { ifStored } from '../../runs/stored-run.js';

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
  return await withStore(state, async (store) => {
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
    return { runs: await withoutTaken(store, runs), failures };
  });
}

/** @throws ResumeError if there is no run with this id; JournalError */
export async function showRun(state: string, id: string): Promise<ShownRun> {
  return await withStore(state, async (store) => {
    const { summary, report } = await showStored(store, id);
    const [shown = summary] = await withoutTaken(store, [summary]);
    return { summary: shown, report };
  });
}

/** Leaves out unconfirmed documents that later runs have taken over. */
async function withoutTaken(
  store: RunStore,
  runs: readonly RunSummary[],
): Promise<readonly RunSummary[]> {
  const open = runs.filter(hasUnconfirmed).map(({ run }) => run);
  const takenOver = open.length === 0 ? new Map() : await store.takenOver(open);
  return runs.map((summary) => {
    const taken: TakenOver = takenOver.get(summary.run) ?? { sending: 0, unknown: 0 };
    const sending = summary.documents.sending - taken.sending;
    const unknown = summary.documents.unknown - taken.unknown;
    const documents = { ...summary.documents, sending, unknown };
    return { ...summary, documents, resolvedLater: taken.sending + taken.unknown };
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
  return await withStore(state, async (store) => {
    return await (await store.openReadOnly(id)).description();
  });
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
