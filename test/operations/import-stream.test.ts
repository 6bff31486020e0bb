import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createImportStream,
  type ImportStream,
  type ImportStreamOptions,
  MappingError,
  OptionError,
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

function open(more: Partial<ImportStreamOptions> = {}): ImportStream {
  return createImportStream({
    mapping,
    monitoring,
    connection: sandbox,
    batchSize: 100,
    ...more,
  });
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

const failureOf = (ending: Promise<unknown>): Promise<unknown> =>
  ending.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );

describe('an import stream', () => {
  it('ends a pipeline once every record is settled, and gives the report', async () => {
    const stream = open();
    await pipeline(source(1_050).records, stream);
    expect(await shownDocuments(sandbox, monitoring)).toHaveLength(1_040);
    const { counts } = await stream.report;
    expect(counts).toMatchObject({ read: 1_050, accepted: 1_040, invalid: 10, unsent: 0 });
  });

  it('takes what is written to it one by one, and tells the events of its run', async () => {
    const stream = open();
    const types = new Set<string>();
    const stamps = new Set<string>();
    const listening = (async () => {
      for await (const { type, run, time } of stream.run) {
        types.add(type);
        stamps.add(`${run} ${Number.isNaN(Date.parse(time))}`);
      }
    })();
    stream.write({ id: '1', text: 'One' });
    await wait(50);
    stream.end({ id: '2', text: 'Two' });
    expect((await stream.report).counts).toMatchObject({ read: 2, accepted: 2 });
    await listening;
    expect([...types]).toEqual(expect.arrayContaining(['start', 'read', 'outcome', 'end']));
    expect([...stamps]).toEqual([`${(await stream.report).run} false`]);
  });

  it('sends what was written before long, though more may come', async () => {
    const stream = open({ source: { flushMs: 100 } });
    for (const id of ['1', '2', '3']) stream.write({ id, text: 'Text' });
    while ((await shownDocuments(sandbox, monitoring)).length < 3) await wait(20);
    stream.end({ id: '4', text: 'Text' });
    expect((await stream.report).counts).toMatchObject({ read: 4, accepted: 4 });
  });

  it('has what was written in its report, also if it is destroyed', async () => {
    const stream = open({ throwOn: 'never' });
    const taken = [1, 2, 3].map(
      (id) => new Promise((resolve) => stream.write({ id: `${id}`, text: 'Text' }, resolve)),
    );
    await Promise.all(taken);
    stream.destroy();
    const { counts } = await stream.report;
    expect(counts.read).toBe(3);
    expect(counts.accepted + counts.unsent).toBe(3);
  });

  it('slows the source down to what the service takes', async () => {
    // The first imports hang until the test is over.
    const slow = await startWithMonitoring({
      faults: { rules: [{ on: 'import', hang: 'before' }] },
    });
    const { records, given } = source(100_000);
    const abort = new AbortController();
    const stream = open({
      ...{ connection: slow, monitoring: 1, batchSize: 10, concurrency: 2 },
      signal: abort.signal,
    });
    const piped = failureOf(pipeline(records, stream));
    while (given() === 0) await wait(10);
    let before: number;
    do {
      before = given();
      await wait(300);
    } while (given() > before);
    expect(before).toBeLessThan(10_000);
    stream.destroy();
    abort.abort();
    await slow.close();
    await piped;
  });

  it('fails as its run does: a mapping that is not there', async () => {
    const stream = open({ mapping: 'no-such.yaml' });
    const failure = await failureOf(pipeline(source(10).records, stream));
    expect(failure).toBeInstanceOf(MappingError);
    await expect(stream.report).rejects.toBe(failure);
  });

  it('fails with the report of a run that ends before the source does', async () => {
    const stream = open({ maxErrors: 5 });
    const failure = await failureOf(pipeline(source(100_000).records, stream));
    expect(failure).toBeInstanceOf(RunFailedError);
    const { report } = failure as RunFailedError;
    expect(report.stop?.kind).toBe('too-many-errors');
    expect(report.counts.read).toBeLessThan(100_000);
  });

  it('stops its run when the source fails, and settles what is in flight', async () => {
    async function* failing(): AsyncGenerator<object> {
      for (let id = 1; id <= 1_000; id += 1) yield { id: String(id), text: 'Text' };
      throw new Error('the cursor was lost');
    }
    const stream = open();
    const failure = await failureOf(pipeline(failing, stream));
    expect((failure as Error).message).toBe('the cursor was lost');
    const run = (await failureOf(stream.report)) as RunFailedError;
    expect(run.report.stop?.kind).toBe('interrupted');
    expect(run.report.counts.unknown).toBe(0);
    expect(await shownDocuments(sandbox, monitoring)).toHaveLength(run.report.counts.accepted);
  });

  it.each([['a text'], [Buffer.from('bytes')]])('refuses %j, which is no record', async (text) => {
    const failure = await failureOf(pipeline(Readable.from([text]), open()));
    expect(failure).toBeInstanceOf(OptionError);
    expect((failure as Error).message).toContain('importDocuments');
  });
});
