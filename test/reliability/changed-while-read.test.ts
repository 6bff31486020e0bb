import { appendFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importDocuments, type Report, type RunEvent } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING } from '../helpers/reviews.js';
import { longTest } from '../helpers/runs.js';
import { shareSandbox, startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { workbookOfTexts } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';
import { checkEnded, lines, makeJob, reviews, shownIds, startJob } from './job.js';

const share = shareSandbox();

const RECORDS = reviews(400);
const TEXT = lines(RECORDS);

/** Long ago, so that whatever is written to a file changes its time. */
const WRITTEN = new Date('2024-06-01T12:00:00Z');

function putFile(name: string, content: string | Uint8Array): string {
  const file = put(newFolder(), name, content);
  utimesSync(file, WRITTEN, WRITTEN);
  return file;
}

/** Imports a file that something happens to once an event has come. */
async function importWhile(
  input: string,
  happens: () => void,
  isTime = (event: RunEvent) => event.type === 'outcome' && event.outcome === 'accepted',
): Promise<Report> {
  const { sandbox: connection, monitoring } = await share();
  const run = importDocuments({
    stateDir: false,
    ...{ input, mapping: MAPPING, monitoring, connection, throwOn: 'never' },
    ...{ batchSize: 5, concurrency: 1, threads: 0, source: { chunkBytes: 2_048 } },
  });
  await whenItIsTime(run, isTime, happens);
  return await run;
}

async function whenItIsTime(
  run: AsyncIterable<RunEvent>,
  isTime: (event: RunEvent) => boolean,
  happens: () => void,
): Promise<void> {
  let happened = false;
  for await (const event of run) {
    if (happened || !isTime(event)) continue;
    happens();
    happened = true;
  }
}

function expectStopped(report: Report, input: string): void {
  expect(report).toMatchObject({ exitCode: 4, status: 'stopped', stop: { kind: 'source' } });
  expect(report.stop?.message).toContain(`${input} changed while it was read`);
  expect(report.stop?.message).toMatch(/Run this again once nothing writes to it/);
  const { read, ...outcomes } = report.counts;
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(read);
  expect(read).toBeLessThan(RECORDS.length);
}

/** An import as a process of its own, whose file changes when its first request arrives. */
async function importInProcess(happens: (file: string) => void) {
  const sandbox = await startTestSandbox();
  let file = '';
  const { baseUrl } = await watchService(sandbox, async ({ number }, pass) => {
    if (number === 1) happens(file);
    return await pass();
  });
  const job = await makeJob({
    ...{ folder: newFolder(), sandbox, baseUrl, records: 5_000, textBytes: 400 },
    ...{ batchSize: 500, concurrency: 1, patienceMs: 20_000 },
  });
  file = path.join(job.folder, 'reviews.jsonl');
  utimesSync(file, WRITTEN, WRITTEN);
  const ended = await startJob(job).ended;
  return { job, ended, report: await checkEnded(job, ended) };
}

function halve(file: string): void {
  truncateSync(file, Math.floor(statSync(file).size / 2));
}

test('an import whose file is cut short meanwhile stops, and keeps the outcome of what was sent', async () => {
  const { job, ended, report } = await importInProcess(halve);
  expect(ended.code).toBe(4);
  expect(report).toMatchObject({ status: 'stopped', stop: { kind: 'source' } });
  expect(report.stop?.message).toMatch(
    /^reviews\.jsonl changed while it was read, and reading stopped before record \d+ \(line \d+\)\. /,
  );
  const { accepted, read, invalid } = report.counts;
  expect({ accepted, invalid }).toEqual({ accepted: read, invalid: 0 });
  expect(await shownIds(job)).toEqual(job.ids.slice(0, accepted).toSorted());
  expect(ended.stderr).toContain('To resume, if the input is unchanged since the run started: ');
});

describe('a file stops its import', () => {
  longTest.each<[string, (file: string) => void]>([
    ['that grows', (file) => appendFileSync(file, TEXT)],
    ['that is emptied', (file) => truncateSync(file)],
  ])('%s', async (_, happens) => {
    const input = putFile('reviews.jsonl', TEXT);
    const report = await importWhile(input, () => happens(input));
    expectStopped(report, input);
    expect(report.counts.accepted).toBeGreaterThan(0);
  });

  longTest('that changes between its opening and its reading', async () => {
    const input = putFile('reviews.jsonl', TEXT);
    const replace = () => renameSync(put(newFolder(), 'new', `${TEXT}\n`), input);
    const report = await importWhile(input, replace, ({ type }) => type === 'start');
    expectStopped(report, input);
    expect(report.counts.read).toBe(0);
  });

  longTest.each<[string, () => Promise<Uint8Array> | Uint8Array, string?]>([
    ['reviews.zip', () => zipOf({ 'reviews.jsonl': TEXT }), '/reviews.jsonl'],
    ['reviews.xlsx', () => workbookOfTexts(table())],
  ])('%s', async (name, content, member = '') => {
    const input = putFile(name, await content());
    const touch = () => utimesSync(input, WRITTEN, new Date());
    expectStopped(await importWhile(input, touch), input + member);
  });
});

longTest.each<[string, (file: string) => void]>([
  ['replaced by another', (file) => renameSync(put(newFolder(), 'new', 'no reviews'), file)],
  ['removed', (file) => rmSync(file)],
])('a file that is %s while it is open is read to its end', async (_, happens) => {
  const input = putFile('reviews.jsonl', TEXT);
  const report = await importWhile(input, () => happens(input));
  expect(report).toMatchObject({ exitCode: 0, counts: { accepted: RECORDS.length } });
});

function table(): readonly (readonly string[])[] {
  return [['id', 'text', 'at'], ...RECORDS.map(({ id, text, at }) => [id, text, at])];
}
