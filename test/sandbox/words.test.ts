import { expect, test } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { ALWAYS, review } from './documents.js';

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
