import path from 'node:path';
import { expect, test } from 'vitest';
import { type ImportOptions, importDocuments, type Report } from '../../src/index.js';
import { newFolder } from '../helpers/files.js';
import { MAPPING } from '../helpers/reviews.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { reviews } from './job.js';

const RECORDS = reviews(400);

/** A program's import of records that come from no file, which it can read again. */
async function program() {
  const sandbox = await startWithMonitoring();
  const stateDir = path.join(newFolder(), 'state');
  async function* records() {
    yield* RECORDS;
  }
  const run = (more: Partial<ImportOptions>) =>
    importDocuments({
      input: records(),
      mapping: MAPPING,
      monitoring: 1,
      connection: sandbox,
      stateDir,
      batchSize: 20,
      concurrency: 1,
      throwOn: 'never',
      ...more,
    });
  /** Stops it after some documents were accepted. */
  const interrupt = async (more: Partial<ImportOptions>): Promise<Report> => {
    const stop = new AbortController();
    const importing = run({ ...more, signal: stop.signal });
    for await (const event of importing) {
      if (event.type === 'outcome' && event.outcome === 'accepted') stop.abort();
    }
    const report = await importing;
    expect(report).toMatchObject({ exitCode: 130, status: 'interrupted' });
    expect(report.counts.accepted).toBeLessThan(RECORDS.length);
    return report;
  };
  return { sandbox, run, interrupt };
}

test('records under a key go on where their run was interrupted, by its id or as the latest', async () => {
  const { sandbox, run, interrupt } = await program();
  const inputKey = 'reviews of May';
  const first = await interrupt({ inputKey });
  expect(first.resumable).toBe(true);
  await expect(run({ inputKey: 'another', resume: first.run })).rejects.toThrow(
    /key is "another" instead of "reviews of May"/,
  );
  const report = await run({ inputKey, resume: first.run });
  expect(report).toMatchObject({ run: first.run, exitCode: 0, resumable: false });
  expect(report.counts).toMatchObject({ read: 400, accepted: 400 });
  const ids = (await shownDocuments(sandbox)).map(({ sourceId }) => sourceId);
  expect(ids.toSorted()).toEqual(RECORDS.map(({ id }) => id).toSorted());
});
