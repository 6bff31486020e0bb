import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/index.js';
import { type ImportOptions, importDocuments, type Report } from '../../src/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { newFolder, put } from '../helpers/files.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const mapping: Mapping = {
  name: 'Test reviews',
  document: {
    sourceId: '{id}',
    text: '{text}',
    language: { value: 'es' },
    sentiment: '{sentiment}',
    published: { from: 'date', date: 'iso' },
    metrics: { score: { from: 'score', number: '.' } },
  },
};
const HEADER = 'id;text;sentiment;date;score\n';
const row = (id: number, { sentiment = 'B', score = '4' } = {}): string =>
  `${id};"Texto ""${id}""";${sentiment};2024-06-03;${score}\n`;

let sandbox: Sandbox;
let here: string;
beforeEach(async () => {
  sandbox = await startWithMonitoring();
  await sandbox.ensureMonitoring(2);
  here = newFolder();
});

const inHere = (name: string): string => path.join(here, name);

/** A schema of one's own lets through what the service refuses, one document a request. */
async function run(input: string, more: Partial<ImportOptions> = {}): Promise<Report> {
  const options = { mapping, monitoring: 1, connection: sandbox, schema: { type: 'object' } };
  const keeping = { stateDir: inHere('state'), rejects: inHere(`${input}.bad.csv`), batchSize: 1 };
  return await importDocuments({
    throwOn: 'never',
    ...options,
    ...keeping,
    input: inHere(input),
    ...more,
  });
}

function mend(rejects: string, as: string, [from, to]: readonly [RegExp, string]): void {
  put(here, as, readFileSync(inHere(rejects), 'utf8').replaceAll(from, to));
}

describe('rejects that are fixed and imported again', () => {
  it('are all accepted, and nothing is there twice', async () => {
    const lines = [1, 2, 3, 4, 5, 6].map((id) =>
      row(id, { ...(id % 3 === 0 ? { sentiment: '!' } : {}), ...(id === 4 ? { score: 'x' } : {}) }),
    );
    put(here, 'a.csv', HEADER + lines.join(''));
    const first = await run('a.csv');
    expect(first.counts).toMatchObject({ accepted: 3, rejected: 2, invalid: 1 });

    mend('a.csv.bad.csv', 'b.csv', [/;!;/g, ';B;']);
    const second = await run('b.csv');
    expect(second.counts).toMatchObject({ read: 3, accepted: 2, invalid: 1 });

    mend('b.csv.bad.csv', 'c.csv', [/;x;/g, ';5;']);
    const third = await run('c.csv');
    expect(third).toMatchObject({ exitCode: 0, counts: { read: 1, accepted: 1 } });
    const shown = await shownDocuments(sandbox);
    expect(shown.map(({ sourceId }) => sourceId).toSorted()).toEqual([...'123456']);
  });

  it('are not sent again by a retry of the old run', async () => {
    put(here, 'a.csv', HEADER + row(1) + row(2, { sentiment: '!' }) + row(3, { sentiment: '?' }));
    const first = await run('a.csv');
    expect(first.counts).toMatchObject({ accepted: 1, rejected: 2 });
    mend('a.csv.bad.csv', 'b.csv', [/\n2;(.*?);!;/g, '\n2;$1;B;']);
    expect((await run('b.csv')).counts).toMatchObject({ accepted: 1, rejected: 1 });
    const retried = await run('a.csv', { resume: first.run, retryRejected: true });
    expect(retried.counts).toMatchObject({ accepted: 1, duplicate: 1, rejected: 1 });
    expect(retried.problems.map(({ kind }) => kind)).toContain('changed');
    const shown = await shownDocuments(sandbox);
    expect(shown.map(({ sourceId }) => sourceId).toSorted()).toEqual(['1', '2']);
  });
});
