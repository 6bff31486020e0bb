import { describe, expect, it } from 'vitest';
import { Reconciliation } from '../../../src/delivery/reconciliation/reconciliation.js';
import type { ShownDocument } from '../../../src/delivery/reconciliation/service-pages.js';
import type { Window } from '../../../src/delivery/reconciliation/window.js';
import type { Batch } from '../../../src/model/documents.js';
import { StopConditions } from '../../../src/outcomes/stop-conditions.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';
import { longTest } from '../../helpers/runs.js';
import { importInto } from '../simulated-delivery.js';
import { contextOf, numbersIn, refused } from '../simulated-service.js';
import { SimulatedTime } from '../simulated-time.js';

type Imported = Awaited<ReturnType<typeof importInto>>;

function messagesOf({ results }: Imported, kind: 'outcome' | 'sent-again'): readonly string[] {
  return results.flatMap((result) =>
    result.kind === kind && 'message' in result && result.message !== '' ? [result.message] : [],
  );
}

const LOST = { kind: 'unknown', message: 'reset' } as const;
const IN_PART = { ...LOST, partlyRefused: true } as const;
const REFUSED = { kind: 'rejected', message: 'bad' } as const;
const ACCEPTED = { kind: 'accepted', message: '' } as const;

const PUBLISHED = '2024-05-01T00:00:00.000Z';

/** A batch of documents from 0 on, all of one minute. */
function batchTo(count: number): Batch {
  const objects = Array.from({ length: count }, (_, n) => {
    return { n, sourceId: String(n), published: PUBLISHED };
  });
  return batchOf({ documents: documentsOf(objects), from: 0, to: count });
}

/** Reconciliation without the rest of delivery, and a service that shows the documents in `shown`. */
function byHand(stops = new StopConditions({ kind: 'never' })) {
  const time = new SimulatedTime(1);
  const shown: number[] = [];
  const page = async ({ from, to }: Window, offset: number) => {
    const at = Date.parse(PUBLISHED);
    const found = shown.filter(() => from <= at && at <= to).map(shownDocument);
    return { documents: found.slice(offset), total: found.length };
  };
  const reconciliation = new Reconciliation(contextOf({}, time, { service: { page }, stops }));
  return { reconciliation, shown, resolve: () => time.pass(reconciliation.resolve()) };
}

function shownDocument(n: number): ShownDocument {
  return { id: n, source: 'RVW', sourceId: String(n), published: PUBLISHED };
}

