import { describe, expect, it } from 'vitest';
import { partOfBatch } from '../../../src/delivery/batching/parts.js';
import { Acknowledgements } from '../../../src/delivery/reconciliation/acknowledged.js';
import {
  type OnUnknown,
  Reconciliation,
} from '../../../src/delivery/reconciliation/reconciliation.js';
import { Refusals } from '../../../src/delivery/reconciliation/refusals.js';
import type {
  Reconciled,
  UnconfirmedRequest,
} from '../../../src/delivery/reconciliation/unconfirmed-request.js';
import { placeOf } from '../../../src/formats/records.js';
import { type Batch, sourceIdsOf } from '../../../src/model/documents.js';
import { EventHub } from '../../../src/outcomes/events.js';
import { OutcomeRecorder } from '../../../src/outcomes/outcome-recorder.js';
import { StopConditions } from '../../../src/outcomes/stop-conditions.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';
import { longTest } from '../../helpers/runs.js';

const NOTHING: Reconciled = {
  accepted: [],
  absent: [],
  undecided: [],
  twice: [],
  needsProof: false,
  readAfterMs: 120_000,
  reason: null,
};

const PATIENCE = { settleMs: 60_000, timeoutMs: 30_000, giveUpMs: 300_000 };

/** Reconciliation with a service of which readings tell this, one answer after another. */
function reconciling(answers: readonly Partial<Reconciled>[][], onUnknown: OnUnknown = 'resolve') {
  const recorder = new OutcomeRecorder([], {
    hub: new EventHub(),
    stops: new StopConditions({ kind: 'never' }),
    locate: placeOf,
  });
  const asked: (readonly (string | null)[])[] = [];
  const left = [...answers];
  const learned: string[] = [];
  const notices: string[] = [];
  const port = {
    settle: () => {},
    isPartOf: () => {},
    outcome: recorder.settled.bind(recorder),
    sentAgain: ({ ranges }: Batch, why: string) => {
      for (const range of ranges) recorder.sentAgain(range, why);
    },
    shownTwice: recorder.shownTwice.bind(recorder),
    notice: (message: string): unknown => notices.push(message),
  };
  const reconciliation = new Reconciliation(port, {
    onUnknown,
    settings: PATIENCE,
    refusals: new Refusals(undefined, (meaning) => learned.push(meaning)),
    acknowledgements: new Acknowledgements(),
    reconcile: async (requests: readonly UnconfirmedRequest[]) => {
      asked.push(...requests.map(({ ids }) => ids));
      const answer = left.shift() ?? [];
      return requests.map((_, index) => ({ ...NOTHING, ...answer[index] }));
    },
    now: () => Date.parse('2024-05-01T12:00:30'),
  });
  return { recorder, asked, learned, notices, reconciliation };
}

function batch(ids: string, firstRecord = 1): Batch {
  const documents = documentsOf(
    [...ids].map((sourceId) => ({ sourceId })),
    firstRecord,
  );
  return batchOf({ documents, from: 0, to: ids.length });
}

function idsOf(batches: readonly Batch[]): string[] {
  return batches.map(({ ranges }) => ranges.flatMap(sourceIdsOf).join(''));
}

