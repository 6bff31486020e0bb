/** What docs/reliability.md says that docferry can't notice: these tests show where the limits lie. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { importDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING } from '../helpers/reviews.js';
import { longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { shareSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { lines, repeated, reviews } from './job.js';

const share = shareSandbox();

longTest('imports with state folders of their own don’t know of each other', async () => {
  const { sandbox, monitoring } = await share();
  const input = put(newFolder(), 'reviews.jsonl', lines(reviews(3)));
  const connection = sandbox;
  for (const stateDir of [newFolder(), newFolder()]) {
    await importDocuments({ input, mapping: MAPPING, monitoring, connection, stateDir });
  }
  expect(await shownDocuments(sandbox, monitoring)).toHaveLength(6);
});

longTest(
  'a request that is applied after two settle times is there twice, and listed',
  async () => {
    const { sandbox, monitoring } = await share();
    let applyLate = async (): Promise<unknown> => undefined;
    const { baseUrl } = await watchService(sandbox, async ({ number }, pass) => {
      if (number !== 1) return await pass();
      applyLate = pass;
      return undefined;
    });
    const report = await importDocuments({
      stateDir: false,
      ...{ mapping: MAPPING, monitoring, batchSize: 5, concurrency: 1, quietMs: 300 },
      input: put(newFolder(), 'reviews.jsonl', lines(reviews(10))),
      connection: { ...sandbox, baseUrl, timeoutMs: 300 },
    });
    expect(report.counts).toMatchObject({ accepted: 10 });
    await applyLate();
    const ids = (await shownDocuments(sandbox, monitoring)).map(({ sourceId }) => sourceId);
    expect(repeated(ids)).toHaveLength(5);
    expect(report.problems).toMatchObject([{ kind: 'sent-again', count: 5 }]);
  },
);

longTest('a record that was not sent yet may change, if its file looks the same', async () => {
  const { sandbox, monitoring } = await share();
  const leaving = new AbortController();
  const { baseUrl } = await watchService(sandbox, ({ number }, pass) => {
    if (number === 1) leaving.abort();
    return pass();
  });
  const input = put(newFolder(), 'reviews.jsonl', lines(reviews(6)));
  const written = new Date('2024-06-01T12:00:00Z');
  utimesSync(input, written, written);
  const importing = {
    ...{ input, mapping: MAPPING, monitoring, batchSize: 2, concurrency: 1 },
    ...{ stateDir: newFolder(), throwOn: 'never' as const },
    connection: { ...sandbox, baseUrl },
  };
  const { run, counts } = await importDocuments({ ...importing, signal: leaving.signal });
  expect(counts.accepted).toBeLessThan(6);
  writeFileSync(input, readFileSync(input, 'utf8').replace('Review 6', 'Review ?'));
  utimesSync(input, written, written);
  const resumed = await importDocuments({ ...importing, resume: run });
  expect(resumed.counts).toMatchObject({ accepted: 6 });
  expect((await shownDocuments(sandbox, monitoring)).map(({ text }) => text)).toContain('Review ?');
});

longTest('a program’s object that is changed before it is mapped counts as changed', async () => {
  const { sandbox, monitoring } = await share();
  const [first, second] = reviews(2);
  async function* records() {
    const given = { ...first };
    yield given;
    given.text = 'changed';
    yield second;
  }
  await importDocuments({
    stateDir: false,
    ...{ input: records(), mapping: MAPPING, monitoring },
    connection: sandbox,
  });
  const texts = (await shownDocuments(sandbox, monitoring)).map(({ text }) => text);
  expect(texts.toSorted()).toEqual(['Review 2', 'changed']);
});

longTest('sourceIds that are changed show as missing where no acknowledged one is', async () => {
  const { sandbox, monitoring } = await share();
  const { baseUrl } = await watchService(sandbox, async ({ number, path: at }, pass) => {
    if (number === 2) {
      await pass();
      return undefined;
    }
    const told = await pass();
    if (number > 0 || !at.endsWith('/documents')) return told;
    return { ...told, body: told.body.replaceAll('"r-4"', '"R-4"') };
  });
  await importDocuments({
    stateDir: false,
    ...{ mapping: MAPPING, monitoring, batchSize: 2, concurrency: 1, quietMs: 300 },
    input: put(newFolder(), 'reviews.jsonl', lines(reviews(8))),
    connection: { ...sandbox, baseUrl, timeoutMs: 300 },
  });
  const ids = (await shownDocuments(sandbox, monitoring)).map(({ sourceId }) => sourceId);
  expect(repeated(ids)).toEqual(['r-4']);
});
