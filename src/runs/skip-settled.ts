import type { Doubts } from '../delivery/doubts/doubts.js';
import type { Batch, DocumentRange } from '../model/documents.js';
import type { Problem } from '../model/record.js';
import { recordNumber } from '../model/record-ranges.js';
import type { OutcomeRecorder } from '../outcomes/outcome-recorder.js';
import type { StopConditions } from '../outcomes/stop-conditions.js';
import type { RunJournal } from './run-journal.js';
import { splitRange } from './split-range.js';
import type { RecordState } from './sqlite/journal.js';

/** What a run that goes on has to know. */
interface ResumedRun {
  readonly recorder: OutcomeRecorder;
  readonly stops: StopConditions;
  readonly journal: RunJournal;
  readonly doubts: Doubts;
  /** Whether documents that the service refused are to be sent once more. */
  readonly retryRejected: boolean;
}

/**
 * Gives the documents that are still to be sent, when a run goes on. The others are settled as they
 * were, or in doubt, as a request was made for them and nobody knows what came of it. A document
 * that is no longer the one that was sent ends the run: its input has changed.
 * @param chunks the documents of one chunk together: all of them are looked at before the first is
 *   given, so that what is settled is known to be so whenever the run is stopped
 */
export async function* skipSettled(
  chunks: AsyncIterable<readonly DocumentRange[]>,
  run: ResumedRun,
): AsyncGenerator<DocumentRange, void, undefined> {
  for await (const ranges of chunks) {
    const open = ranges.flatMap((range) => openIn(range, run));
    if (run.stops.stopsSending) return;
    yield* open;
    if (run.doubts.full) yield* missingOf(await run.doubts.resolve());
  }
}

/** The documents that are still to be sent. If one has changed, the run ends. */
function openIn(range: DocumentRange, run: ResumedRun): readonly DocumentRange[] {
  const open: DocumentRange[] = [];
  for (const [part, state] of splitRange(range, stateIn(range, run.journal))) {
    const other = state === undefined ? undefined : firstOther(part, state, run.journal);
    if (other !== undefined) {
      run.stops.stop({ kind: 'changed', message: changed(part, other) });
      return [];
    }
    open.push(...openParts(part, state, run));
  }
  return open;
}

function* missingOf(batches: readonly Batch[]): Generator<DocumentRange, void, undefined> {
  for (const { ranges } of batches) yield* ranges;
}

function stateIn(
  { documents }: DocumentRange,
  journal: RunJournal,
): (document: number) => RecordState | undefined {
  const { input } = documents.chunk;
  return (document) => journal.stateOf(input, recordNumber(documents, document));
}

/** The documents that are still to be sent. The others are settled here. */
function* openParts(
  range: DocumentRange,
  state: RecordState | undefined,
  run: ResumedRun,
): Generator<DocumentRange, void, undefined> {
  const { documents } = range;
  const mendedBy = (document: number): string | undefined =>
    run.journal.mendedBy(documents.chunk.input, recordNumber(documents, document));
  for (const [part, by] of splitRange(range, mendedBy)) {
    if (by === undefined) {
      if (isOpen(part, state, run)) yield part;
    } else settleMended(part, state, { run, by });
  }
}

/** Another run has brought the record in, mended: whatever is left open here, it isn't sent. */
function settleMended(
  part: DocumentRange,
  state: RecordState | undefined,
  { run, by }: { readonly run: ResumedRun; readonly by: string },
): void {
  const fate = fateOf(state, run.retryRejected);
  const outcome = fate === 'open' ? 'duplicate' : fate === 'in-doubt' ? 'unknown' : fate;
  const message = `the run ${by} has imported it, mended${fate === 'in-doubt' ? STILL_IN_DOUBT : ''}`;
  const mended = { kind: 'mended', field: null, message } as const;
  const problems = outcome === 'accepted' ? [] : [mended];
  run.recorder.settleEarlier(part, outcome, problems);
}

const STILL_IN_DOUBT =
  ', and nobody knows whether it arrived before that: `docferry runs resolve` finds out';

/** Whether documents are still to be sent. If not, they are settled here. */
function isOpen(part: DocumentRange, state: RecordState | undefined, run: ResumedRun): boolean {
  const fate = fateOf(state, run.retryRejected);
  if (state === undefined || fate === 'open') {
    if (state?.message) run.recorder.sentAgain(part, state.message);
    return true;
  }
  if (fate === 'in-doubt') run.doubts.addEarlier(part, state);
  else run.recorder.settleEarlier(part, fate, problemsOf(fate, state));
  return false;
}

/** The first document that is not the one that was sent; `undefined`: all are. */
function firstOther(
  { documents, from, to }: DocumentRange,
  state: RecordState,
  journal: RunJournal,
): number | undefined {
  for (let document = from; document < to; document += 1) {
    if (!journal.isSameDocument(documents, document, state)) return document;
  }
  return undefined;
}

function fateOf(
  state: RecordState | undefined,
  retryRejected: boolean,
): 'accepted' | 'rejected' | 'open' | 'in-doubt' {
  if (state === undefined) return 'open';
  switch (state.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return retryRejected ? 'open' : 'rejected';
    case 'unknown':
    case 'sending':
      return 'in-doubt';
    case 'unsent':
      return 'open';
    default:
      return state.kind satisfies never;
  }
}

function problemsOf(
  outcome: 'accepted' | 'rejected',
  { message }: RecordState,
): readonly Problem[] {
  return outcome === 'accepted' ? [] : [{ kind: outcome, field: null, message }];
}

function changed({ documents }: DocumentRange, document: number): string {
  return `${documents.chunk.source}, record ${recordNumber(documents, document)} is not what was sent for it when the run began: the input has changed since. Start a new run (it leaves out what was accepted)`;
}
