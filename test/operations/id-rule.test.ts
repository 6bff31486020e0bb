import { renameSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ImportOptions, importDocuments, pruneRuns, type Report } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { longTest } from '../helpers/runs.js';
import { shareSandbox, startWithMonitoring } from '../helpers/start-sandbox.js';

const BY_COLUMN = '"{id}"';
const BY_HASH = '{ hash: ["{id}", "{text}"] }';

const share = shareSandbox();

let folder = '';
let target: Pick<ImportOptions, 'connection' | 'monitoring'>;
beforeEach(async () => {
  folder = newFolder();
  put(folder, 'reviews.csv', 'id,text\n1,Good\n2,Fine\n3,Bad\n');
  const { sandbox: connection, monitoring } = await share();
  target = { connection, monitoring };
});

/** Imports with this rule for ids. */
async function importBy(sourceId: string, more: object = {}): Promise<Report> {
  const rules = `sourceId: ${sourceId}\n  text: "{text}"\n`;
  const options = {
    input: path.join(folder, 'reviews.csv'),
    mapping: put(folder, 'm.yaml', `profile: minimal\ndocument:\n  ${rules}`),
    ...{ ...target, throwOn: 'never', ...more },
  };
  const place = 'state' in more ? {} : { stateDir: path.join(folder, 'state') };
  return await importDocuments({ ...options, ...place } as ImportOptions);
}

describe('a file that was imported before, with another rule for its ids', () => {
  it('is refused with the run, its rule and what to do, under another name, too', async () => {
    await importBy(BY_COLUMN);
    const message =
      /reviews\.csv was imported into monitoring \d+ before, with another rule for sourceId.*Nothing was sent\.\nRun [\w-]+ of \d+ \w+ \d{4} \(3 documents\): sourceId: "\{id\}"\n\S*m\.yaml:3:13: sourceId: \{ hash: .*\n.*--no-skip-known/;
    await expect(importBy(BY_HASH)).rejects.toMatchObject({
      ...{ exitCode: 2, message: expect.stringMatching(message) },
    });
    const input = path.join(folder, 'export.csv');
    renameSync(path.join(folder, 'reviews.csv'), input);
    await expect(importBy(BY_HASH, { input })).rejects.toThrow('another rule for sourceId');
    expect((await importBy(BY_COLUMN, { input })).counts.duplicate).toBe(3);
  });

  it('is refused, too, if all of it was sent by an import of a different file', async () => {
    await importBy(BY_COLUMN);
    const input = put(folder, 'next.csv', 'id,text\n3,Bad\n2,Fine\n1,Good\n');
    expect((await importBy(BY_COLUMN, { input })).counts.duplicate).toBe(3);
    await expect(importBy(BY_HASH, { input })).rejects.toThrow('another rule for sourceId');
  });

  it('is imported again on demand, and then recognised with either rule', async () => {
    await importBy(BY_COLUMN);
    expect((await importBy(BY_HASH, { skipKnown: false })).counts.accepted).toBe(3);
    expect((await importBy(BY_HASH)).counts.duplicate).toBe(3);
    expect((await importBy(BY_COLUMN)).counts.duplicate).toBe(3);
  });
});

it('an unfinished run and a new one name the same way out of another rule, which leads on', async () => {
  const rules = [{ on: 'import', requests: [2], reset: 'after' }] as const;
  const service = await startWithMonitoring({ faults: { rules } });
  const connection = { ...service, timeoutMs: 500 };
  const more = { connection, monitoring: 1, batchSize: 1, quietMs: 500 };
  expect((await importBy(BY_COLUMN, { ...more, onUnknown: 'hold' })).exitCode).toBe(5);
  const resumed = importBy(BY_HASH, { ...more, resume: true });
  await expect(resumed).rejects.toThrow(/Put its rule back \(sourceId: "\{id\}"\) and resume/);
  await expect(resumed).rejects.not.toThrow('Start a new run');
  await expect(importBy(BY_HASH, more)).rejects.toThrow('Put the earlier rule back');
  const report = await importBy(BY_COLUMN, { ...more, resume: true });
  expect(report).toMatchObject({ exitCode: 0, counts: { accepted: 3 } });
});

describe.skipIf(!HAS.postgres)('on a shared state', () => {
  longTest('another rule is refused, until the run is pruned', async () => {
    const state = await newDatabase();
    expect((await importBy(BY_COLUMN, { state })).exitCode).toBe(0);
    const message = /another rule for sourceId[\s\S]*runs prune --older-than 0/;
    await expect(importBy(BY_HASH, { state })).rejects.toThrow(message);
    await pruneRuns({ state, olderThanDays: 0 });
    expect((await importBy(BY_HASH, { state })).counts.accepted).toBe(3);
    expect((await importBy(BY_HASH, { state })).counts.duplicate).toBe(3);
  });
});
