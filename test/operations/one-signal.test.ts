import { getEventListeners } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { importDocuments, validateDocuments } from '../../src/index.js';
import { resolveRun } from '../../src/operations/runs/resolve-run.js';
import { verifyRun } from '../../src/operations/runs/verify-run.js';
import { newFolder, put } from '../helpers/files.js';
import { minimalMapping } from '../helpers/reviews.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const mapping = minimalMapping({ language: { value: 'en' } });

it('one signal for many runs has no listener left once each has ended', async () => {
  const connection = await startWithMonitoring();
  const folder = newFolder();
  const stateDir = path.join(folder, 'state');
  const [one, other] = [new AbortController(), new AbortController()];
  const [signal, abandonSignal] = [one.signal, other.signal];
  const file = put(folder, 'a.csv', 'id,text\n1,Good\n2,Bad\n');
  const records = () => [{ id: '3', text: 'Fair' }];
  const sent = { mapping, connection, monitoring: 1, stateDir, signal, abandonSignal } as const;
  for (let round = 0; round < 3; round += 1) {
    const { run } = await importDocuments({ ...sent, input: file, threads: round });
    await importDocuments({ ...sent, input: records() });
    await validateDocuments({ input: file, mapping, signal });
    for await (const event of validateDocuments({ input: file, mapping, signal })) {
      if (event.type === 'read') break;
    }

    await resolveRun({ stateDir, connection, run, signal, quietMs: 1 });
    await verifyRun({ stateDir, connection, run, signal, lookForMs: 0 });
    const failing = { ...sent, input: 'nothing.csv' };
    await expect(importDocuments(failing)).rejects.toThrow();
    const down = { ...connection, baseUrl: 'http://127.0.0.1:9/5.0' };
    await expect(importDocuments({ ...sent, input: file, connection: down })).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(getEventListeners(abandonSignal, 'abort')).toEqual([]);
  }
});
