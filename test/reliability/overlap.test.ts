import path from 'node:path';
import { expect, test } from 'vitest';
import { type ImportOptions, importDocuments } from '../../src/index.js';
import { put, temporaryFolders } from '../helpers/files.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  checkComplete,
  checkStopped,
  lines,
  MAPPING,
  makeJob,
  reviews,
  runsOf,
  startJob,
} from './job.js';

const folder = temporaryFolders();

test('of exports that overlap, the second brings only what is new, and tells what has changed', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.ensureMonitoring(1);
  const { baseUrl, imports } = await watchService(sandbox);
  const { username, apiKey } = sandbox;
  const place = folder();
  const importFile = (input: string, more: Partial<ImportOptions> = {}) =>
    importDocuments({
      input: path.join(place, input),
      mapping: MAPPING,
      monitoring: 1,
      connection: { baseUrl, username, apiKey },
      stateDir: path.join(place, 'state'),
      batchSize: 20,
      throwOn: 'never',
      ...more,
    });
  const all = reviews(300);
  const changed = all.map((review) =>
    review.id === 'r-150' ? { ...review, text: 'I think better of it now' } : review,
  );
  put(place, 'may.jsonl', lines(all.slice(0, 200)));
  put(place, 'june.jsonl', lines(changed.slice(100)));

  expect((await importFile('may.jsonl')).counts).toMatchObject({ accepted: 200, duplicate: 0 });
  const sent = imports.length;
  const second = await importFile('june.jsonl');
  expect(second).toMatchObject({ exitCode: 0, counts: { accepted: 100, duplicate: 100 } });
  expect(second.problems.map(({ kind, count }) => [kind, count])).toEqual([
    ['known', 99],
    ['changed', 1],
  ]);
  const [example] = second.problems[1]!.examples;
  expect(example).toMatchObject({ source: path.join(place, 'june.jsonl'), record: 50 });

  const posted = imports.slice(sent).flatMap(({ ids }) => ids);
  expect(posted.toSorted()).toEqual(
    all
      .slice(200)
      .map(({ id }) => id)
      .toSorted(),
  );
  const shown = await shownDocuments(sandbox);
  expect(shown.length).toBe(300);
  expect(shown.find(({ sourceId }) => sourceId === 'r-150')?.text).toBe('Review 150');

  const third = await importFile('june.jsonl');
  expect(third.counts).toMatchObject({ accepted: 0, duplicate: 200 });
  expect(third.batches).toBe(0);
});

test('what a killed import left in doubt, a new one leaves alone until the first has gone on', async () => {
  const sandbox = await startTestSandbox();
  let kill = (): void => {};
  const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
    const told = await pass();
    if (number !== 6) return told;
    kill();
    return undefined;
  });
  const job = await makeJob({ folder: folder(), sandbox, baseUrl, records: 400 });
  const { child, ended } = startJob(job);
  kill = () => child.kill('SIGKILL');
  await ended;
  await idle();
  const [first = ''] = await runsOf(job);

  const second = await checkStopped(job, await startJob(job).ended);
  expect(second.exitCode).toBe(5);
  expect(second.counts.unknown).toBeGreaterThanOrEqual(20);
  expect(second.problems.map(({ kind }) => kind)).toContain('in-doubt');

  await checkComplete(job, await startJob(job, ['--resume', first]).ended);
  const third = await checkComplete(job, await startJob(job).ended);
  expect(third.counts.duplicate).toBe(400);
});