describe('documents of a request without an answer', () => {
  it('are accepted where they show, and sent again where they are missing', async () => {
    const imported = await importInto({
      sizes: [5, 2],
      fate: (request) => (request === 1 ? [0, 3] : undefined),
    });
    expect(imported.counts).toMatchObject({ accepted: 7, unknown: 0 });
    expect(imported.sent).toEqual([
      [0, 1, 2, 3, 4],
      [5, 6],
      [1, 2, 4],
    ]);
    expect(messagesOf(imported, 'sent-again')).toEqual([
      expect.stringMatching(
        /reconciliation \d+ s later did not find the document, so it was sent again/,
      ),
    ]);
  });

  it('are announced with what is waited for, and until when', async () => {
    const lost = await importInto({
      sizes: [1, 1],
      fate: (request) => (request === 1 ? 'answer lost' : undefined),
    });
    expect(lost.notices).toEqual([
      expect.stringMatching(
        /^There was no usable answer for 1 document\. Reconciling them, until \d\d:\d\d at the earliest\.$/,
      ),
    ]);
    const refused = await importInto({ sizes: [2, 1], bad: new Set([1]) });
    expect(refused.notices).toEqual([
      expect.stringMatching(
        /^The service refused a batch with 2 documents, and may have stored some of them \(the service refused \(400\): a document is bad\)\. Reconciling them, until \d\d:\d\d at the earliest\. If it never stores part of a refused batch, --refusals atomic skips this\.$/,
      ),
    ]);
  });

  it('are sent no third time', async () => {
    const imported = await importInto({
      sizes: [2, 1],
      fate: (_, numbers) => (numbers.includes(0) ? 'request lost' : undefined),
    });
    expect(imported.sent).toEqual([[0, 1], [2], [0, 1]]);
    expect(imported.counts).toMatchObject({ accepted: 1, unknown: 2 });
    expect(messagesOf(imported, 'outcome')).toEqual([
      expect.stringMatching(/sent twice .* resume the run to reconcile it once more$/),
    ]);
  });

  it('are sent no third time, either, where the second request was refused as a whole', async () => {
    const { sent, counts } = await importInto({
      sizes: [3, 1],
      bad: new Set([1]),
      fate: (request, numbers) =>
        request === 1 || numbers.join() === '2' ? 'request lost' : undefined,
    });
    expect(sent).toEqual([[0, 1, 2], [3], [0, 1, 2], [0], [1], [2]]);
    expect(counts).toMatchObject({ accepted: 2, rejected: 1, unknown: 1 });
  });

  it('are reconciled first if an earlier process has sent them, and only what is missing is sent', async () => {
    const { sent, counts } = await importInto({ sizes: [3, 2], unconfirmed: new Set([0]) });
    expect(sent).toEqual([
      [3, 4],
      [0, 1, 2],
    ]);
    expect(counts).toMatchObject({ accepted: 5, unknown: 0 });
  });

  it('are decided by a canary that shows, though its answer was lost', async () => {
    const { sent, counts } = await importInto({
      sizes: [3],
      fate: (request) => [undefined, 'request lost', 'answer lost'][request] as 'answer lost',
    });
    expect(sent).toEqual([[0, 1, 2], [0], [1, 2]]);
    expect(counts).toMatchObject({ accepted: 3, unknown: 0 });
  });

  it('go a different one alone where the canary is refused', async () => {
    const { sent, counts, notices } = await importInto({
      sizes: [4],
      bad: new Set([0, 1]),
      fate: (request) => (request === 1 ? 'request lost' : undefined),
    });
    expect(sent).toEqual([[0, 1, 2, 3], [0], [1], [2], [3]]);
    expect(counts).toMatchObject({ accepted: 2, rejected: 2, unknown: 0 });
    // Read before the first canary, and after the accepted one.
    expect(notices).toHaveLength(2);
  });

  it('go the same one alone again and again until it is answered, for as long as the service may be down', async () => {
    const { sent, counts, stops } = await importInto({
      sizes: [3],
      fate: (request) => (request < 3 ? 'request lost' : undefined),
    });
    expect(sent).toEqual([[0, 1, 2], [0], [0], [1, 2]]);
    expect(counts).toMatchObject({ accepted: 3, unknown: 0 });
    expect(stops.reason).toBeUndefined();

    const down = await importInto({ sizes: [3], fate: () => 'request lost' });
    expect(new Set(down.sent.slice(1).flat())).toEqual(new Set([0]));
    expect(down.counts).toMatchObject({ accepted: 0, unknown: 3 });
    expect(down.stops.reason).toMatchObject({
      kind: 'service-down',
      message: expect.stringMatching(
        /^the outcome of a request can't be determined: no answer came/,
      ),
    });
  });

  it('are read for again while the service can not be asked, for as long as it may be down', async () => {
    const lost = { sizes: [2, 1], fate: (request: number) => (request === 1 ? [0] : undefined) };
    const { counts } = await importInto({ ...lost, failingPages: 0.95 });
    expect(counts).toMatchObject({ accepted: 3, unknown: 0 });
    const { counts: unread, stops } = await importInto({ ...lost, failingPages: 1 });
    expect(unread).toMatchObject({ accepted: 1, unknown: 2 });
    expect(stops.reason?.kind).toBe('service-down');
  });

  longTest('are reconciled before more is sent once they hold 64 MiB, however few they are', () => {
    const context = contextOf({}, new SimulatedTime(1), { service: {} });
    const reconciliation = new Reconciliation(context);
    const text = 'x'.repeat(33 * 2 ** 20);
    const large = (record: number): Batch => {
      const documents = documentsOf([{ sourceId: 'a', text }, { sourceId: 'b' }], record);
      return batchOf({ documents, from: 1, to: 2 });
    };
    const reset = { kind: 'unknown', message: 'reset' } as const;
    reconciliation.answered(large(1), reset);
    expect(reconciliation.full).toBe(false);
    reconciliation.answered(large(3), reset);
    expect(reconciliation.full).toBe(true);
  });
});

