import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ImportOptions,
  type ImportRun,
  importDocuments,
  RunFailedError,
} from '../../src/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { minimalMapping } from '../helpers/reviews.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { shareSandbox, startWithMonitoring } from '../helpers/start-sandbox.js';

const mapping = minimalMapping({ language: 'en', published: '2024-06-03T00:00:00Z' });

const share = shareSandbox();
let sandbox: Sandbox;
let monitoring: number;
beforeEach(async () => {
  ({ sandbox, monitoring } = await share());
});

function importing(input: Readable, more: Partial<ImportOptions> = {}): ImportRun {
  const options = { stateDir: false, mapping, monitoring, connection: sandbox, batchSize: 100 };
  return importDocuments({ ...options, input, ...more } as ImportOptions);
}

/** So many records, and how many of them were asked for. */
function source(count: number): { readonly records: Readable; readonly given: () => number } {
  let given = 0;
  function* rows(): Generator<object> {
    for (let id = 1; id <= count; id += 1) {
      given = id;
      yield { id: String(id), text: id % 100 === 0 ? '' : `Text ${id}` };
    }
  }
  return { records: Readable.from(rows()), given: () => given };
}

const failureOf = (run: ImportRun): Promise<RunFailedError> =>
  run.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(RunFailedError);
      return error as RunFailedError;
    },
  );

describe('a stream of objects', () => {
  it('that is written to one by one is sent before long, though more may come', async () => {
    const input = new PassThrough({ objectMode: true });
    const run = importing(input, { source: { flushMs: 100 } });
    for (const id of ['1', '2', '3']) input.write({ id, text: 'Text' });
    while ((await shownDocuments(sandbox, monitoring)).length < 3) await wait(20);
    input.end({ id: '4', text: 'Text' });
    expect((await run).counts).toMatchObject({ read: 4, accepted: 4 });
  });

  it('is slowed down to what the service takes', async () => {
    // The first imports hang until the test is over.
    const slow = await startWithMonitoring({
      faults: { rules: [{ on: 'import', hang: 'before' }] },
    });
    const { records, given } = source(100_000);
    const abort = new AbortController();
    const run = importing(records, {
      ...{ connection: slow, monitoring: 1, batchSize: 10, concurrency: 2 },
      signal: abort.signal,
    });
    const ended = failureOf(run);
    while (given() === 0) await wait(10);
    let before: number;
    do {
      before = given();
      await wait(300);
    } while (given() > before);
    expect(before).toBeLessThan(10_000);
    abort.abort();
    await slow.close();
    await ended;
  });

  it('that fails stops its run, and what is in flight is settled', async () => {
    async function* failing(): AsyncGenerator<object> {
      for (let id = 1; id <= 1_000; id += 1) yield { id: String(id), text: 'Text' };
      throw new Error('the cursor was lost');
    }
    const same = new Transform({ objectMode: true, transform: (one, _, done) => done(null, one) });
    const run = importing(pipeline(Readable.from(failing()), same, () => {}));
    const { report, cause } = await failureOf(run);
    expect(cause).toMatchObject({ message: 'the cursor was lost' });
    expect(report.stop?.kind).toBe('source');
    expect(report.counts.unknown).toBe(0);
    expect(await shownDocuments(sandbox, monitoring)).toHaveLength(report.counts.accepted);
  });
});
