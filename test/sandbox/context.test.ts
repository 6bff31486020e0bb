import { expect, test } from 'vitest';
import { longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { captured } from './documents.js';

test('replies in a circle, to themselves and to nothing have a context, which ends', async () => {
  const sandbox = await startWithMonitoring();
  const replies = { a: 'c', b: 'a', c: 'b', self: 'self', orphan: 'gone' };
  const documents = Object.entries(replies).map(([sourceId, parentSourceId], second) => {
    return { sourceId, parentSourceId, published: `2024-05-31T10:00:0${second}Z` };
  });
  await sandbox.capture(1, captured(...documents));
  const contextOf = async (id: number): Promise<unknown> => {
    const { body } = await sandbox.call('POST', `/documents/${id}/context`, { form: {} });
    return body.documents.map((one: { id: number; parentId: number | null }) => [
      one.id,
      one.parentId,
    ]);
  };
  // Where a circle is cut, its first message is the publication.
  for (const id of [1, 2, 3])
    expect(await contextOf(id)).toEqual([
      [1, null],
      [2, 1],
      [3, 2],
    ]);
  for (const id of [4, 5]) expect(await contextOf(id)).toEqual([[id, null]]);
});

// With the wrong index this would take minutes.
longTest('a chain of replies may be longer than any call stack', async () => {
  const sandbox = await startWithMonitoring({ pageSize: 12_000 });
  const chain = Array.from({ length: 12_000 }, (_, index) => ({
    sourceId: `${index}`,
    parentSourceId: index === 0 ? null : `${index - 1}`,
  }));
  await sandbox.capture(1, captured(...chain));
  const { body } = await sandbox.call('POST', '/documents/12000/context', { form: {} });
  expect(body.documents.map(({ id }: { id: number }) => id)).toEqual(
    Array.from({ length: 12_000 }, (_, index) => index + 1),
  );
});
