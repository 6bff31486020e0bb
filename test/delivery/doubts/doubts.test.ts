import { describe, expect, it } from 'vitest';
import { Doubts } from '../../../src/delivery/doubts/doubts.js';
import { Refusals } from '../../../src/delivery/doubts/refusals.js';
import { systemClock } from '../../../src/delivery/pacing/clock.js';
import type { Doubt, ResolvedDoubt } from '../../../src/delivery/reconciliation/doubt.js';
import { type Batch, sourceIdsOf } from '../../../src/model/documents.js';
import type { OnUnknown } from '../../../src/operations/options.js';
import { OutcomeRecorder } from '../../../src/outcomes/outcome-recorder.js';
import { RepeatProblems } from '../../../src/outcomes/repeat-problems.js';
import { EventHub } from '../../../src/outcomes/run-events.js';
import { StopConditions } from '../../../src/outcomes/stop-conditions.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';

const NOTHING: ResolvedDoubt = {
  accepted: [],
  absent: [],
  undecided: [],
  twice: [],
  needsProof: false,
  lookedAfterMs: 120_000,
  reason: null,
};

const PATIENCE = { quietMs: 60_000, timeoutMs: 30_000, giveUpMs: 300_000 };

/** Doubts about a service that looking shows as told, one answer after another. */
function doubtsAbout(
  answers: readonly Partial<ResolvedDoubt>[][],
  onUnknown: OnUnknown = 'resolve',
) {
  const recorder = new OutcomeRecorder([], {
    hub: new EventHub(),
    stops: new StopConditions({ kind: 'never' }),
    rejects: undefined,
    repeats: new RepeatProblems([]),
  });
  const asked: (readonly (string | null)[])[] = [];
  const left = [...answers];
  const lookFor = async (about: readonly Doubt[]): Promise<readonly ResolvedDoubt[]> => {
    asked.push(...about.map(({ ids }) => ids));
    const answer = left.shift() ?? [];
    return about.map((_, index) => ({ ...NOTHING, ...answer[index] }));
  };
  const learned: string[] = [];
  const refusals = new Refusals(undefined, (meaning) => learned.push(meaning));
  const notices: string[] = [];
  const notice = (message: string): unknown => notices.push(message);
  const clock = { ...systemClock, now: () => Date.parse('2024-05-01T12:00:30') };
  const witnesses = { recorder, journal: undefined, refusals, lookFor, notice };
  const doubts = new Doubts({ ...witnesses, onUnknown, patience: PATIENCE, clock });
  return { recorder, asked, learned, notices, doubts };
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

describe('Doubts', () => {
  it('accepts what is found, sends again what is missing, and leaves the rest unknown', async () => {
    const { recorder, doubts } = doubtsAbout([
      [{ accepted: [0, 3], absent: [1, 4], undecided: [2], reason: 'pages fail' }],
    ]);
    doubts.add(batch('abcde'), 'no answer came');
    expect(idsOf(await doubts.resolve())).toEqual(['be']);
    expect(recorder.counts()).toMatchObject({ accepted: 2, unknown: 1 });
    expect(recorder.unknown()).toEqual([{ source: 'records', from: 3, to: 3 }]);
    const problems = recorder.tally.problems();
    expect(problems.find(({ kind }) => kind === 'sent-again')?.count).toBe(2);
    expect(problems.find(({ kind }) => kind === 'unknown')?.examples[0]?.message).toBe(
      'no answer came; pages fail',
    );
    expect(await doubts.resolve()).toEqual([]);
  });

  it('says what it waits for, until when, and what would spare the wait', async () => {
    const refused = doubtsAbout([[{ accepted: [0, 1] }]]);
    refused.doubts.addRefused(batch('ab'), 'the service refused (400): text is missing');
    await refused.doubts.resolve();
    expect(refused.notices).toEqual([
      'A refusal of a batch with 2 documents leaves open whether the service took some of them (the service refused (400): text is missing). Looking for them, until 12:03 at the earliest. If it takes nothing of a batch that it refuses, --refusals atomic skips this.',
    ]);

    const unanswered = doubtsAbout([[{ accepted: [0] }]]);
    unanswered.doubts.add(batch('a'), 'reset');
    await unanswered.doubts.resolve();
    expect(unanswered.notices).toEqual([
      'No usable answer came for 1 document. Looking for them, until 12:03 at the earliest.',
    ]);
  });

  it('sends nothing a third time', async () => {
    const { recorder, asked, doubts } = doubtsAbout([[{ absent: [0, 1] }]]);
    doubts.add(batch('ab'), 'no answer came');
    const [again] = await doubts.resolve();
    doubts.add(again as Batch, 'no answer came again');
    expect(await doubts.resolve()).toEqual([]);
    expect(asked).toEqual([['a', 'b']]);
    expect(recorder.counts()).toMatchObject({ unknown: 2 });
  });

  it('keeps a part of what was sent again out of the next try, when delivery has cut it', async () => {
    const { recorder, doubts } = doubtsAbout([[{ absent: [0, 1, 2] }]]);
    doubts.add(batch('abc'), 'no answer came');
    await doubts.resolve();
    doubts.add(batch('c', 3), 'no answer came again');
    expect(await doubts.resolve()).toEqual([]);
    expect(recorder.counts()).toMatchObject({ unknown: 1 });
  });

  it('sends one document as the proof that reading shows what is sent, then asks for the others', async () => {
    const { recorder, asked, doubts } = doubtsAbout([
      [
        { undecided: [0, 1], needsProof: true },
        { undecided: [0], needsProof: true },
      ],
      [{ absent: [0] }, { accepted: [0] }],
    ]);
    doubts.add(batch('ab'), 'reset');
    doubts.add(batch('c', 3), 'reset');
    expect(idsOf(await doubts.resolve())).toEqual(['a']);
    expect(idsOf(await doubts.resolve())).toEqual(['b']);
    expect(asked).toEqual([['a', 'b'], ['c'], ['b'], ['c']]);
    expect(recorder.counts()).toMatchObject({ accepted: 1, unknown: 0 });
  });

  it('does without a proof of its own where something else is missing and sent', async () => {
    const { doubts } = doubtsAbout([
      [{ undecided: [0], needsProof: true }, { absent: [0] }],
      [{ accepted: [0] }],
    ]);
    doubts.add(batch('a'), 'reset');
    doubts.add(batch('b', 2), 'reset');
    expect(idsOf(await doubts.resolve())).toEqual(['b']);
    expect(idsOf(await doubts.resolve())).toEqual([]);
  });

  it('sends another proof when one was refused alone, which puts nothing in danger', async () => {
    const { recorder, asked, doubts } = doubtsAbout([
      [{ undecided: [0, 1, 2], needsProof: true }],
      [{ absent: [0] }],
    ]);
    doubts.add(batch('abc'), 'reset');
    for (const [expected, kind] of [
      ['a', 'rejected'],
      ['b', 'accepted'],
    ] as const) {
      const [proof] = await doubts.resolve();
      expect(idsOf([proof as Batch])).toEqual([expected]);
      doubts.settled(proof as Batch, { kind, message: '' });
    }
    expect(idsOf(await doubts.resolve())).toEqual(['c']);
    expect(asked).toEqual([['a', 'b', 'c'], ['c']]);
    expect(recorder.counts()).toMatchObject({ unknown: 0 });
  });

  it('sends nothing of a refused batch as a proof that was not looked for', async () => {
    const { asked, doubts } = doubtsAbout([[{ undecided: [0, 1], needsProof: true }]]);
    doubts.addRefused(batch('ab'), 'refused');
    const [first] = await doubts.resolve();
    doubts.settled(first as Batch, { kind: 'rejected', message: '' });
    doubts.addRefused(batch('cd', 3), 'refused');
    const [second] = await doubts.resolve();
    expect(idsOf([second as Batch])).toEqual(['b']);
    doubts.settled(second as Batch, { kind: 'rejected', message: '' });
    await doubts.resolve();
    expect(asked).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('sends no second proof when the first one proved nothing', async () => {
    const unproven = [{ undecided: [0], needsProof: true, reason: 'nothing later shows' }];
    const { recorder, doubts } = doubtsAbout([[{ undecided: [0, 1], needsProof: true }], unproven]);
    doubts.add(batch('ab'), 'reset');
    expect(idsOf(await doubts.resolve())).toEqual(['a']);
    expect(await doubts.resolve()).toEqual([]);
    expect(recorder.counts()).toMatchObject({ unknown: 1 });
  });

  it('leaves everything unknown, or sends everything again, without looking if told so', async () => {
    const hold = doubtsAbout([], 'hold');
    hold.doubts.add(batch('ab'), 'reset');
    expect(await hold.doubts.resolve()).toEqual([]);
    expect(hold.recorder.counts()).toMatchObject({ unknown: 2 });

    const resend = doubtsAbout([], 'resend');
    resend.doubts.add(batch('ab'), 'reset');
    expect(idsOf(await resend.doubts.resolve())).toEqual(['ab']);
    expect([...hold.asked, ...resend.asked]).toEqual([]);
  });

  it('says what the service shows more than once', async () => {
    const { recorder, doubts } = doubtsAbout([[{ accepted: [0, 1], twice: [1] }]]);
    doubts.add(batch('ab'), 'reset');
    await doubts.resolve();
    expect(recorder.tally.problems()).toMatchObject([
      { kind: 'shown-twice', count: 1, examples: [{ record: 2 }] },
    ]);
  });

  it('leaves what there is no time to look for unknown', () => {
    const { recorder, asked, doubts } = doubtsAbout([]);
    doubts.add(batch('ab'), 'reset');
    doubts.giveUp();
    expect(recorder.counts()).toMatchObject({ unknown: 2 });
    expect(asked).toEqual([]);
  });

  it('is full when it keeps 64 MiB from being freed, however little of that is in doubt', () => {
    const { doubts } = doubtsAbout([]);
    const text = 'x'.repeat(33 * 2 ** 20);
    const large = (record: number): Batch => {
      const documents = documentsOf([{ sourceId: 'a', text }, { sourceId: 'b' }], record);
      return batchOf({ documents, from: 1, to: 2 });
    };
    doubts.add(large(1), 'reset');
    expect(doubts.full).toBe(false);
    doubts.add(large(3), 'reset');
    expect(doubts.full).toBe(true);
  });
});
