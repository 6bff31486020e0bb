import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/index.js';
import {
  type ImportOptions,
  importDocuments,
  MappingError,
  type Report,
  type ValidateOptions,
  validateDocuments,
} from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { json, openServer, type TestServer } from '../helpers/http-server.js';
import { longTest, runs } from '../helpers/runs.js';
import { startedThreads } from '../helpers/worker-threads.js';
import { lastingFacts } from '../report/fixtures.js';

const started = startedThreads();

const mapping: Mapping = {
  name: 'Reviews',
  profile: 'minimal',
  skip: [{ from: 'text', blank: true }],
  document: {
    sourceId: '{id}',
    text: '{text}',
    // Not the run's start, which would tell runs apart.
    downloaded: '2024-06-03T16:30:00.000Z',
    sentiment: { from: 'score', number: '.', bands: { B: 4, N: 3, R: 0 } },
  },
};

interface Row {
  readonly id: string;
  readonly text: string;
  readonly score: string;
}

/** Inputs below 8 MiB do without threads. This record is too long, so it is not looked at. */
/** Rows that failed once: most have a field too many. */
const TOO_LONG: Row[] = ['five', '4,extra', '4,extra', '4,extra'].map((score, at) => {
  const text = at === 3 ? '𑇯𐩀𛋟' : '';
  return { id: text, text, score };
});
const PADDING: Row = { id: 'long', text: 'x'.repeat(9_000_000), score: '4' };
const MAX_RECORD_BYTES = 10_000;

function csv(rows: readonly Row[]): string {
  const lines = rows.map(({ id, text, score }) => `${id},"${text.replaceAll('"', '""')}",${score}`);
  return `id,text,score\n${lines.join('\n')}\n`;
}

function jsonl(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function good(count: number): Row[] {
  return Array.from({ length: count }, (_, at) => ({
    id: String(at),
    text: `Text ${at}`,
    score: '4',
  }));
}

describe('with worker threads', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openServer((_, response, body) => {
      const documents = body === '' ? [] : JSON.parse(body).documents;
      json(response, 200, { accepted: true, documents: documents.length, id: 1 });
    });
  });
  afterAll(() => server.close());

  /** All that a run gives: nothing of it may depend on threads or chunks. */
  async function outcome(file: string, more: Partial<ImportOptions>) {
    server.requests.length = 0;
    const rejects = path.join(newFolder(), path.basename(file));
    const connection = { baseUrl: server.baseUrl, username: 'u', apiKey: 'k' };
    const run = { input: file, mapping, monitoring: 1, connection, rejects, batchSize: 7 };
    const report = await importDocuments({
      stateDir: false,
      throwOn: 'never',
      ...run,
      concurrency: 1,
      ...more,
    });
    const posts = server.requests.filter(({ method }) => method === 'POST');
    return {
      report: comparable(report),
      documents: posts.flatMap(({ body }) => JSON.parse(body).documents.map(shown)).toSorted(),
      rejects: report.rejects.map(({ file: name }) =>
        readFileSync(name, 'utf8').replaceAll(report.run, 'RUN'),
      ),
      why: report.rejects.map((one) => readFileSync(one.reasons, 'utf8')),
    };
  }

  longTest(
    'surveys the same values and times for any number of threads and size of chunks',
    async () => {
      const rows = Array.from({ length: 9_000 }, (_, at) => {
        const text = at % 7 === 0 ? '' : 'Good'.padEnd(4_500 + (at % 5), '!');
        return { id: `${at}`, text, score: `${1 + (at % 3)}` };
      });
      const input = put(newFolder(), 'r.csv', csv(rows));
      const published = { value: '2024-06-03T16:30:00.000Z' };
      const dated = { ...mapping, document: { ...mapping.document, published } };
      const [one, ...others] = await Promise.all(
        [{ threads: 0 }, { threads: 2 }, { threads: 1, source: { chunkBytes: 20_000 } }].map(
          (way) => validateDocuments({ input, mapping: dated, throwOn: 'never', ...way }),
        ),
      );
      const [ids, texts] = one?.coverage?.columns ?? [];
      expect(ids).toMatchObject({ records: 9_000, filled: 9_000 });
      expect(texts).toMatchObject({ filled: 7_714 });
      expect(one?.skips).toEqual([
        { condition: 'text is blank', records: 1_286, mappingLine: null },
      ]);
      for (const other of others) {
        expect(other.skips).toEqual(one?.skips);
        expect(lastingFacts(other).coverage).toEqual(one && lastingFacts(one).coverage);
      }
    },
  );

  it('gives the same report, documents and rejects for any number of threads and size of chunks', async () => {
    const row = fc.record({
      id: fc.oneof(fc.constantFrom('1', '2'), fc.string({ unit: 'grapheme' })),
      text: fc.oneof(
        fc.constantFrom('', 'good', 'a "quoted"\n\nline', 'b,\r\n"c"'),
        fc.string({ unit: 'grapheme' }),
      ),
      score: fc.constantFrom('1', '4.5', 'five', '', '4,extra'),
    });
    const way = fc.record({
      threads: fc.constantFrom(0, 1, 2, 4),
      chunkBytes: fc.constantFrom(64, 100, 1000, 100_000, 4 * 1024 * 1024),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 200, size: 'max' }),
        fc.constantFrom<'csv' | 'jsonl'>('csv', 'jsonl'),
        fc.array(way, { minLength: 2, maxLength: 3 }),
        async (rows, format, ways) => {
          const all = [...rows, PADDING];
          const content = format === 'csv' ? csv(all) : jsonl(all);
          const file = put(newFolder(), `r.${format}`, content);
          const source = {
            format,
            maxRecordBytes: MAX_RECORD_BYTES,
            // Of many rows with a field too many, one would be the header.
            ...(format === 'csv' ? { delimiter: ',', quote: '"', skipLines: 0 } : {}),
          };
          const expected = await outcome(file, { threads: 0, source });
          for (const { threads, chunkBytes } of [...ways, { threads: 2, chunkBytes: 64 }]) {
            const given = await outcome(file, { threads, source: { ...source, chunkBytes } });
            expect(given).toEqual(expected);
          }
        },
      ),
      { numRuns: runs(5), examples: [[TOO_LONG, 'csv', [{ threads: 2, chunkBytes: 64 }]]] },
    );
    expect(started).not.toEqual([]);
  });

  longTest('stops at the same record for too many errors', async () => {
    const bad = good(2000).map((row, at) => ({ ...row, score: at % 10 === 0 ? 'x' : '4' }));
    const file = put(newFolder(), 'r.csv', csv([...bad, PADDING]));
    const reports = [];
    for (const threads of [0, 1, 3]) {
      const source = { chunkBytes: 1000 };
      reports.push(comparable(await validate(file, { threads, source, maxErrors: 50 })));
    }
    expect(reports[0]).toMatchObject({ stop: { kind: 'too-many-errors' }, exitCode: 4 });
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[2]).toEqual(reports[0]);
  });

  longTest('sends what came before the place where a thread died, and exits with 4', async () => {
    // So many that the thread can't have read them all before it is stopped, however busy the machine is.
    const file = put(newFolder(), 'r.jsonl', jsonl([...good(100_000), PADDING]));
    const kill = (worker: Worker): void => {
      worker.once('message', () => void worker.terminate());
    };
    process.once('worker', kill);
    const source = { chunkBytes: 10_000, maxRecordBytes: MAX_RECORD_BYTES };
    const { report, documents } = await outcome(file, { threads: 1, source });
    expect(report).toMatchObject({
      status: 'stopped',
      exitCode: 4,
      stop: { kind: 'thread', message: expect.stringMatching(/r\.jsonl, from record \d+ on/) },
    });
    const { accepted, unsent } = report.counts;
    expect(accepted).toBeGreaterThan(0);
    expect(unsent).toBe(0);
    expect(documents).toHaveLength(accepted);
    expect(report.stop?.message).toContain(`from record ${report.counts.read + 1} on`);
  });
});

