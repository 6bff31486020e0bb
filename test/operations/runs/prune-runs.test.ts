import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importDocuments, pruneRuns } from '../../../src/index.js';
import { FolderStore } from '../../../src/runs/folder/store.js';
import { newFolder, put } from '../../helpers/files.js';
import { minimalMapping } from '../../helpers/reviews.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';

const MAPPING = minimalMapping();

/** A place to import from: each run brings in a review for each letter. */
async function place(statuses: readonly (number | undefined)[] = []) {
  const rules = statuses.flatMap((status, index) =>
    status === undefined ? [] : [{ on: 'import' as const, requests: [index + 1], status }],
  );
  const connection = await startWithMonitoring({ faults: { rules } });
  const folder = newFolder();
  const stateDir = path.join(folder, 'state');
  const bringIn = async (letters: string) => {
    const lines = [...letters].map((id) => JSON.stringify({ id, text: `Review ${id}` }));
    return await importDocuments({
      input: put(folder, `${letters}.jsonl`, `${lines.join('\n')}\n`),
      ...{ mapping: MAPPING, monitoring: 1, connection, stateDir, throwOn: 'never' },
    });
  };
  return { stateDir, bringIn };
}

describe('pruneRuns', () => {
  it('removes what is finished, and what it imported stays known', async () => {
    const { stateDir, bringIn } = await place();
    const first = await bringIn('ab');
    const second = await bringIn('bc');
    // Within one second, their names say nothing of their order.
    expect(await pruneRuns({ stateDir, olderThanDays: 0 })).toEqual({
      removed: [first.run, second.run].toSorted(),
      remaining: 0,
    });
    expect(existsSync(path.join(stateDir, 'runs', first.run))).toBe(false);
    expect((await bringIn('abcd')).counts).toMatchObject({ duplicate: 3, accepted: 1 });
  });

  it('keeps what is recent, what left something undone, and what a process has', async () => {
    const { stateDir, bringIn } = await place([undefined, 401]);
    const finished = await bringIn('a');
    const stopped = await bringIn('b');
    expect(stopped).toMatchObject({ exitCode: 3, resumable: true });
    expect(await pruneRuns({ stateDir, olderThanDays: 1 })).toEqual({ removed: [], remaining: 2 });
    const held = await new FolderStore(stateDir).take(finished.run);
    expect(await pruneRuns({ stateDir, olderThanDays: 0 })).toEqual({ removed: [], remaining: 2 });
    await held.release();
    expect(await pruneRuns({ stateDir, olderThanDays: 0 })).toEqual({
      removed: [finished.run],
      remaining: 1,
    });
    expect(await new FolderStore(stateDir).list()).toEqual([stopped.run]);
  });

  it('removes runs of some inputs only, but for the latest of them', async () => {
    const { stateDir, bringIn } = await place();
    const [a, b, c] = [await bringIn('a'), await bringIn('b'), await bringIn('c')];
    const inputs = [a, b].map(({ inputs: [input] }) => input?.name ?? '');
    const all = { stateDir, olderThanDays: 0, inputs };
    expect(await pruneRuns({ ...all, keepLatest: 2 })).toEqual({ removed: [], remaining: 3 });
    const [first = '', second = ''] = [a.run, b.run].toSorted();
    expect(await pruneRuns({ ...all, keepLatest: 1 })).toEqual({ removed: [first], remaining: 2 });
    expect(await pruneRuns(all)).toEqual({ removed: [second], remaining: 1 });
    expect(await new FolderStore(stateDir).list()).toEqual([c.run]);
  });

  it('has nothing to remove where nothing was imported, and makes no folder there', async () => {
    const stateDir = path.join(newFolder(), 'none');
    expect(await pruneRuns({ stateDir, olderThanDays: 0 })).toEqual({ removed: [], remaining: 0 });
    expect(existsSync(stateDir)).toBe(false);
  });
});
