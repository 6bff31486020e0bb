/** What README and docs/runs.md say of runs: what stops one, what resumes it, what is kept of it. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ImportOptions, ResumeError } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING, review } from '../helpers/reviews.js';
import { docferry, environmentOf } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { refusal, type Told, watchService } from '../helpers/watched-service.js';
import { command, lines, makeJob, reportIn, reviews, startJob } from './job.js';
import { checkReport, idsOf, rehearse } from './rehearsal.js';

/** When a file was last written: a moment that every file system can hold. */
const WRITTEN = new Date('2024-06-01T12:00:00Z');

/** A service that refuses the second import for its credentials, once. */
async function refusedOnce() {
  return await rehearse({
    meddle: async ({ number }, pass) => (number === 2 ? refusal(401, 'no') : await pass()),
  });
}

const LEAVING = new AbortController();

const STOPS: readonly (readonly [
  ...[string, Told | 'reset' | 'interrupt', Partial<ImportOptions>, object],
])[] = [
  ['the credentials are refused', refusal(401, 'no'), {}, { exitCode: 3, status: 'stopped' }],
  [
    ...(['too many records are bad', refusal(400, 'rude')] as const),
    ...([{ maxErrors: 1 }, { exitCode: 4, stop: { kind: 'too-many-errors' } }] as const),
  ],
  [
    ...(['it is interrupted', 'interrupt'] as const),
    ...([{ signal: LEAVING.signal }, { exitCode: 130, status: 'interrupted' }] as const),
  ],
  ['an outcome is unknown', 'reset', { onUnknown: 'hold' }, { exitCode: 5, status: 'finished' }],
];

eachSample(2)(STOPS)(
  'a run that left something undone resumes to a report of all: %s',
  async (_, answer, more, end) => {
    const { folder, run, shown, sent } = await rehearse({
      records: 5,
      meddle: async ({ number }, pass) => {
        if (number !== 2) return await pass();
        if (answer !== 'interrupt') return answer;
        LEAVING.abort();
        return await pass();
      },
    });
    const [first, ...others] = reviews(5);
    put(folder, 'reviews.jsonl', lines([{ ...first, at: 'soon' }, ...others]));
    const rejects = path.join(folder, 'bad.jsonl');
    const stopped = await run({ rejects, ...more });
    expect(stopped).toMatchObject({ ...end, resumable: true, counts: { invalid: 1 } });
    const resumed = await run({ rejects, resume: true });
    const rejected = stopped.counts.rejected;
    const counts = { read: 5, invalid: 1, rejected, accepted: 4 - rejected };
    expect(resumed).toMatchObject({ run: stopped.run, exitCode: 1, resumable: false, counts });
    expect(readFileSync(rejects, 'utf8').trimEnd().split('\n')).toHaveLength(1 + rejected);
    expect(await shown()).toHaveLength(4 - rejected);
    expect(new Set(sent()).size).toBe(4);
    // Nothing is left: a run that is to find one begins anew, and leaves out what is there.
    const next = await run({ rejects: `${rejects}.2`, resume: true });
    expect(next.run).not.toBe(stopped.run);
    expect(next.counts).toMatchObject({ duplicate: 4 - rejected, invalid: 1 });
  },
);

test('a resume is refused, with what has changed, and sends nothing, until that is undone', async () => {
  const { folder, run, service, connection, shown, ...rehearsal } = await refusedOnce();
  const input = path.join(folder, 'reviews*.jsonl');
  const file = path.join(folder, 'reviews.jsonl');
  utimesSync(file, WRITTEN, WRITTEN);
  const first = await run({ input });
  expect(first).toMatchObject({ exitCode: 3, resumable: true, counts: { accepted: 1 } });
  const sent = service.imports.length;
  const refuses = async (message: RegExp, more: Partial<ImportOptions> = {}): Promise<void> => {
    const refused = run({ input, resume: first.run, ...more });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(ResumeError);
    await expect(refused).rejects.toMatchObject({ exitCode: 2 });
  };
  put(folder, 'reviews-2.jsonl', lines([review(9)]));
  await refuses(/there are 2 inputs instead of 1/);
  rmSync(path.join(folder, 'reviews-2.jsonl'));
  put(folder, 'reviews.jsonl', lines(reviews(5)));
  await refuses(/reviews\.jsonl has \d+ bytes instead of \d+/);
  await refuses(/instead of \d+/, { resume: true });
  put(folder, 'reviews.jsonl', lines(reviews(4)));
  utimesSync(file, WRITTEN, new Date('2001-02-03T04:05:06Z'));
  await refuses(/was modified \(.+ before, 2001-02-03T04:05:06\.000Z now\)/);
  utimesSync(file, WRITTEN, WRITTEN);
  const other = put(folder, 'other.jsonl', lines(reviews(4)));
  await refuses(/the input is .*other\.jsonl instead of .*reviews\.jsonl/, { input: other });
  await refuses(/mapping "Reviews" has changed/, { mapping: { ...MAPPING, profile: 'complete' } });
  await refuses(/schema or profile/, { profile: 'complete' });
  await refuses(/options that decide how records are read or mapped have changed/, {
    source: { encoding: 'windows-1252' },
  });
  await refuses(/the monitoring is 2 instead of 1/, { monitoring: 2 });
  const elsewhere = { ...connection, baseUrl: rehearsal.sandbox.baseUrl };
  await refuses(/the service is http/, { connection: elsewhere });
  expect(service.imports).toHaveLength(sent);
  // The same size and time, and other content: it shows before anything of it is sent.
  put(folder, 'reviews.jsonl', lines(reviews(4)).replace('Review 1', 'Review !'));
  utimesSync(file, WRITTEN, WRITTEN);
  const changed = await run({ input, resume: first.run });
  expect(changed).toMatchObject({ exitCode: 4, stop: { kind: 'changed' }, resumable: true });
  expect(changed.stop?.message).toMatch(/reviews\.jsonl, record 1 differs from what the run sent/);
  expect(service.imports).toHaveLength(sent);
  put(folder, 'reviews.jsonl', lines(reviews(4)));
  utimesSync(file, WRITTEN, WRITTEN);
  const resumed = await run({ input, resume: true });
  expect(resumed).toMatchObject({ run: first.run, exitCode: 0, counts: { accepted: 4 } });
  expect(await shown()).toEqual(idsOf(4));
});

