import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { randomFrom } from '../helpers/random-from.js';
import { environmentOf, startDocferry } from '../helpers/run-cli.js';
import { cases } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { basic } from '../helpers/start-sandbox.js';
import { review } from './documents.js';

const BATCHES = 60;
const SIZE = 20;

/** Starts `docferry sandbox` on a data folder, and waits until it listens. */
async function start(data: string) {
  const args = ['sandbox', '--data', data, '--json', '--monitoring', '1'];
  const { child, ended } = startDocferry(args, { cwd: data, env: environmentOf({ baseUrl: '' }) });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout as Readable), 'line');
  const service = JSON.parse(line);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  /** Whether the batch was acknowledged. */
  const send = async (batch: number): Promise<boolean> => {
    const documents = Array.from({ length: SIZE }, (_, at) => review(`${batch}-${at}`));
    const answer = await fetch(`${service.baseUrl}/monitorings/1/documents`, {
      method: 'POST',
      headers: {
        authorization: basic(service.username, service.apiKey),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ documents }),
    }).catch(() => undefined);
    return answer?.ok === true;
  };
  return { service, kill, send };
}

test('what was acknowledged outlives kill -9, and no batch is there in part', async () => {
  await forSeeds(cases(3, 100), 1, async (seed) => {
    const killAt = 1 + Math.floor(randomFrom(seed)() * (BATCHES / 2));
    const data = newFolder();
    const { send, kill } = await start(data);
    const acknowledged = new Set<string>();
    await pLimit(4).map(Array.from({ length: BATCHES }), async (_, batch) => {
      if (!(await send(batch))) return;
      acknowledged.add(String(batch));
      if (acknowledged.size === killAt) await kill();
    });
    expect(acknowledged.size).toBeLessThan(BATCHES);

    const { service, kill: end } = await start(data);
    const counts = new Map<string, number>();
    for (const { sourceId } of await shownDocuments(service)) {
      const [batch = ''] = sourceId.split('-');
      counts.set(batch, (counts.get(batch) ?? 0) + 1);
    }
    for (const [batch, count] of counts) expect(count, batch).toBe(SIZE);
    expect([...counts.keys()]).toEqual(expect.arrayContaining([...acknowledged]));
    await end();
  });
});
