import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DocumentRange } from '../../../src/model/documents.js';
import type { RunDescription } from '../../../src/runs/description.js';
import { FolderStore } from '../../../src/runs/folder/store.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';
import { newFolder } from '../../helpers/files.js';

const TARGET = { service: 'https://api.example.com/5.0', monitoring: 7 };

type Review = Parameters<typeof documentsOf>[0][number];

const review = (sourceId: string, text = 'Good'): Review => ({ sourceId, text });

const rangeOf = (reviews: readonly Review[]): DocumentRange => {
  return { documents: documentsOf(reviews), from: 0, to: reviews.length };
};

/** A run whose documents have these outcomes, in order; `sending` for none. */
async function runWith(
  stateDir: string,
  id: string,
  reviews: readonly Review[],
  outcomes: readonly ('accepted' | 'rejected' | 'unknown' | 'unsent' | 'sending')[],
): Promise<void> {
  const description = {
    ...{ target: TARGET, options: {}, inputs: [{ name: 'r.csv' }] },
  } as unknown as RunDescription;
  const run = await new FolderStore(stateDir).begin(id, description);
  const { number: intent } = await run.writeIntent(batchOf(rangeOf(reviews)));
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome === 'sending') continue;
    const records = [{ input: 0, from: index + 1, to: index + 1 }];
    run.settle({ intent, records, outcome, message: '' });
  }
  await run.release();
}

async function knownOf(
  stateDir: string,
  reviews: readonly Review[],
  target = TARGET,
): Promise<unknown[]> {
  const ledger = await new FolderStore(stateDir).openLedger(target, 'another');
  const known = await ledger?.lookUp(rangeOf(reviews));
  await ledger?.close();
  return reviews.map((_, index) => known?.get(index));
}

describe('Ledger', () => {
  it('knows what was accepted, what has changed since, and what is unconfirmed', async () => {
    const stateDir = newFolder();
    const reviews = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => review(id));
    const outcomes = ['accepted', 'accepted', 'rejected', 'unknown', 'sending', 'unsent'] as const;
    await runWith(stateDir, 'run', reviews, outcomes);
    const asked = [...reviews, review('b', 'Better'), review('z')];
    expect(await knownOf(stateDir, asked)).toEqual([
      'same',
      'same',
      undefined,
      'left-unconfirmed',
      'left-unconfirmed',
      undefined,
      'changed',
      undefined,
    ]);
  });

  it('knows nothing of other monitorings and services', async () => {
    const stateDir = newFolder();
    await runWith(stateDir, 'run', [review('a')], ['accepted']);
    expect(await knownOf(stateDir, [review('a')], { ...TARGET, monitoring: 8 })).toEqual([
      undefined,
    ]);
    const elsewhere = { ...TARGET, service: 'https://other.example.com/5.0' };
    expect(await knownOf(stateDir, [review('a')], elsewhere)).toEqual([undefined]);
    const store = new FolderStore(stateDir);
    expect(await store.openLedger(elsewhere, 'another')).toBeUndefined();
  });

  it('keeps what one run knows although another one is unsure', async () => {
    const stateDir = newFolder();
    await runWith(stateDir, 'one', [review('a')], ['accepted']);
    await runWith(stateDir, 'two', [review('a')], ['unknown']);
    expect(await knownOf(stateDir, [review('a')])).toEqual(['same']);
    await runWith(stateDir, 'three', [review('a', 'Better')], ['unknown']);
    const asked = [review('a'), review('a', 'Better')];
    expect(await knownOf(stateDir, asked)).toEqual(['same', 'changed']);
  });

  it('has what is unconfirmed of the run that sent it last', async () => {
    const stateDir = newFolder();
    await runWith(stateDir, 'one', [review('a')], ['unknown']);
    await runWith(stateDir, 'two', [review('a')], ['sending']);
    expect(await knownOf(stateDir, [review('a')])).toEqual(['left-unconfirmed']);
    // What the first one finds out says nothing of what the second one sent.
    const one = await new FolderStore(stateDir).take('one');
    const records = [{ input: 0, from: 1, to: 1 }];
    one.settle({ intent: 2, records, outcome: 'unsent', message: '' });
    await one.release();
    expect(await knownOf(stateDir, [review('a')])).toEqual(['left-unconfirmed']);
  });

  it('is made again from the journals where it is damaged or gone', async () => {
    const stateDir = newFolder();
    const reviews = ['a', 'b'].map((id) => review(id));
    await runWith(stateDir, 'run', reviews, ['accepted', 'unknown']);
    expect(await knownOf(stateDir, reviews)).toEqual(['same', 'left-unconfirmed']);
    for (const damage of DAMAGES) {
      const copy = damagedCopy(stateDir, damage);
      expect(await knownOf(copy, reviews), damage.name).toEqual(['same', 'left-unconfirmed']);
    }
  });

  it('is refused where it is damaged or gone once runs were pruned, of which it alone knew', async () => {
    const stateDir = newFolder();
    await runWith(stateDir, 'run', [review('a')], ['accepted']);
    const run = await new FolderStore(stateDir).take('run');
    await run.writeReport({ resumable: false });
    await run.release();
    expect(await new FolderStore(stateDir).removeDone(['run'], Date.now())).toEqual(['run']);
    expect(await knownOf(stateDir, [review('a')])).toEqual(['same']);
    for (const damage of DAMAGES) {
      const copy = damagedCopy(stateDir, damage);
      await expect(knownOf(copy, [review('a')]), damage.name).rejects.toThrow(
        /ledger\.db is damaged: /,
      );
    }
  });
});

const DAMAGES = [
  function removed(file: string) {
    rmSync(file);
  },
  function emptied(file: string) {
    writeFileSync(file, '');
  },
  function replaced(file: string) {
    writeFileSync(file, 'id,text\n1,Good\n'.repeat(300));
  },
  function overwritten(file: string) {
    writeFileSync(file, readFileSync(file).fill(7, 4_096, 4_200));
  },
];

function damagedCopy(stateDir: string, damage: (file: string) => void): string {
  const copy = newFolder();
  cpSync(stateDir, copy, { recursive: true });
  const file = path.join(copy, 'ledger.db');
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  damage(file);
  return copy;
}
