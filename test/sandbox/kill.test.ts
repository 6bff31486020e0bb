import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { expect, onTestFinished, test } from 'vitest';
import { omitUndefined } from '../../src/model/options.js';
import { newFolder } from '../helpers/files.js';
import { randomFrom } from '../helpers/random-from.js';
import { environmentOf, startDocferry } from '../helpers/run-cli.js';
import { cases, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { basic } from '../helpers/start-sandbox.js';
import { review } from './documents.js';

const BATCHES = 60;
const SIZE = 20;

/** Starts `docferry sandbox` on a data folder, and waits until it listens. */
async function start(data: string, mostFileBytes?: number) {
  const args = ['sandbox', '--data', data, '--json', '--monitoring', '1'];
  const env = environmentOf({ baseUrl: '' });
  const { child, ended } = startDocferry(args, {
    cwd: data,
    env,
    ...omitUndefined({ mostFileBytes }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout as Readable), 'line');
  const service = JSON.parse(line);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  /** Sends a batch; `undefined` if there was no answer. */
  const send = async (batch: number): Promise<Response | undefined> => {
    const documents = Array.from({ length: SIZE }, (_, at) => review(`${batch}-${at}`));
    return await fetch(`${service.baseUrl}/monitorings/1/documents`, {
      method: 'POST',
      headers: {
        authorization: basic(service.username, service.apiKey),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ documents }),
    }).catch(() => undefined);
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
      if (!(await send(batch))?.ok) return;
      acknowledged.add(String(batch));
      if (acknowledged.size === killAt) await kill();
    });
    expect(acknowledged.size).toBeLessThan(BATCHES);

    expect(await storedBatches(data)).toEqual(expect.arrayContaining([...acknowledged]));
  });
});

longTest(
  'a batch that the disk has no room for is refused as one to be sent again, and none of it is stored',
  async () => {
    const data = newFolder();
    const { send, kill } = await start(data, 400 * 1024);
    const acknowledged: string[] = [];
    let answer = await send(0);
    for (let batch = 1; answer?.ok && batch < BATCHES; batch += 1) {
      acknowledged.push(String(batch - 1));
      answer = await send(batch);
    }
    expect(answer?.status).toBe(503);
    expect(await answer?.json()).toMatchObject({
      errors: [{ message: expect.stringMatching(/can't store its data.*Make room on the disk/) }],
    });
    await kill();
    expect(await storedBatches(data)).toEqual(acknowledged);
  },
);

/** Starts a sandbox again, and returns the batches in it, each of which has to be whole. */
async function storedBatches(data: string): Promise<string[]> {
  const { service, kill } = await start(data);
  const counts = new Map<string, number>();
  for (const { sourceId } of await shownDocuments(service)) {
    const [batch = ''] = sourceId.split('-');
    counts.set(batch, (counts.get(batch) ?? 0) + 1);
  }
  for (const [batch, count] of counts) expect(count, batch).toBe(SIZE);
  await kill();
  return [...counts.keys()].toSorted((a, b) => Number(a) - Number(b));
}
