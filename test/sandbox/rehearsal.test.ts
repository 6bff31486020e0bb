import { expect, test } from 'vitest';
import { fillWithMadeWorld } from '../helpers/made-world.js';
import { longTest } from '../helpers/runs.js';
import {
  startTestSandbox,
  startWithMonitoring,
  type TestSandbox,
} from '../helpers/start-sandbox.js';
import { ALWAYS, review } from './documents.js';

const DOCUMENTS = ['a', 'b', 'c', 'd'].map((id) => review(id));

function send({ call }: TestSandbox) {
  return call('POST', '/monitorings/1/documents', { json: { documents: DOCUMENTS } });
}

async function shown({ call }: TestSandbox): Promise<number> {
  const form = { monitorings: '1', ...ALWAYS };
  return (await call('POST', '/documents', { form })).body.total;
}

longTest('documents can show later than they were accepted, in every answer', async () => {
  const sandbox = await startWithMonitoring({ faults: { rules: [{ visibleAfterMs: 700 }] } });
  expect((await send(sandbox)).body.documents).toBe(4);
  const first = await shown(sandbox);
  const feed = await sandbox.call('POST', '/documents/feed', { form: { monitorings: '1' } });
  const context = await sandbox.call('POST', '/documents/1/context');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect([first, feed.body.remaining, context.status]).toEqual([0, 0, 404]);
  expect(await shown(sandbox)).toBe(4);
});

test('every filter finds something in a world of captured messages and reviews', async () => {
  const sandbox = await startTestSandbox();
  await fillWithMadeWorld(sandbox);
  const { call } = sandbox;
  const { monitorings } = (await call('GET', '/monitorings')).body;
  expect(monitorings.length).toBeGreaterThan(1);
  const ids = monitorings.map(({ id }: { id: number }) => id);
  const form = { monitorings: ids.join(), ...ALWAYS };
  const all = (await call('POST', '/documents', { form })).body;
  expect(all.total).toBeGreaterThan(100);
  const liked = { ...form, viewSource: 'TWT', docRanking: 'likes' };
  const { documents } = (await call('POST', '/documents', { form: liked })).body;
  const likes = documents.map(
    ({ metrics }: { metrics: { name: string; value: number }[] }) =>
      metrics.find(({ name }) => name === 'likes')?.value ?? 0,
  );
  expect(likes[0]).toBeGreaterThan(0);
  expect(likes).toEqual(likes.toSorted((a: number, b: number) => b - a));
});

test('captured documents must be whole, and their monitoring must be there', async () => {
  const sandbox = await startWithMonitoring();
  const document = {
    source: 'TWT',
    sourceId: '1',
    text: 'x',
    published: '2024-05-31T10:30:00Z',
    downloaded: '2024-05-31T10:31:00Z',
    author: { sourceId: 'u' },
  } as const;
  await sandbox.capture(1, [document]);
  expect(await shown(sandbox)).toBe(1);
  await expect(sandbox.capture(2, [document])).rejects.toThrow('There is no monitoring 2');
  const broken = [{ ...document, published: 'yesterday' }];
  await expect(sandbox.capture(1, broken)).rejects.toThrow(/documents\[0\]\.published/);
});
