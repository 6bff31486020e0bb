import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Batch,
  type DocumentRange,
  hashesOf,
  publishedWindow,
} from '../../../src/model/documents.js';
import { countStates } from '../../../src/model/record-ranges.js';
import type { RunDescription } from '../../../src/runs/description.js';
import { FolderStore } from '../../../src/runs/folder/store.js';
import type { Intent } from '../../../src/runs/store.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';
import { newFolder, put } from '../../helpers/files.js';

const DESCRIPTION = { options: {} } as unknown as RunDescription;

/** A request of these records, in two ranges of documents if there are several. */
const intentOf = (from: number, to: number, given?: readonly (string | null)[]): Batch => {
  const count = to - from + 1;
  const ids = given ?? Array.from({ length: count }, (_, at) => `id ${from + at}`);
  const published = '2024-01-01T00:00:00Z';
  const reviews = ids.map((id) => (id === null ? { published } : { sourceId: id, published }));
  const documents = documentsOf(reviews, from);
  const first = { documents, from: 0, to: 1 };
  return count === 1 ? batchOf(first) : batchOf(first, { documents, from: 1, to: count });
};

let stateDir: string;
let file: string;
beforeEach(() => {
  stateDir = newFolder();
  file = path.join(stateDir, 'runs/run/journal.jsonl');
});

const begin = () => new FolderStore(stateDir).begin('run', DESCRIPTION);
const take = () => new FolderStore(stateDir).take('run');

/** A run with three requests, of which the first was accepted. */
async function makeRun(): Promise<void> {
  const run = await begin();
  const { number: intent } = await run.writeIntent(intentOf(1, 2));
  run.settle({
    intent,
    records: [{ input: 0, from: 1, to: 2 }],
    outcome: 'accepted',
    message: '',
  });
  await run.writeIntent(intentOf(3, 4));
  await run.writeIntent(intentOf(5, 6));
  await run.release();
}

async function kindsIn(): Promise<readonly (string | undefined)[]> {
  const states = await (await new FolderStore(stateDir).openReadOnly('run')).states();
  return [1, 2, 3, 4, 5, 6].map((record) => states.get(0, record)?.kind);
}

