import { rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { addWords, openWordIndex } from '../../../src/sandbox/store/word-index.js';
import { newFolder } from '../../helpers/files.js';
import {
  startTestSandbox,
  startWithMonitoring,
  type TestSandbox,
} from '../../helpers/start-sandbox.js';
import { ALWAYS, review } from '../documents.js';

/** The sourceIds of the documents with a word. */
async function withWord(sandbox: TestSandbox, query: string): Promise<string[]> {
  const form = { monitorings: '1', query, ...ALWAYS };
  const { body } = await sandbox.call('POST', '/documents', { form });
  return body.documents.map(({ sourceId }: { sourceId: string }) => sourceId).sort();
}

async function add(sandbox: TestSandbox, ...sourceIds: string[]): Promise<void> {
  const json = { documents: sourceIds.map((id) => review(id, { text: `palabra de ${id}` })) };
  expect((await sandbox.call('POST', '/monitorings/1/documents', { json })).status).toBe(200);
}

test('documents whose words were never written are found by them after the next start', async () => {
  const data = newFolder();
  const first = await startWithMonitoring({ data });
  await add(first, 'a', 'b', 'c');
  await add(first, 'd');
  await first.close();
  for (const ending of ['', '-wal', '-shm']) {
    rmSync(path.join(data, `words.db${ending}`), { force: true });
  }
  const second = await startTestSandbox({ data });
  expect(await withWord(second, 'palabra')).toEqual(['a', 'b', 'c', 'd']);
  expect(await withWord(second, '"de d"')).toEqual(['d']);
  await add(second, 'e');
  expect(await withWord(second, 'palabra')).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('two processes on one folder find the words of what either imports', async () => {
  const data = newFolder();
  const one = await startTestSandbox({ data });
  const other = await startTestSandbox({ data });
  await one.ensureMonitoring(1);
  const ids = Array.from({ length: 20 }, (_, number) => `r-${number}`);
  await Promise.all(ids.map((id, number) => add(number % 2 === 0 ? one : other, id)));
  expect(await withWord(one, 'palabra')).toEqual([...ids].sort());
  expect(await withWord(other, 'palabra')).toEqual([...ids].sort());
});

test('words of a replaced document no longer find anything', async () => {
  const data = newFolder();
  const sandbox = await startWithMonitoring({ data, duplicates: 'replace' });
  await add(sandbox, 'a', 'b');
  const json = { documents: [review('a', { text: 'otra cosa' })] };
  await sandbox.call('POST', '/monitorings/1/documents', { json });
  expect(await withWord(sandbox, 'palabra')).toEqual(['b']);
  expect(await withWord(sandbox, 'cosa')).toEqual(['a']);
});

test.each<[string, (readonly [first: number, last: number])[]]>([
  [
    'in order',
    [
      [1, 3],
      [4, 6],
    ],
  ],
  [
    'the later first',
    [
      [4, 6],
      [1, 3],
    ],
  ],
  [
    'overlapping',
    [
      [1, 4],
      [3, 6],
    ],
  ],
  [
    'one in the other',
    [
      [1, 6],
      [2, 3],
    ],
  ],
  [
    'the other in the one',
    [
      [2, 3],
      [1, 6],
    ],
  ],
  [
    'twice',
    [
      [1, 6],
      [1, 6],
    ],
  ],
])('words that are added %s are there once', (_, ranges) => {
  const data = newFolder();
  const index = openWordIndex(data);
  for (const [first, last] of ranges) {
    const words = Array.from({ length: last - first + 1 }, (_, at) => `all w${first + at}`);
    addWords(index, first, last, JSON.stringify(words));
  }
  const rows = (word: string) => {
    const sql = 'SELECT rowid AS id FROM documents_text WHERE documents_text MATCH ?';
    return index.all<{ id: number }>(sql, [word]).map(({ id }) => id);
  };
  expect(rows('all')).toEqual([1, 2, 3, 4, 5, 6]);
  for (const id of [1, 2, 3, 4, 5, 6]) expect(rows(`w${id}`)).toEqual([id]);
  index.script("INSERT INTO documents_text (documents_text) VALUES ('integrity-check')");
  index.close();
  const file = new Database(path.join(data, 'words.db'));
  const covered = 'SELECT min(first) AS first, max(last) AS last FROM indexed';
  expect(file.prepare(covered).all()).toEqual([{ first: 1, last: 6 }]);
  file.close();
});
