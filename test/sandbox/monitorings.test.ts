import { expect, test } from 'vitest';
import { OptionError } from '../../src/model/errors.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { SEARCH } from './documents.js';

test('ensureMonitoring makes a monitoring once, and later ids stay clear of it', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.ensureMonitoring(41, 'First');
  await sandbox.ensureMonitoring(41, 'Second');
  const { body } = await sandbox.call('GET', '/monitorings/41');
  expect(body).toMatchObject({ id: 41, title: 'First', status: 'active' });
  expect(body.searches).toHaveLength(1);
  const next = await sandbox.call('POST', '/monitorings', {
    json: { title: 'Next', status: 'active', searches: [SEARCH] },
  });
  expect(next.body.id).toBe(42);
});

test('ensureMonitoring refuses ids and titles that no monitoring can have', async () => {
  const sandbox = await startTestSandbox();
  for (const id of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
    await expect(sandbox.ensureMonitoring(id)).rejects.toThrow(OptionError);
  }
  await expect(sandbox.ensureMonitoring(1, '')).rejects.toThrow(OptionError);
  await expect(sandbox.ensureMonitoring(1, 'x'.repeat(256))).rejects.toThrow(OptionError);
});
