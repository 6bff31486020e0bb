import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AuthenticationError,
  type ImportOptions,
  importDocuments,
  type Report,
  type RunEvent,
  RunFailedError,
  ServiceDownError,
  SourceError,
  validateDocuments,
} from '../../src/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { minimalMapping } from '../helpers/reviews.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { shareSandbox, startWithMonitoring } from '../helpers/start-sandbox.js';

const mapping = minimalMapping({ language: 'en', published: '2024-06-03T00:00:00Z' });

function row(id: number): object {
  return { id: String(id), text: `Text ${id}` };
}

async function* rows(count: number, then?: () => void): AsyncGenerator<object> {
  for (let id = 1; id <= count; id += 1) yield row(id);
  then?.();
}

const share = shareSandbox();
let sandbox: Sandbox;
let monitoring: number;
beforeEach(async () => {
  ({ sandbox, monitoring } = await share());
});

function run(input: ImportOptions['input'], more: Partial<ImportOptions> = {}) {
  const options = { input, mapping, monitoring, connection: sandbox, batchSize: 100 };
  return importDocuments({ stateDir: false, ...options, ...more });
}

/** What a run rejects with, which has to be of this kind. */
async function failureOf(running: PromiseLike<Report>): Promise<RunFailedError> {
  const failure = await running.then(
    (report) => expect.fail(`gave a report with exit code ${report.exitCode}`),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(RunFailedError);
  return failure as RunFailedError;
}

describe('a run that stopped early rejects, with its report and the cause', () => {
  it('when the credentials are refused', async () => {
    const connection = { ...sandbox, apiKey: 'wrong' };
    const error = await failureOf(run(rows(3), { connection }));
    expect(error).toMatchObject({ exitCode: 3, report: { stop: { kind: 'no-access' } } });
    expect(error.cause).toBeInstanceOf(AuthenticationError);
    expect(error.cause).toMatchObject({ status: 401, messages: [expect.any(String)] });
    expect(error.message).toMatch(/^The run \S+ stopped early: .*\(0 records read\)\.$/);
  });

  it('when the service is down', async () => {
    const connection = await startWithMonitoring();
    await connection.close();
    const error = await failureOf(run(rows(3), { connection }));
    expect(error).toMatchObject({ exitCode: 4, report: { stop: { kind: 'service-down' } } });
    expect(error.cause).toBeInstanceOf(ServiceDownError);
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED', cause: { syscall: 'connect' } });
  });

  eachSample(1)([0, 1, 250, 1200])(
    'when its iterable throws after %j records: what came before is sent',
    async (count) => {
      const lost = new Error('the cursor was lost');
      const input = rows(count, () => {
        throw lost;
      });
      const error = await failureOf(run(input));
      expect(error.cause).toBe(lost);
      expect(error.message).toContain('the cursor was lost');
      expect(error.report).toMatchObject({ exitCode: 4, stop: { kind: 'source' } });
      expect(error.report.counts).toMatchObject({ read: count, accepted: count });
      expect(await shownDocuments(sandbox, monitoring)).toHaveLength(count);
    },
  );

  it('when its own signal is aborted, with the reason of that', async () => {
    const controller = new AbortController();
    const reason = new Error('closing time');
    const input = rows(600, () => controller.abort(reason));
    const error = await failureOf(run(input, { signal: controller.signal }));
    expect(error).toMatchObject({ exitCode: 130, report: { status: 'interrupted' } });
    expect(error.cause).toBe(reason);
  });

  it('when more records are bad than maxErrors allows', async () => {
    const bad = Array.from({ length: 2000 }, (_, id) => ({ id: String(id), text: '' }));
    const error = await failureOf(run(bad, { maxErrors: 3 }));
    expect(error).toMatchObject({ exitCode: 4, report: { stop: { kind: 'too-many-errors' } } });
    const validating = validateDocuments({ input: bad, mapping, maxErrors: 3 });
    expect((await failureOf(validating)).report.command).toBe('validate');
  });
});

it('a share of errors ends a run from a hundred records on, and below, the report says so', async () => {
  const mixed = (records: number) =>
    Array.from({ length: records }, (_, id) => ({
      id: `${id}`,
      text: id % 10 === 0 ? '' : 'Good',
    }));
  const error = await failureOf(run(mixed(120), { maxErrors: '5%' }));
  expect(error).toMatchObject({ exitCode: 4, report: { stop: { kind: 'too-many-errors' } } });
  const small = await run(mixed(50), { maxErrors: '5%' });
  expect(small.counts).toMatchObject({ accepted: 45, invalid: 5 });
  expect(small.notices.join()).toContain("The limit of errors didn't apply: a share of 5%");
  const good = await run(mixed(50), { maxErrors: '10%' });
  expect(good.notices.join()).not.toContain('The limit of errors');
});

describe('throwOn', () => {
  const mixed = [row(1), { id: '2' }];

  it('any: a record that is invalid, rejected or unknown is enough', async () => {
    const error = await failureOf(run(mixed, { throwOn: 'any' }));
    expect(error).toMatchObject({ exitCode: 1, cause: undefined, report: { stop: null } });
    expect(error.message).toMatch(
      /did not accept everything \(2 records read: 1 invalid, 1 accepted\)\.$/,
    );
    expect((await run([row(3)], { throwOn: 'any' })).exitCode).toBe(0);
  });

  it('never: a run that has started gives a report, however it ends', async () => {
    const connection = { ...sandbox, apiKey: 'wrong' };
    const report = await run(rows(3), { connection, throwOn: 'never' });
    expect(report).toMatchObject({ exitCode: 3, status: 'stopped' });
    const input = rows(2, () => {
      throw new Error('lost');
    });
    expect(await run(input, { throwOn: 'never' })).toMatchObject({ exitCode: 4 });
    // What can't start has no report.
    await expect(run('no-such.csv', { throwOn: 'never' })).rejects.toBeInstanceOf(SourceError);
  });
});

describe('a run', () => {
  it('throws what ends it out of the loop over its events, after the last of them', async () => {
    const lost = new Error('lost');
    const running = run(
      rows(250, () => {
        throw lost;
      }),
    );
    const events: RunEvent[] = [];
    const loop = async () => {
      for await (const event of running) events.push(event);
    };
    await expect(loop()).rejects.toMatchObject({ name: 'RunFailedError', cause: lost });
    const accepted = events.flatMap((event) =>
      event.type === 'outcome' && event.outcome === 'accepted' ? event.records : [],
    );
    expect(accepted).toHaveLength(250);
    await expect(running).rejects.toMatchObject({ cause: lost });
  });

  it('stops in good order when the loop is left, which waits for that', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<object> {
      try {
        for (let id = 1; ; id += 1) {
          await new Promise((resolve) => setImmediate(resolve));
          yield row(id);
        }
      } finally {
        closed = true;
      }
    }
    const running = run(endless(), { batchSize: 10 });
    for await (const event of running) {
      if (event.type === 'outcome' && event.outcome === 'accepted') break;
    }
    expect(closed).toBe(true);
    const { report } = await failureOf(running);
    expect(report.status).toBe('interrupted');
    expect(report.counts.accepted).toBeGreaterThan(0);
    expect(await shownDocuments(sandbox, monitoring)).toHaveLength(report.counts.accepted);
  });

  it('ends with the block of an await using, and waits for it', async () => {
    const running = run(rows(100_000), { batchSize: 10 });
    await vi.waitUntil(() => running.progress() !== undefined);
    await running[Symbol.asyncDispose]();
    const { report } = await failureOf(running);
    expect(report.status).toBe('interrupted');
    const done = run(rows(3));
    await done;
    await done[Symbol.asyncDispose]();
    expect((await done).counts.accepted).toBe(3);
  });
});

describe('a program that only loops over the events', () => {
  longTest('and catches what the loop throws has nothing else to catch', async () => {
    const connection = { baseUrl: sandbox.baseUrl, username: 'u', apiKey: 'wrong' };
    const program = `
      import { importDocuments } from ${JSON.stringify(`${ROOT}/dist/index.js`)};
      const run = importDocuments({
        input: [{ id: '1' }],
        mapping: { document: { sourceId: '{id}' } },
        monitoring: 1,
        connection: ${JSON.stringify(connection)},
        stateDir: false,
      });
      try {
        for await (const event of run);
      } catch (error) {
        console.log('caught', error.name);
      }
    `;
    const file = put(newFolder(), 'program.mjs', program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
    expect({ stdout, stderr }).toEqual({ stdout: 'caught RunFailedError\n', stderr: '' });
  });
});
