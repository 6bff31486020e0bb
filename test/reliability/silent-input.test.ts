import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ImportOptions, InterruptedError, importDocuments } from '../../src/index.js';
import { newFolder } from '../helpers/files.js';
import { startServer } from '../helpers/http-server.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { MAPPING } from '../helpers/reviews.js';
import { type Ended, startDocferry } from '../helpers/run-cli.js';
import { ALL_CASES, longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { type Job, makeJob } from './job.js';

/** Reports on stderr that the command handles signals itself: from then on it has to end in order. */
const REPORTS_HANDLING = `data:text/javascript,${encodeURIComponent(
  "process.on('newListener', (name) => { if (name === 'SIGINT') process.stderr.write('handles signals\\n'); });",
)}`;

async function jobWithSandbox(): Promise<Job> {
  const sandbox = await startWithMonitoring();
  // Nothing is to end because of a timeout.
  return await makeJob({ folder: newFolder(), sandbox, records: 1, patienceMs: 60_000 });
}

/** A job's arguments with other inputs. */
function withInputs({ arguments: [command = '', _, ...flags] }: Job, ...inputs: string[]) {
  return [command, ...inputs, ...flags];
}

/** Starts a command whose stdin stays open, and interrupts it while it waits for its input. */
async function interrupt(
  args: readonly string[],
  { surroundings }: Job,
  { stdin = '', signal = 'SIGINT', env = {}, once = /handles signals/ }: Interrupted = {},
): Promise<Ended> {
  const open = new PassThrough();
  open.write(stdin);
  const { child, ended } = startDocferry(args, {
    cwd: surroundings.cwd,
    env: { ...surroundings.env, ...env },
    stdin: open,
    preload: REPORTS_HANDLING,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = new Promise<void>((resolve) => {
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (text) => once.test(text) && resolve());
    }
  });
  await Promise.race([written, ended]);
  // By then it waits for its input; a signal that comes before that has to end it as well.
  await wait(300);
  child.kill(signal);
  return await ended;
}

interface Interrupted {
  readonly stdin?: string;
  readonly signal?: NodeJS.Signals;
  readonly env?: NodeJS.ProcessEnv;
  /** Interrupted when it has written this. */
  readonly once?: RegExp;
}

function expectNothingSent({ code, stdout, stderr }: Ended): void {
  expect(stderr).toContain('Interrupted before any record was read. Nothing was sent');
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ error: { kind: 'InterruptedError' } });
}

function makePipe({ folder }: Job): string {
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  return 'pipe';
}

test('an import whose stdin is silent ends at once when it is interrupted', async () => {
  const job = await jobWithSandbox();
  expectNothingSent(await interrupt(withInputs(job, '-'), job));
});

describe('an interruption ends the wait', () => {
  test.skipIf(!(ALL_CASES && HAS.linux))('for a pipe that nobody writes to', async () => {
    const job = await jobWithSandbox();
    const pipe = makePipe(job);
    expectNothingSent(await interrupt(withInputs(job, pipe), job));
    expectNothingSent(await interrupt(withInputs(job, '-', pipe), job));
  });

  longTest('for an address that does not answer', async () => {
    const job = await jobWithSandbox();
    const { baseUrl } = await startServer(() => {});
    expectNothingSent(await interrupt(withInputs(job, `${baseUrl}/reviews.jsonl`), job));
  });

  test.skipIf(!(ALL_CASES && HAS.postgres))('where the state is shared', async () => {
    const job = await jobWithSandbox();
    const env = { DOCFERRY_STATE: await newDatabase() };
    expectNothingSent(await interrupt(withInputs(job, '-'), job, { env }));
    const shard = ['--run', 'nightly', '--shard', '1/2'];
    expectNothingSent(await interrupt([...withInputs(job, '-'), ...shard], job, { env }));
  });
});

describe('a program', () => {
  /** Options of an import but for its input, which a slow query would give. */
  async function importing(): Promise<Omit<ImportOptions, 'input'>> {
    return { mapping: MAPPING, monitoring: 1, connection: await startWithMonitoring() };
  }

  test('that aborts its signal before its input gives anything is told so', async () => {
    const stop = new AbortController();
    const silent = new PassThrough();
    const run = importDocuments({
      stateDir: false,
      ...(await importing()),
      input: silent,
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(new Error('the job was cancelled')), 50);
    const error = await run.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InterruptedError);
    expect(error).toMatchObject({ exitCode: 130, cause: { message: 'the job was cancelled' } });
    expect(silent.destroyed).toBe(true);
  });
});
