import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTransport } from '../../../src/api/http-transport.js';
import { postDocuments } from '../../../src/api/import-documents.js';
import { compareAcknowledged } from '../../../src/delivery/reconciliation/compare-acknowledged.js';
import type { Doubt } from '../../../src/delivery/reconciliation/doubt.js';
import type { Acknowledged, ReadBackPort } from '../../../src/delivery/reconciliation/port.js';
import { resolveDoubts } from '../../../src/delivery/reconciliation/resolve-doubts.js';
import { servicePages } from '../../../src/delivery/reconciliation/service-pages.js';
import type { FaultRule, SandboxOptions } from '../../../src/sandbox/index.js';
import { ALL_CASES } from '../../helpers/runs.js';
import { startTestSandbox } from '../../helpers/start-sandbox.js';

const published = '2024-05-01T10:00:00Z';
const settings = { quietMs: 400, timeoutMs: 100, giveUpMs: 20_000 };

/** A sandbox that goes wrong as told, and what a corridor would do with it. */
async function rehearse(rules: readonly FaultRule[], options: SandboxOptions = {}) {
  const sandbox = await startTestSandbox({ ...options, faults: { rules } } as SandboxOptions);
  await sandbox.ensureMonitoring(1);
  const transport = openTransport(sandbox);
  onTestFinished(() => transport.close());
  const acknowledged: Acknowledged[] = [];
  const port: ReadBackPort = {
    source: 'RVW',
    page: servicePages(transport, { monitoring: 1, source: 'RVW' }),
    acknowledged: () => acknowledged,
    clock: { now: () => Date.now(), sleep: (ms, signal) => wait(ms, undefined, { signal }) },
    signal: new AbortController().signal,
  };
  /** Sends documents in one request; an answer that says so acknowledges them. */
  const send = async (...ids: string[]): Promise<Doubt> => {
    const documents = ids.map((sourceId) => ({ source: 'RVW', sourceId, text: 't', published }));
    const pieces = [Buffer.from(JSON.stringify(documents).slice(1, -1))];
    const { kind, ...answer } = await postDocuments(transport, 1, pieces);
    const acknowledgedMs = Date.now();
    if (kind === 'answer' && 'status' in answer && answer.status === 200) {
      for (const sourceId of ids) acknowledged.push({ sourceId, published, acknowledgedMs });
    }
    await wait(2);
    return { ids, published: { from: published, to: published }, endedMs: acknowledgedMs };
  };
  return { send, port, acknowledged, sandbox };
}

describe('read-back from a sandbox', () => {
  it('finds what was stored behind a lost answer, and what was not stored of half a batch', async () => {
    const { send, port } = await rehearse(
      [
        { on: 'import', requests: [1], reset: 'after' },
        { on: 'import', requests: [2], reset: 'before' },
        { on: 'import', requests: [3], apply: { documents: 2 } },
      ],
      { pageSize: 2 },
    );
    const doubts = [
      await send('a', 'b', 'c'),
      await send('d', 'e', 'f'),
      await send('g', 'h', 'i', 'G'),
    ];
    await send('later');
    const resolved = await resolveDoubts(doubts, settings, port);
    expect(resolved.map(({ accepted, absent }) => [accepted, absent])).toEqual([
      [[0, 1, 2], []],
      [[], [0, 1, 2]],
      [
        [0, 1],
        [2, 3],
      ],
    ]);
  });

  it.runIf(ALL_CASES)(
    'waits for documents that show late, and tries again when pages fail',
    async () => {
      const { send, port } = await rehearse(
        [
          { visibleAfterMs: 300 },
          { on: 'import', requests: [1], reset: 'after' },
          { on: 'import', requests: [2], reset: 'before' },
          { on: 'documents', every: 5, status: 503 },
          { on: 'documents', every: 7, reset: 'before' },
        ],
        { pageSize: 2 },
      );
      const doubts = [await send('a', 'b', 'c'), await send('d')];
      await send('later');
      const resolved = await resolveDoubts(doubts, settings, port);
      expect(resolved.map(({ accepted, absent }) => [accepted, absent])).toEqual([
        [[0, 1, 2], []],
        [[], [0]],
      ]);
    },
  );

  it('tells ids apart by case and Unicode form, and sees one that is there twice', async () => {
    const { send, port } = await rehearse([{ on: 'import', requests: [2], reset: 'before' }]);
    await send('ab', 'caf\u00e9', 'b', 'b');
    const doubt = await send('AB', 'cafe\u0301', 'b');
    await send('later');
    const [resolved] = await resolveDoubts([doubt], settings, port);
    expect(resolved).toMatchObject({ accepted: [2], absent: [0, 1], twice: [2] });
  });

  it('finds documents whose time of publication is not known', async () => {
    const { send, port } = await rehearse([{ on: 'import', requests: [1], reset: 'after' }]);
    const doubt = { ...(await send('a')), published: null };
    const [resolved] = await resolveDoubts([doubt], settings, port);
    expect(resolved).toMatchObject({ accepted: [0], reason: null });
  });

  it('says so when nothing may be read any more', async () => {
    const { send, port } = await rehearse([{ on: 'documents', status: 401 }]);
    const [resolved] = await resolveDoubts([await send('a')], settings, port);
    expect(resolved).toMatchObject({ accepted: [], absent: [], undecided: [0] });
    expect(resolved!.reason).toContain('401');
  });

  it('compares what was acknowledged with what is there', async () => {
    const { send, port, acknowledged } = await rehearse(
      [{ on: 'import', requests: [2], apply: { documents: 1, answer: 'full' } }],
      { pageSize: 3 },
    );
    await send('a', 'b', 'b', 'c');
    await send('d', 'e', 'f');
    async function* all() {
      for (const { sourceId, published } of acknowledged) {
        const span = published === null ? null : { from: published, to: published };
        if (sourceId !== 'c') yield { sourceId, published: span };
      }
    }
    const found = await compareAcknowledged(
      all(),
      { source: 'RVW', giveUpMs: 0, examples: 5 },
      port,
    );
    expect(found).toEqual({
      compared: 5,
      withoutId: 0,
      incomplete: null,
      missing: ['e', 'f'],
      duplicate: ['b'],
      extra: { count: 1, examples: ['c'] },
    });
  });
});
