import { execFile } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { countStates } from '../../../src/model/record-ranges.js';
import { Journal } from '../../../src/runs/sqlite/journal.js';
import type { Intent, NewIntent } from '../../../src/runs/store.js';
import { newFolder } from '../../helpers/files.js';
import { ROOT } from '../../helpers/markdown.js';

const OPENED = { id: 'run', touchedMs: 0 };

const intentOf = (from: number, to: number, given?: readonly (string | null)[]): NewIntent => {
  const count = to - from + 1;
  const ids = given ?? Array.from({ length: count }, (_, at) => `id ${from + at}`);
  return {
    records: [{ input: 0, from, to }],
    // In two pieces, as those of two ranges of documents.
    ids: [ids.slice(0, 1), ids.slice(1)]
      .filter((part) => part.length > 0)
      .map((part) => Buffer.from(JSON.stringify(part).slice(1, -1))),
    idHashes: new Uint8Array(count * 8).fill(from),
    digests: new Uint8Array(count * 8).fill(to),
    published: { from: '2024-01-01T00:00:00Z', to: '2024-02-01T00:00:00Z' },
  };
};

describe('Journal', () => {
  it('gives back what was written, after it was closed and opened again', async () => {
    const file = path.join(newFolder(), 'journal.db');
    const written = new Journal(file, OPENED);
    const ids = ['a\u0000b', 'half \ud83d', null, 'é'];
    const intent = intentOf(1, 4, ids);
    const [{ number: first }, { number: second }] = await Promise.all([
      written.intend(intent),
      written.intend(intentOf(5, 6)),
    ]);
    const message = 'refused\u0000 \ud83d';
    const records = [{ input: 0, from: 2, to: 3 }];
    written.settle({ intent: first, records, outcome: 'rejected', message });
    written.close();

    const read = new Journal(file, OPENED);
    const states = await read.states();
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
    expect(countStates(states)).toMatchObject({ sending: 4, rejected: 2 });
    const { idHashes, digests, ...texts } = (await read.intent(first)) as Intent;
    expect(texts).toEqual({
      records: intent.records,
      ids,
      published: intent.published,
    });
    expect([...idHashes]).toEqual([...intent.idHashes]);
    expect([...digests]).toEqual([...intent.digests]);
    expect(await read.intent(999)).toBeUndefined();
    read.close();
  });

  it('numbers on where the last process ended', async () => {
    const file = path.join(newFolder(), 'journal.db');
    const first = new Journal(file, OPENED);
    const { number } = await first.intend(intentOf(1, 2));
    first.close();
    const second = new Journal(file, OPENED);
    expect(await second.intend(intentOf(3, 4))).toMatchObject({ number: number + 1 });
    second.close();
  });

  it('is readable for its owner only', () => {
    const file = path.join(newFolder(), 'deep', 'journal.db');
    const journal = new Journal(file, OPENED);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    journal.close();
  });

  it('refuses every intent once one could not be written, and says so at the end', async () => {
    const journal = new Journal(path.join(newFolder(), 'journal.db'), OPENED);
    const bad = { ...intentOf(1, 2), idHashes: Symbol('unwritable') as unknown as Uint8Array };
    await expect(journal.intend(bad)).rejects.toMatchObject({ name: 'JournalError' });
    await expect(journal.intend(intentOf(1, 2))).rejects.toMatchObject({ name: 'JournalError' });
    await expect(journal.flush()).rejects.toThrow(/can't be read or written/);
    journal.close();
  });

  it('refuses every intent once the disk can not be waited for', async () => {
    const file = path.join(newFolder(), 'journal.db');
    const journal = new Journal(file, OPENED);
    // Its log is still written, but there is no way to it any more.
    rmSync(`${file}-wal`);
    for (const _ of [1, 2]) {
      await expect(journal.intend(intentOf(1, 2))).rejects.toMatchObject({
        name: 'JournalError',
        message: expect.stringMatching(/journal\.db can't be read or written: ENOENT/),
      });
    }
    await expect(journal.flush()).rejects.toThrow(/ENOENT/);
    journal.close();
  });

  it('has on the disk what it said is there, when its process is killed at once', async () => {
    const file = path.join(newFolder(), 'journal.db');
    const script = `
      import { Journal } from ${JSON.stringify(path.join(ROOT, 'dist/runs/sqlite/journal.js'))};
      const journal = new Journal(${JSON.stringify(file)}, { id: 'run', touchedMs: 0 });
      const bytes = new Uint8Array(8);
      const intent = (record) => ({ records: [{ input: 0, from: record, to: record }], ids: [Buffer.from(JSON.stringify(String(record)))], idHashes: bytes, digests: bytes, published: null });
      const [first] = await Promise.all([1, 2, 3].map((record) => journal.intend(intent(record))));
      journal.settle({ intent: first.number, records: [{ input: 0, from: 1, to: 1 }], outcome: 'accepted', message: '' });
      await journal.intend(intent(4));
      process.kill(process.pid, 'SIGKILL');
    `;
    const ended = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    await expect(ended).rejects.toMatchObject({ signal: 'SIGKILL' });
    const journal = new Journal(file, OPENED);
    const states = await journal.states();
    expect([1, 2, 3, 4].map((record) => states.get(0, record)?.kind)).toEqual([
      'accepted',
      'sending',
      'sending',
      'sending',
    ]);
    journal.close();
  });
});
