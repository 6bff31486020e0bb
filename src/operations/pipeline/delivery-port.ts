import type { Refusal } from '../../delivery/check-access.js';
import type { Acknowledgements } from '../../delivery/doubts/acknowledgements.js';
import type { Doubts } from '../../delivery/doubts/doubts.js';
import type { Refusals } from '../../delivery/doubts/refusals.js';
import type { Verdict } from '../../delivery/judge-answer.js';
import type { SendingPort } from '../../delivery/send-batches.js';
import type { Batch } from '../../model/documents.js';
import { JournalError } from '../../model/errors.js';
import type { Run } from '../../runs/run.js';
import type { PreparedRun } from './prepare-run.js';

/** Who has to know what becomes of a request. */
export interface Witnesses {
  readonly run: Pick<PreparedRun, 'recorder' | 'stops' | 'signal' | 'notice' | 'tellProgress'>;
  readonly kept: Run | undefined;
  readonly doubts: Doubts;
  readonly refusals: Refusals;
  readonly acknowledgements: Acknowledgements;
}

/** Delivery's way to the run: every request is in the journal before it is made. */
export function deliveryPort(
  { run, kept, doubts, refusals, acknowledgements }: Witnesses,
  service: Pick<SendingPort, 'send'> & {
    readonly access: (signal: AbortSignal) => Promise<Refusal | undefined>;
  },
): SendingPort {
  const { recorder, stops, signal } = run;
  return {
    probe: async () => {
      const refused = await service.access(signal);
      if (refused?.kind === 'no-access') stops.stop(refused);
      return refused === undefined;
    },
    send: (batch) => {
      recorder.batches += 1;
      return service.send(batch);
    },
    intend,
    withdraw: (batch) => kept?.settle(batch, { outcome: 'unsent', message: '' }),
    answered: (batch, verdict) => {
      settle(batch, verdict);
      run.tellProgress();
    },
    refusesWhole: () => refusals.atomic,
    notice: run.notice,
    stopped: () => stops.stopsSending,
    signal,
  };

  async function intend(batch: Batch): Promise<boolean> {
    try {
      await kept?.intend(batch);
      return true;
    } catch (error) {
      stopOnJournalError(stops)(error);
      return false;
    }
  }

  function settle(batch: Batch, verdict: Verdict): void {
    const { kind, message } = verdict;
    doubts.settled(batch, verdict);
    if (kind === 'no-access' || verdict.notTheService) stops.stop({ kind: 'no-access', message });
    if (kind === 'unknown') {
      if (verdict.refused) doubts.addRefused(batch, message);
      else doubts.add(batch, message);
      return;
    }
    if (kind === 'accepted') acknowledgements.note(batch);
    if (kind === 'no-access' || kind === 'unsent') {
      kept?.settle(batch, { outcome: 'unsent', message: '' });
      return;
    }
    kept?.settle(batch, { outcome: kind, message });
    recorder.settled(batch, kind, message);
  }
}

/** A journal that can't be written ends the run. */
export function stopOnJournalError(stops: PreparedRun['stops']): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof JournalError)) throw error;
    stops.stop({ kind: 'output', message: error.message, cause: error });
  };
}
