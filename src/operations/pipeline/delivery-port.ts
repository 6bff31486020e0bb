import type { Refusal } from '../../delivery/check-access.js';
import type { Verdict } from '../../delivery/classify-answer.js';
import type { Acknowledgements } from '../../delivery/doubts/acknowledgements.js';
import type { Doubts } from '../../delivery/doubts/doubts.js';
import type { Refusals } from '../../delivery/doubts/refusals.js';
import type { DeliveryPort } from '../../delivery/port.js';
import type { Batch } from '../../model/documents.js';
import type { RunJournal } from '../../runs/run-journal.js';
import type { PreparedRun } from './prepare-run.js';

/** Who has to know what becomes of a request. */
export interface Witnesses {
  readonly run: Pick<PreparedRun, 'recorder' | 'stops' | 'signal' | 'notice' | 'tellProgress'>;
  readonly journal: RunJournal | undefined;
  readonly doubts: Doubts;
  readonly refusals: Refusals;
  readonly acknowledgements: Acknowledgements;
}

/** Delivery's way to the run: every request is in the journal before it is made. */
export function deliveryPort(
  { run, journal, doubts, refusals, acknowledgements }: Witnesses,
  service: Pick<DeliveryPort, 'send'> & {
    readonly access: (signal: AbortSignal) => Promise<Refusal | undefined>;
  },
): DeliveryPort {
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
    intend: async (batch) => (await journal?.intend(batch)) ?? true,
    withdraw: (batch) => journal?.settle(batch, { outcome: 'unsent', message: '' }),
    settle: (batch, verdict) => {
      settle(batch, verdict);
      run.tellProgress();
    },
    refusesWhole: () => refusals.atomic,
    notice: run.notice,
    stopped: () => stops.stopsSending,
    signal,
  };

  function settle(batch: Batch, verdict: Verdict): void {
    doubts.settled(batch, verdict);
    if (verdict.kind === 'unknown' && verdict.refused) {
      doubts.addRefused(batch, verdict.message);
      return;
    }
    if (verdict.kind === 'unknown') {
      doubts.add(batch, verdict.message);
      if (verdict.notTheService) stops.stop({ kind: 'no-access', message: verdict.message });
      return;
    }
    if (verdict.kind === 'accepted') acknowledgements.note(batch);
    journal?.settle(batch, journalled(verdict));
    recorder.settled(batch, verdict);
  }
}

function journalled(verdict: Exclude<Verdict, { kind: 'unknown' }>): {
  readonly outcome: 'accepted' | 'rejected' | 'unsent';
  readonly message: string;
} {
  switch (verdict.kind) {
    case 'accepted':
      return { outcome: 'accepted', message: '' };
    case 'rejected':
      return { outcome: 'rejected', message: verdict.message };
    case 'no-access':
    case 'unsent':
      return { outcome: 'unsent', message: '' };
    default:
      return verdict satisfies never;
  }
}