describe('threads', () => {
  const large = (): string => put(newFolder(), 'r.csv', csv([...good(100), PADDING]));

  it('have no part in what keeps a run from starting, and are gone when it is told', async () => {
    const other = put(newFolder(), 'other.csv', 'number,text,score\n1,a,4\n');
    await expect(validate([large(), other], { threads: 2 })).rejects.toThrow(MappingError);
    expect(started.map(({ threadId }) => threadId)).toEqual([-1, -1]);
    await expect(validate(large(), { threads: -1 })).rejects.toThrow(/threads is -1/);
    await expect(validate(large(), { threads: 1.5 })).rejects.toThrow(/threads is 1.5/);
    expect(started).toHaveLength(2);
  });

  it('are not started for small files, for a function, or where there shall be none', async () => {
    const small = put(newFolder(), 'small.csv', csv(good(3)));
    await validate([small, small], { threads: 2 });
    await validate(large(), { threads: 0 });
    const inline = validateDocuments({ input: large(), mapping: () => undefined, threads: 2 });
    expect((await inline).counts.read).toBeGreaterThan(0);
    expect(started).toEqual([]);
  });
});

async function validate(
  input: ValidateOptions['input'],
  { source, ...more }: Partial<ValidateOptions>,
): Promise<Report> {
  const read = { maxRecordBytes: MAX_RECORD_BYTES, ...source };
  return await validateDocuments({ throwOn: 'never', input, mapping, source: read, ...more });
}

/** A report without what differs from run to run. */
function comparable(report: Report) {
  const rejects = report.rejects.map(({ file: _, reasons: __, ...rest }) => rest);
  return { ...lastingFacts(report), rejects };
}

/** Long texts make failures unreadable. */
function shown(document: Row): string {
  return JSON.stringify(document).slice(0, 1000);
}