describe('Journal', () => {
  it('gives back what was written, after it was closed and opened again', async () => {
    const written = await begin();
    const ids = ['a\u0000b', 'half \ud83d', null, 'é'];
    const intent = intentOf(1, 4, ids);
    const [{ number: first }, { number: second }] = await Promise.all([
      written.writeIntent(intent),
      written.writeIntent(intentOf(5, 6)),
    ]);
    const message = 'refused\u0000 \ud83d';
    const records = [{ input: 0, from: 2, to: 3 }];
    written.settle({ intent: first, records, outcome: 'rejected', message });
    await written.writeReport({ resumable: true });
    await written.writeRejects([{ path: '/rejects.csv', size: 1, modifiedMs: 2.5 }]);
    await written.release();

    const read = await take();
    const states = await read.states();
    expect(countStates(states)).toMatchObject({ sending: 4, rejected: 2 });
    expect([1, 2, 3, 4, 5, 7].map((record) => states.get(0, record)?.kind)).toEqual([
      'sending',
      'rejected',
      'rejected',
      'sending',
      'sending',
      undefined,
    ]);
    expect(states.get(0, 3)).toMatchObject({ intent: first, message });
    expect(states.get(0, 5)).toMatchObject({ intent: second, message: '' });
    const { idHashes, digests, ...texts } = (await read.readIntent(first)) as Intent;
    const published = publishedWindow(intent);
    expect(texts).toEqual({ records: [{ input: 0, from: 1, to: 4 }], ids, published });
    const [{ documents }] = intent.ranges as [DocumentRange];
    const sent = hashesOf({ documents, from: 0, to: 4 });
    expect([...idHashes]).toEqual([...sent.idHashes]);
    expect([...digests]).toEqual([...sent.digests]);
    expect(await read.readIntent(999)).toBeUndefined();
    expect(await read.facts()).toMatchObject({
      report: { resumable: true },
      rejects: [{ path: '/rejects.csv', size: 1, modifiedMs: 2.5 }],
    });
    await read.writeReport(undefined);
    expect((await read.facts()).report).toBeUndefined();
    await read.release();
    const { report, description } = await (
      await new FolderStore(stateDir).openReadOnly('run')
    ).facts();
    expect(report).toBeUndefined();
    expect(description).toEqual(DESCRIPTION);
  });

  it('goes on before a line that was cut off at its end', async () => {
    await makeRun();
    const whole = await kindsIn();
    appendFileSync(file, '{"crc":"00000000","n":6,"at":17');
    expect(await kindsIn()).toEqual(whole);
    const run = await take();
    await run.writeIntent(intentOf(7, 7));
    await run.release();
    expect(await kindsIn()).toEqual(whole);
    truncateSync(file, statSync(file).size - 1);
    expect(await kindsIn()).toEqual(whole);
  });

  it('is damaged by any flipped bit before its last line, and by a missing line', async () => {
    await makeRun();
    const bytes = readFileSync(file);
    const last = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
    for (let at = 0; at < last; at += 7) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(file, flipped);
      await expect(take(), `byte ${at}`).rejects.toMatchObject({
        name: 'JournalError',
        message: expect.stringMatching(
          /journal\.jsonl is damaged: its line \d is missing or was changed/,
        ),
      });
    }
    const lines = bytes.toString().split(/(?<=\n)/);
    writeFileSync(file, [...lines.slice(0, 2), ...lines.slice(3)].join(''));
    await expect(kindsIn()).rejects.toThrow(/its line 3 is missing.*docs\/runs\.md/);
  });

  it('gives an intent only once it is synced, and syncs no outcome', async () => {
    const run = await begin();
    const order: string[] = [];
    const handle = await open(file);
    const { datasync } = Object.getPrototypeOf(handle);
    vi.spyOn(Object.getPrototypeOf(handle), 'datasync').mockImplementation(async function (
      this: unknown,
    ) {
      await sleep(20);
      await datasync.call(this);
      order.push('synced');
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    await handle.close();

    const { number: intent } = await run.writeIntent(intentOf(1, 2));
    order.push('intended');
    const records = [{ input: 0, from: 1, to: 2 }];
    run.settle({ intent, records, outcome: 'accepted', message: '' });
    await run.flush();
    order.push('flushed');
    await run.release();

    expect(order).toEqual(['synced', 'intended', 'flushed']);
  });

  it('writes nothing to a run that another process took because its lock was removed', async () => {
    const first = await begin();
    const { number: intent } = await first.writeIntent(intentOf(1, 2));
    rmSync(path.join(path.dirname(file), 'lock'));
    const second = await take();

    const records = [{ input: 0, from: 1, to: 2 }];
    first.settle({ intent, records, outcome: 'accepted', message: '' });
    await expect(first.flush()).rejects.toThrow(/lock was removed while the run held this lock/);
    await expect(first.writeIntent(intentOf(3, 4))).rejects.toThrow(/Resume the run/);
    await second.writeIntent(intentOf(3, 4));
    await Promise.all([first.release(), second.release()]);

    expect((await kindsIn()).slice(0, 4)).toEqual(Array(4).fill('sending'));
  });

  it.each([
    ['emptied', () => writeFileSync(file, ''), /is damaged: it is empty/],
    ['another file', () => writeFileSync(file, 'id,text\n1,Good\n'), /is damaged: it is empty, or/],
    [
      'removed beside what else there is of the run',
      () => {
        put(path.dirname(file), 'progress.json', '{}');
        rmSync(file);
      },
      /is damaged: it is missing/,
    ],
    [
      'of a release candidate',
      () => renameSync(file, path.join(path.dirname(file), 'journal.db')),
      /journal\.db was written by another version .*another state folder/,
    ],
  ])('is refused once it is %s', async (_, damage, message) => {
    await makeRun();
    damage();
    await expect(take()).rejects.toThrow(message);
  });
});