describe('a canary', () => {
  it('is of a refused batch if there is one, as no document of that is there twice', async () => {
    const { sent, counts } = await importInto({
      sizes: [2, 2],
      bad: new Set([3]),
      fate: (request) => (request === 1 ? 'request lost' : undefined),
    });
    expect(sent).toEqual([[0, 1], [2, 3], [2], [3], [0, 1]]);
    expect(counts).toMatchObject({ accepted: 3, rejected: 1, unknown: 0 });
  });

  it('of a refused batch is reconciled if its answer is lost, even where others are left unknown', async () => {
    const { sent, counts } = await importInto({
      sizes: [2],
      bad: new Set([1]),
      onUnknown: 'hold',
      fate: (request) => (request === 2 ? 'answer lost' : undefined),
    });
    expect(sent).toEqual([[0, 1], [0], [1]]);
    expect(counts).toMatchObject({ accepted: 1, rejected: 1, unknown: 0 });
  });

  it('that is accepted is the last of a run, as each may be there twice', async () => {
    const { reconciliation, shown, resolve } = byHand();
    reconciliation.answered(batchTo(2), LOST);
    const { missing } = await resolve();
    for (const { batch, resend } of missing) reconciliation.answered(batch, ACCEPTED, resend);
    shown.push(...missing.flatMap(({ batch }) => numbersIn(batch)));
    expect(shown).toEqual([0]);
    await resolve();
    reconciliation.answered(batchTo(2), LOST);
    const later = await resolve();
    expect(later.missing).toEqual([]);
    expect(later.results.map(({ kind, batch }) => [kind, numbersIn(batch)])).toEqual([
      ['outcome', [0]],
      ['outcome', [1]],
    ]);
  });

  it('is not sent while a missing document is, which can serve as well', async () => {
    const { sent, notices } = await importInto({
      sizes: [1, 1, 1],
      fate: (request) => (request === 1 || request === 3 ? 'request lost' : undefined),
    });
    expect(sent).toEqual([[0], [1], [2], [0], [2]]);
    expect(notices).toHaveLength(2);
  });

  it.each([LOST, IN_PART])(
    'is not sent once the run has to end, so that its document stays unconfirmed',
    async (verdict) => {
      const stops = new StopConditions({ kind: 'never' });
      const { reconciliation, resolve } = byHand(stops);
      reconciliation.answered(batchTo(2), verdict);
      stops.stop({ kind: 'interrupted', message: 'interrupted' });
      expect(await resolve()).toEqual({ results: [], missing: [] });
    },
  );

  describe.each([
    ['an unanswered batch', { kind: 'no-answer', message: 'reset' }],
    ['a refused batch', refused(400)],
  ] as const)('of %s stays unconfirmed', (_, first) => {
    function expectUnknown({ journaled, numbers }: Imported): void {
      expect([...journaled.values()]).toEqual(['unknown', 'unknown']);
      expect(numbers('unknown')).toEqual([0, 1]);
    }

    it('if its request is refused for its credentials', async () => {
      const imported = await importInto({
        sizes: [2],
        fate: (request) => (request === 1 ? first : refused(401)),
      });
      expect(imported.sent).toEqual([[0, 1], [0]]);
      expectUnknown(imported);
    });

    it('if the run is interrupted while the service throttles', async () => {
      const stops = new StopConditions({ kind: 'never' });
      const imported = await importInto({
        sizes: [2],
        stops,
        fate: (request) => {
          if (request === 1) return first;
          if (request === 3) stops.stop({ kind: 'interrupted', message: 'interrupted' });
          return refused(503);
        },
      });
      expect(imported.sent).toEqual([[0, 1], [0], [0]]);
      // Unsent only right before a new intent: a process that is killed in between leaves it unknown.
      const ofCanary = imported.settled.filter(([n]) => n === 0).map(([, outcome]) => outcome);
      expect(ofCanary).toEqual([
        ...['unknown', 'unsent', 'unknown', 'unsent', 'unknown', 'unknown', 'unknown'],
      ]);
      expectUnknown(imported);
    });
  });

  it('stays unconfirmed if the run is interrupted while it waits to be sent', async () => {
    const stops = new StopConditions({ kind: 'never' });
    const { sent, journaled, numbers } = await importInto({
      sizes: [2],
      stops,
      fate: () => 'request lost',
      onResult: ({ kind }) => {
        if (kind === 'sent-again') stops.stop({ kind: 'interrupted', message: 'interrupted' });
      },
    });
    expect(sent).toEqual([[0, 1]]);
    expect([...journaled.values()]).toEqual(['unknown', 'unknown']);
    expect(numbers('unknown')).toEqual([0, 1]);
  });

  it('is followed by more and more at a time while those of a refused batch are refused', async () => {
    const { reconciliation, resolve } = byHand();
    const atOnce: number[] = [];
    reconciliation.answered(batchTo(600), IN_PART);
    for (let sent = 0; sent < 600; ) {
      const { missing } = await resolve();
      for (const { batch, resend } of missing) reconciliation.answered(batch, REFUSED, resend);
      atOnce.push(missing.length);
      sent += missing.length;
    }
    expect(atOnce.slice(0, 17)).toEqual([...Array.from({ length: 16 }, () => 1), 2]);
    expect(Math.max(...atOnce)).toBe(32);
  });
});