longTest('a run over stdin cannot be resumed, and a new one sends what is left', async () => {
  const { folder, connection, shown } = await refusedOnce();
  const cwd = folder;
  const env = environmentOf(connection);
  put(cwd, 'mapping.json', JSON.stringify(MAPPING));
  const how = ['--mapping', 'mapping.json', '--monitoring', '1', '--batch-size', '1', '--json'];
  const stdin = lines(reviews(4));
  const args = ['import', '-', ...how, '--concurrency', '1', '--format', 'jsonl'];
  const stopped = await docferry(args, { cwd, env, stdin });
  const report = JSON.parse(stopped.stdout);
  checkReport(report);
  expect(stopped.code).toBe(3);
  expect(report).toMatchObject({ exitCode: 3, resumable: false, counts: { accepted: 1 } });
  expect(stopped.stderr).not.toContain('runs resume');
  const resumed = await docferry(['runs', 'resume', report.run], { cwd, env });
  expect(resumed).toMatchObject({ code: 2, stdout: '' });
  expect(resumed.stderr).toMatch(/could be read only once/);
  const again = await docferry(args, { cwd, env, stdin });
  expect(JSON.parse(again.stdout).counts).toMatchObject({ accepted: 3, duplicate: 1 });
  expect(await shown()).toEqual(idsOf(4));
});

test('the state folder holds no text and no credentials, and is its owner’s alone', async () => {
  const { run, stateDir, connection } = await rehearse({
    records: 6,
    rules: [{ refuse: { containing: '"r-4"' } }],
    meddle: async ({ number }, pass) => (number === 2 ? 'reset' : await pass()),
  });
  const report = await run({ onUnknown: 'hold' });
  expect(report.counts).toMatchObject({ accepted: 4, unknown: 1, rejected: 1 });
  const entries = readdirSync(stateDir, { recursive: true, withFileTypes: true });
  expect(entries.length).toBeGreaterThan(2);
  for (const entry of entries) {
    const name = path.join(entry.parentPath, entry.name);
    expect(statSync(name).mode & 0o077, name).toBe(0);
    if (!entry.isFile()) continue;
    const content = readFileSync(name, 'latin1');
    expect(content, name).not.toContain('Review ');
    expect(content, name).not.toContain(connection.apiKey);
  }
  expect(statSync(stateDir).mode & 0o077).toBe(0);
});

longTest('a list of runs shows as unconfirmed only what no later run has settled', async () => {
  let kill = (): void => {};
  const sandbox = await startTestSandbox();
  const service = await watchService(sandbox, async ({ number }, pass) => {
    if (number === 2) kill();
    return await pass();
  });
  const { baseUrl } = service;
  const job = await makeJob({ folder: newFolder(), sandbox, baseUrl, records: 60, concurrency: 1 });
  const listed = async () => JSON.parse((await command(job, 'runs', 'list', '--json')).stdout);
  const killed = startJob(job);
  kill = () => killed.child.kill('SIGKILL');
  await killed.ended;
  await service.idle();
  const [before] = await listed();
  const { sending } = before.documents;
  expect(before).toMatchObject({ state: 'cut off', resumable: true, resolvedLater: 0 });
  expect(sending).toBeGreaterThan(0);
  expect((await command(job, 'runs', 'show', before.run)).stdout).toContain(
    `${sending} unconfirmed`,
  );
  expect(reportIn(await startJob(job).ended)).toMatchObject({ exitCode: 0, counts: { read: 60 } });
  const [after, later] = await listed();
  expect(after).toMatchObject({ run: before.run, documents: { sending: 0 } });
  expect(after.resolvedLater).toBe(sending);
  expect(later.documents.accepted).toBe(60 - before.documents.accepted);
  const text = (await command(job, 'runs', 'show', before.run)).stdout;
  expect(text).not.toContain('unconfirmed');
  expect(text).toContain(`${sending} resolved by a later run`);
});
