import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/index.js';
import {
  type ImportOptions,
  type ImportRun,
  importDocuments,
  OptionError,
  type Report,
} from '../../src/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { newFolder, put } from '../helpers/files.js';
import { type Answer, json, startServer } from '../helpers/http-server.js';
import { runs } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { shareSandbox } from '../helpers/start-sandbox.js';

const mapping: Mapping = {
  name: 'Test reviews',
  document: {
    sourceId: '{id}',
    text: '{text}',
    language: { value: 'es' },
    sentiment: { from: 'score', number: '.', bands: { B: 4, N: 3, R: 0 } },
    published: { from: 'date', date: 'iso' },
    url: 'https://reviews.example.com/{id}',
    detectedLocations: { city: '{city}' },
    metrics: { score: { from: 'score', number: '.' } },
    tags: [{ from: 'tags', split: ',' }, 'imported'],
    author: { sourceId: '{guest}', username: '{guest}', annotations: { city: '{city}' } },
  },
  skip: [{ from: 'text', blank: true }],
};

interface Row {
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly [column: string]: unknown;
}

function row(id: number | string, more: object = {}): Row {
  return {
    id: String(id),
    text: `Text ${id}`,
    score: 4.5,
    date: '2024-06-03T16:30:00Z',
    city: 'Jaén',
    tags: 'a, b',
    guest: 'Ana',
    ...more,
  };
}

function rows(count: number): Row[] {
  return Array.from({ length: count }, (_, at) => row(at + 1));
}

function sumOf({ counts }: Report): number {
  const { read: _, ...outcomes } = counts;
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

const share = shareSandbox();
let sandbox: Sandbox;
let monitoring: number;
beforeEach(async () => {
  ({ sandbox, monitoring } = await share());
});

function intoSandbox(input: ImportOptions['input'], more: Partial<ImportOptions> = {}) {
  const options = { input, mapping, monitoring, connection: sandbox, ...more };
  return importDocuments({ stateDir: false, throwOn: 'never', ...options });
}

describe('importDocuments', () => {
  it('gives every record exactly one outcome, and the service holds exactly what was accepted', async () => {
    const record = fc.record({
      id: fc.nat(30).map(String),
      text: fc.oneof(fc.constantFrom('', 'good', 'bad'), fc.string({ unit: 'grapheme' })),
      score: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant('five')),
      date: fc.constantFrom('2024-06-03', '2024-06-03T16:30:00+02:00', 'yesterday'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(record),
        fc.integer({ min: 1, max: 5 }),
        async (list, batchSize) => {
          const { monitoring } = await share();
          const input = list.map((some) => row(some.id, some));
          const options = { input, mapping, monitoring, connection: sandbox, batchSize };
          const { report, outcomes, accepted } = await listen(
            importDocuments({ stateDir: false, ...options }),
          );
          const shown = await shownDocuments(sandbox, monitoring);
          expect(sumOf(report)).toBe(report.counts.read);
          expect(report.counts.read).toBe(list.length);
          // Skipped records are counted, not listed.
          expect(outcomes.size + report.counts.skipped).toBe(list.length);
          expect(shown.map(({ sourceId }) => sourceId).toSorted()).toEqual(accepted.toSorted());
        },
      ),
      { numRuns: runs(30) },
    );
  });

  it('sends a file in as many requests as it takes, however slowly it is read', async () => {
    const lines = rows(1_200).map((one) => `${JSON.stringify(one)}\n`);
    const file = put(newFolder(), 'reviews.jsonl', lines.join(''));
    // Each record is late at once.
    const source = { flushMs: 0, chunkBytes: 64 };
    expect((await intoSandbox(file, { source })).batches).toBe(3);
  });

  it('refuses wrong options before anything is sent', async () => {
    await expect(intoSandbox(rows(1), { batchSize: 0 })).rejects.toThrow(OptionError);
    await expect(intoSandbox(rows(1), { inputKey: 'nightly' })).rejects.toThrow(
      'inputKey has no effect with stateDir: false, as nothing is remembered: name a folder.',
    );
    await expect(intoSandbox(rows(1), { monitoring: 1.5 })).rejects.toThrow(/monitoring is 1.5/);
    await expect(intoSandbox(rows(1), { maxErrors: '5 percent' })).rejects.toThrow(/maxErrors/);
    await expect(intoSandbox(rows(1), { profile: 'minimal', schema: {} })).rejects.toThrow(/both/i);
    expect(await shownDocuments(sandbox, monitoring)).toEqual([]);
  });
});

describe('when the service misbehaves', () => {
  async function against(answer: Answer, input: Row[], more: Partial<ImportOptions> = {}) {
    const server = await startServer((request, response, body) =>
      request.method === 'GET' ? json(response, 200, { id: 1 }) : answer(request, response, body),
    );
    const connection = { baseUrl: server.baseUrl, username: 'u', apiKey: 'k', timeoutMs: 2000 };
    const options = { input, mapping, monitoring: 1, connection, batchSize: 10, ...more };
    const report = await importDocuments({ stateDir: false, throwOn: 'never', ...options });
    return { report, posts: server.requests.slice(1) };
  }

  it('gives up waiting when it is told to abandon: what is in flight is unknown', async () => {
    const controller = new AbortController();
    const abandon = new AbortController();
    const { report } = await against(
      () => {
        controller.abort();
        setTimeout(() => abandon.abort(), 50);
      },
      rows(10),
      { signal: controller.signal, abandonSignal: abandon.signal },
    );
    expect(report.exitCode).toBe(130);
    expect(report.counts.unknown).toBe(10);
  });
});

/** Loops over a run's events: the outcome of each record, and the sourceIds that were accepted. */
async function listen(run: ImportRun) {
  const outcomes = new Map<number, string>();
  const accepted: (string | null)[] = [];
  for await (const event of run) {
    if (event.type !== 'outcome') continue;
    for (const { place, sourceId } of event.records) {
      expect(outcomes.has(place.record)).toBe(false);
      outcomes.set(place.record, event.outcome);
      if (event.outcome === 'accepted') accepted.push(sourceId);
    }
  }
  return { report: await run, outcomes, accepted };
}
