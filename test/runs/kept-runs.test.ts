import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportOptions, importDocuments, type Report, reportHtml } from '../../src/index.js';
import { listRuns } from '../../src/operations/runs/list-runs.js';
import { resolveRun } from '../../src/operations/runs/resolve-run.js';
import { verifyRun } from '../../src/operations/runs/verify-run.js';
import type { SandboxOptions } from '../../src/sandbox/index.js';
import { deferred } from '../helpers/deferred.js';
import { newFolder, put } from '../helpers/files.js';
import { minimalMapping } from '../helpers/reviews.js';
import { longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring, type TestSandbox } from '../helpers/start-sandbox.js';

const mapping = minimalMapping({
  language: { value: 'en' },
  published: { value: '2024-06-03T16:30:00Z', date: 'iso' },
});

/** Lines of a file of reviews with these ids. */
function lines(ids: string, text = 'Good'): string {
  return [...ids].map((id) => `${JSON.stringify({ id, text })}\n`).join('');
}

async function rehearsal(faults?: SandboxOptions['faults']) {
  const sandbox = await startWithMonitoring(faults === undefined ? {} : { faults });
  const folder = newFolder();
  const stateDir = path.join(folder, 'state');
  // The quiet time is no shorter than the timeout.
  const connection = { ...sandbox, timeoutMs: 500 };
  const quick = { quietMs: 100, lookForMs: 2_000, batchSize: 3, concurrency: 1, monitoring: 1 };
  // On a busy machine, not even the check of the access is answered within the timeout.
  const patient = { maxOutageAtStartMs: 5_000 };
  return {
    sandbox,
    folder,
    stateDir,
    connection,
    run: (input: ImportOptions['input'], more: Partial<ImportOptions> = {}): Promise<Report> =>
      importDocuments({
        ...{ throwOn: 'never', input, mapping, connection, stateDir, ...quick, ...patient },
        ...more,
      } as ImportOptions),
    look: { stateDir, connection, quietMs: 100, lookForMs: 2_000 },
  };
}

async function idsOn(sandbox: TestSandbox): Promise<string> {
  const shown = await shownDocuments(sandbox);
  return shown
    .map(({ sourceId }) => sourceId)
    .toSorted()
    .join('');
}

describe('exports that overlap', () => {
  it('post only what is new, and say what has changed since', async () => {
    const { sandbox, folder, run } = await rehearsal();
    await run(put(folder, 'monday.jsonl', lines('abcdef')));
    const tuesday = put(folder, 'tuesday.jsonl', lines('cd') + lines('e', 'Better') + lines('gh'));
    const { counts, problems, exitCode } = await run(tuesday);
    expect(counts).toMatchObject({ read: 5, duplicate: 3, accepted: 2 });
    expect(exitCode).toBe(0);
    expect(problems.map(({ kind, count }) => [kind, count])).toEqual([
      ['known', 2],
      ['changed', 1],
    ]);
    expect(await idsOn(sandbox)).toBe('abcdefgh');
  });

  longTest('reconcile what another run left unconfirmed', async () => {
    const { sandbox, folder, run, look } = await rehearsal({
      rules: [{ on: 'import', requests: [2], reset: 'after' }],
    });
    const file = put(folder, 'a.jsonl', lines('abcdefghi'));
    const first = await run(file, { onUnknown: 'hold' });
    expect(first.counts).toMatchObject({ accepted: 6, unknown: 3 });
    const second = await run(put(folder, 'b.jsonl', lines('defx')));
    expect(second.counts).toMatchObject({ unknown: 0, accepted: 4 });
    expect(await resolveRun({ ...look, run: first.run })).toMatchObject({ accepted: 3 });
    const third = await run(put(folder, 'c.jsonl', lines('def')));
    expect(third.counts).toMatchObject({ duplicate: 3 });
    expect(await idsOn(sandbox)).toBe('abcdefghix');
  });
});