describe('Reconciliation', () => {
  it('accepts what is found, sends again what is missing, and leaves the rest unknown', async () => {
    const { recorder, reconciliation } = reconciling([
      [{ accepted: [0, 3], absent: [1, 4], undecided: [2], reason: 'pages fail' }],
    ]);
    reconciliation.add(batch('abcde'), 'no answer came');
    expect(idsOf(await reconciliation.resolve())).toEqual(['be']);
    expect(recorder.counts()).toMatchObject({ accepted: 2, unknown: 1 });
    expect(recorder.tally.unknownRecords()).toEqual([{ source: 'records', from: 3, to: 3 }]);
    const problems = recorder.tally.problems();
    expect(problems.find(({ kind }) => kind === 'sent-again')?.count).toBe(2);
    expect(problems.find(({ kind }) => kind === 'unknown')?.examples[0]?.message).toBe(
      'no answer came; pages fail',
    );
    expect(await reconciliation.resolve()).toEqual([]);
  });

  it('says what it waits for, until when, and what would spare the wait', async () => {
    const refused = reconciling([[{ accepted: [0, 1] }]]);
    refused.reconciliation.add(batch('ab'), 'the service refused (400): text is missing', true);
    await refused.reconciliation.resolve();
    expect(refused.notices).toEqual([
      'A refusal of a batch with 2 documents leaves open whether the service took some of them (the service refused (400): text is missing). Reconciling them, until 12:03 at the earliest. If it takes nothing of a batch that it refuses, --refusals atomic skips this.',
    ]);

    const unanswered = reconciling([[{ accepted: [0] }]]);
    unanswered.reconciliation.add(batch('a'), 'reset');
    await unanswered.reconciliation.resolve();
    expect(unanswered.notices).toEqual([
      'No usable answer came for 1 document. Reconciling them, until 12:03 at the earliest.',
    ]);
  });

  it('sends nothing a third time', async () => {
    const { recorder, asked, reconciliation } = reconciling([[{ absent: [0, 1] }]]);
    reconciliation.add(batch('ab'), 'no answer came');
    const [again] = await reconciliation.resolve();
    reconciliation.add(again as Batch, 'no answer came again');
    expect(await reconciliation.resolve()).toEqual([]);
    expect(asked).toEqual([['a', 'b']]);
    expect(recorder.counts()).toMatchObject({ unknown: 2 });
  });

  it('keeps a part of what was sent again out of the next try, when delivery has cut it', async () => {
    const { recorder, reconciliation } = reconciling([[{ absent: [0, 1, 2] }]]);
    reconciliation.add(batch('abc'), 'no answer came');
    const [again] = await reconciliation.resolve();
    reconciliation.add(partOfBatch(again as Batch, [2]), 'no answer came again');
    expect(await reconciliation.resolve()).toEqual([]);
    expect(recorder.counts()).toMatchObject({ unknown: 1 });
  });

  it('sends one document as the proof that reading shows what is sent, then asks for the others', async () => {
    const { recorder, asked, reconciliation } = reconciling([
      [
        { undecided: [0, 1], needsProof: true },
        { undecided: [0], needsProof: true },
      ],
      [{ absent: [0] }, { accepted: [0] }],
    ]);
    reconciliation.add(batch('ab'), 'reset');
    reconciliation.add(batch('c', 3), 'reset');
    expect(idsOf(await reconciliation.resolve())).toEqual(['a']);
    expect(idsOf(await reconciliation.resolve())).toEqual(['b']);
    expect(asked).toEqual([['a', 'b'], ['c'], ['b'], ['c']]);
    expect(recorder.counts()).toMatchObject({ accepted: 1, unknown: 0 });
  });

  it('does without a proof of its own where something else is missing and sent', async () => {
    const { reconciliation } = reconciling([
      [{ undecided: [0], needsProof: true }, { absent: [0] }],
      [{ accepted: [0] }],
    ]);
    reconciliation.add(batch('a'), 'reset');
    reconciliation.add(batch('b', 2), 'reset');
    expect(idsOf(await reconciliation.resolve())).toEqual(['b']);
    expect(idsOf(await reconciliation.resolve())).toEqual([]);
  });

  it('sends another proof when one was refused alone, which puts nothing in danger', async () => {
    const { recorder, asked, reconciliation } = reconciling([
      [{ undecided: [0, 1, 2], needsProof: true }],
      [{ absent: [0] }],
    ]);
    reconciliation.add(batch('abc'), 'reset');
    for (const [expected, kind] of [
      ['a', 'rejected'],
      ['b', 'accepted'],
    ] as const) {
      const [proof] = await reconciliation.resolve();
      expect(idsOf([proof as Batch])).toEqual([expected]);
      reconciliation.answered(proof as Batch, { kind, message: '' });
    }
    expect(idsOf(await reconciliation.resolve())).toEqual(['c']);
    expect(asked).toEqual([['a', 'b', 'c'], ['c']]);
    expect(recorder.counts()).toMatchObject({ unknown: 0 });
  });

  it('sends nothing of a refused batch as a proof that was not reconciled', async () => {
    const { asked, reconciliation } = reconciling([[{ undecided: [0, 1], needsProof: true }]]);
    reconciliation.add(batch('ab'), 'refused', true);
    const [first] = await reconciliation.resolve();
    reconciliation.answered(first as Batch, { kind: 'rejected', message: '' });
    reconciliation.add(batch('cd', 3), 'refused', true);
    const [second] = await reconciliation.resolve();
    expect(idsOf([second as Batch])).toEqual(['b']);
    reconciliation.answered(second as Batch, { kind: 'rejected', message: '' });
    await reconciliation.resolve();
    expect(asked).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('sends no second proof when the first one proved nothing', async () => {
    const unproven = [{ undecided: [0], needsProof: true, reason: 'nothing later shows' }];
    const { recorder, reconciliation } = reconciling([
      [{ undecided: [0, 1], needsProof: true }],
      unproven,
    ]);
    reconciliation.add(batch('ab'), 'reset');
    expect(idsOf(await reconciliation.resolve())).toEqual(['a']);
    expect(await reconciliation.resolve()).toEqual([]);
    expect(recorder.counts()).toMatchObject({ unknown: 1 });
  });

  it('leaves everything unknown, or sends everything again, without looking if told so', async () => {
    const hold = reconciling([], 'hold');
    hold.reconciliation.add(batch('ab'), 'reset');
    expect(await hold.reconciliation.resolve()).toEqual([]);
    expect(hold.recorder.counts()).toMatchObject({ unknown: 2 });

    const resend = reconciling([], 'resend');
    resend.reconciliation.add(batch('ab'), 'reset');
    expect(idsOf(await resend.reconciliation.resolve())).toEqual(['ab']);
    expect([...hold.asked, ...resend.asked]).toEqual([]);
  });

  it('says what the service shows more than once', async () => {
    const { recorder, reconciliation } = reconciling([[{ accepted: [0, 1], twice: [1] }]]);
    reconciliation.add(batch('ab'), 'reset');
    await reconciliation.resolve();
    expect(recorder.tally.problems()).toMatchObject([
      { kind: 'shown-twice', count: 1, examples: [{ record: 2 }] },
    ]);
  });

  it('leaves what there is no time to reconcile unknown', () => {
    const { recorder, asked, reconciliation } = reconciling([]);
    reconciliation.add(batch('ab'), 'reset');
    reconciliation.giveUp();
    expect(recorder.counts()).toMatchObject({ unknown: 2 });
    expect(asked).toEqual([]);
  });

  longTest('is full when it keeps 64 MiB from being freed, however few are unconfirmed', () => {
    const { reconciliation } = reconciling([]);
    const text = 'x'.repeat(33 * 2 ** 20);
    const large = (record: number): Batch => {
      const documents = documentsOf([{ sourceId: 'a', text }, { sourceId: 'b' }], record);
      return batchOf({ documents, from: 1, to: 2 });
    };
    reconciliation.add(large(1), 'reset');
    expect(reconciliation.full).toBe(false);
    reconciliation.add(large(3), 'reset');
    expect(reconciliation.full).toBe(true);
  });
});