describe('documents whose outcome is unknown', () => {
  longTest(
    'count what their inputs and documents are like once, when they are resumed',
    async () => {
      const { folder, run, look } = await rehearsal({
        rules: [{ on: 'import', requests: [2], reset: 'before' }],
      });
      const file = put(folder, 'a.jsonl', lines('abcdefghi'));
      const held = await run(file, { onUnknown: 'hold' });
      await resolveRun({ ...look, run: held.run });
      const htmlFile = path.join(folder, 'page.html');
      const resumed = await run(file, { resume: true, htmlFile });
      expect(resumed.coverage?.documents).toBe(9);
      expect(resumed.inputs[0]?.counts).toMatchObject({ read: 9, accepted: 9 });
      expect(resumed.drift).toBeNull();
      // The first process sent the other six.
      expect(resumed.delivery?.timeline.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(3);
      expect(readFileSync(htmlFile, 'utf8')).toBe(await reportHtml(resumed));
    },
  );
});

describe('imports into one monitoring at the same time', () => {
  it('wait for each other and send each document once; other monitorings do not mind', async () => {
    const { sandbox, folder, run } = await rehearsal({
      rules: [{ on: 'import', latency: { median: 300, p99: 301 } }],
    });
    await sandbox.ensureMonitoring(2);
    const file = put(folder, 'a.jsonl', lines('abc'));
    const other = put(folder, 'b.jsonl', lines('xyz'));
    const reports = await Promise.all([
      run(file),
      run([other, file]),
      run(other, { monitoring: 2 }),
      run(file),
    ]);
    const [elsewhere] = reports.splice(2, 1);
    expect(elsewhere?.notices).toEqual([]);
    expect(reports.map(({ counts }) => counts.accepted).toSorted()).toEqual([0, 3, 3]);
    expect(reports.map(({ counts }) => counts.unknown)).toEqual([0, 0, 0]);
    const waits = reports.flatMap(({ notices }) => notices);
    expect(waits.join()).toMatch(
      new RegExp(
        `The run \\d{8}-\\d{6}-\\w{6} \\(process ${process.pid}\\) has been importing into monitoring 1 since 20.*Waiting`,
      ),
    );
    expect(await idsOn(sandbox)).toBe('abcxyz');
  });

  longTest(
    'do not wait longer than they may, and end at once when they are interrupted',
    async () => {
      const { folder, run } = await rehearsal();
      const file = put(folder, 'a.jsonl', lines('abc'));
      const ended = deferred();
      const first = run(
        (async function* () {
          yield { id: 'z', text: 'Good' };
          await ended.promise;
        })(),
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      await expect(run(file, { lockTimeoutMs: 0 })).rejects.toMatchObject({
        name: 'ResumeError',
        exitCode: 2,
        message: expect.stringMatching(
          /has been importing into monitoring 1 since .*--lock-timeout/,
        ),
      });
      await expect(run(file, { lockTimeoutMs: 300 })).rejects.toThrow(/Waited for 0.3 seconds/);
      const interrupted = run(file, { signal: AbortSignal.timeout(300) });
      await expect(interrupted).rejects.toMatchObject({ exitCode: 130 });
      const next = run(file);
      ended.resolve();
      expect((await first).counts.accepted).toBe(1);
      expect((await next).counts.accepted).toBe(3);
    },
  );
});

describe('a run that is resumed', () => {
  it('still tells what it knew when it ends before it has read that far again', async () => {
    const { folder, run, sandbox } = await rehearsal({
      rules: [
        { on: 'import', requests: [2], reset: 'after' },
        { on: 'import', requests: [3], status: 401, message: 'revoked' },
        { on: 'monitorings', requests: [2], status: 401, message: 'revoked' },
      ],
    });
    const file = put(folder, 'a.jsonl', lines('abcdefghijkl'));
    const first = await run(file, { onUnknown: 'hold' });
    expect(first).toMatchObject({ exitCode: 3, resumable: true });
    expect(first.counts).toMatchObject({ accepted: 3, unknown: 3 });
    const second = await run(file, { resume: true });
    expect(second).toMatchObject({ exitCode: 3, resumable: true });
    // The last three were to be next when the first one ended.
    expect(second.counts).toMatchObject({ read: 12, accepted: 3, unknown: 3, unsent: 6 });
    expect(second.unknown).toEqual([{ source: file, from: 4, to: 6 }]);
    const third = await run(file, { resume: true });
    expect(third.counts).toMatchObject({ read: 12, accepted: 12 });
    expect(await idsOn(sandbox)).toBe('abcdefghijkl');
  });

  it('gives its last report again when nothing is left, and begins anew when it is to find one', async () => {
    const { folder, run } = await rehearsal();
    const file = put(folder, 'a.jsonl', lines('ab'));
    const first = await run(file, { resume: true });
    expect(first.counts.accepted).toBe(2);
    const notices = [...first.notices, 'This run had already finished, so nothing was sent.'];
    expect(await run(file, { resume: first.run })).toEqual({ ...first, notices });
    const next = await run(file, { resume: true });
    expect(next.run).not.toBe(first.run);
    expect(next.counts.duplicate).toBe(2);
  });
});

it('a run that is damaged is listed beside what is not, and no import begins beside it', async () => {
  const { folder, stateDir, run } = await rehearsal();
  const file = put(folder, 'a.jsonl', lines('ab'));
  const [first, second] = [await run(file), await run(file)];
  put(stateDir, `runs/${first.run}/journal.jsonl`, 'nothing of the kind\n'.repeat(300));
  const { runs, failures } = await listRuns(stateDir);
  expect(Object.fromEntries(runs.map(({ run: id, state }) => [id, state]))).toEqual({
    [first.run]: 'unreadable',
    [second.run]: 'finished',
  });
  const message = /journal\.jsonl is damaged: .*Don't delete anything.*docs\/runs\.md/;
  expect(failures).toEqual([expect.stringMatching(message)]);
  await expect(run(file)).rejects.toMatchObject({
    ...{ name: 'JournalError', exitCode: 4, message: expect.stringMatching(message) },
  });
});

describe('verifyRun', () => {
  it('refuses to compare a run with another service', async () => {
    const { folder, run, look } = await rehearsal();
    const { run: id } = await run(put(folder, 'a.jsonl', lines('a')));
    const other = await rehearsal();
    const asked = verifyRun({ ...look, connection: other.connection, run: id });
    await expect(asked).rejects.toThrow(/was sent to http.*, not to http/);
  });
});
