import { describe, expect, it } from 'vitest';
import { idsJson } from '../../../src/model/documents.js';
import type { RunDescription } from '../../../src/runs/sqlite/description.js';
import type { Intent } from '../../../src/runs/sqlite/entries.js';
import { Ledger } from '../../../src/runs/sqlite/ledger.js';
import { createRun, holdRun } from '../../../src/runs/sqlite/run-folders.js';
import { documentsOf } from '../../helpers/documents.js';
import { temporaryFolders } from '../../helpers/files.js';

const temporaryFolder = temporaryFolders();
const TARGET = { service: 'https://api.example.com/5.0', monitoring: 7 };

type Review = Parameters<typeof documentsOf>[0][number];

const review = (sourceId: string, text = 'Good'): Review => ({ sourceId, text });

function hashesOf(reviews: readonly Review[]): Pick<Intent, 'idHashes' | 'digests'> {
  const { idHashes, digests } = documentsOf(reviews);
  const { buffer, byteOffset, byteLength } = idHashes;
  return { idHashes: new Uint8Array(buffer, byteOffset, byteLength), digests };
}

/** A run whose documents have these outcomes, in order; `sending` for none. */
async function runWith(
  stateDir: string,
  id: string,
  reviews: readonly Review[],
  outcomes: readonly ('accepted' | 'rejected' | 'unknown' | 'unsent' | 'sending')[],
): Promise<void> {
  const description = { target: TARGET, options: {} } as unknown as RunDescription;
  const { journal, release } = createRun(stateDir, id, description);
  const intent = await journal.intend({
    records: [{ input: 0, from: 1, to: reviews.length }],
    ids: [idsJson({ documents: documentsOf(reviews), from: 0, to: reviews.length })],
    ...hashesOf(reviews),
    published: null,
  });
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome === 'sending') continue;
    const records = [{ input: 0, from: index + 1, to: index + 1 }];
    journal.settle({ intent, records, outcome, message: '' });
  }
  release();
}

function knownOf(stateDir: string, reviews: readonly Review[], target = TARGET): unknown[] {
  const ledger = new Ledger(stateDir);
  ledger.takeInAll();
  const known = ledger.lookUp(target, hashesOf(reviews));
  ledger.close();
  return reviews.map((_, index) => known.get(index));
}

describe('Ledger', () => {
  it('knows what was accepted, what has changed since, and what is in doubt', async () => {
    const stateDir = temporaryFolder();
    const reviews = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => review(id));
    const outcomes = ['accepted', 'accepted', 'rejected', 'unknown', 'sending', 'unsent'] as const;
    await runWith(stateDir, 'run', reviews, outcomes);
    const asked = [...reviews, review('b', 'Better'), review('z')];
    expect(knownOf(stateDir, asked)).toEqual([
      'same',
      'same',
      undefined,
      'in-doubt',
      'in-doubt',
      undefined,
      'changed',
      undefined,
    ]);
  });

  it('knows nothing of other monitorings and services', async () => {
    const stateDir = temporaryFolder();
    await runWith(stateDir, 'run', [review('a')], ['accepted']);
    expect(knownOf(stateDir, [review('a')], { ...TARGET, monitoring: 8 })).toEqual([undefined]);
    const elsewhere = { ...TARGET, service: 'https://other.example.com/5.0' };
    expect(knownOf(stateDir, [review('a')], elsewhere)).toEqual([undefined]);
    const ledger = new Ledger(stateDir);
    expect([TARGET, elsewhere].map((target) => ledger.knowsNothingOf(target))).toEqual([
      false,
      true,
    ]);
    ledger.close();
  });

  it('learns what became of documents that were in doubt', async () => {
    const stateDir = temporaryFolder();
    const reviews = [review('a'), review('b'), review('c')];
    await runWith(stateDir, 'run', reviews, ['unknown', 'unknown', 'unknown']);
    expect(knownOf(stateDir, reviews)).toEqual(['in-doubt', 'in-doubt', 'in-doubt']);
    const { journal, release } = holdRun(stateDir, 'run');
    const settle = (record: number, outcome: 'accepted' | 'unsent'): void =>
      journal.settle({
        intent: 1,
        records: [{ input: 0, from: record, to: record }],
        outcome,
        message: '',
      });
    settle(1, 'accepted');
    settle(2, 'unsent');
    release();
    expect(knownOf(stateDir, reviews)).toEqual(['same', undefined, 'in-doubt']);
  });

  it('does not doubt what one run knows because another one is unsure', async () => {
    const stateDir = temporaryFolder();
    await runWith(stateDir, 'one', [review('a')], ['accepted']);
    await runWith(stateDir, 'two', [review('a')], ['unknown']);
    expect(knownOf(stateDir, [review('a')])).toEqual(['same']);
  });

  it('never knows a document that has no sourceId', async () => {
    const stateDir = temporaryFolder();
    await runWith(stateDir, 'run', [{ text: 'Good' }], ['accepted']);
    expect(knownOf(stateDir, [{ text: 'Good' }])).toEqual([undefined]);
  });

  it('finds each of many ids again', async () => {
    const stateDir = temporaryFolder();
    const reviews = Array.from({ length: 2_000 }, (_, id) => review(`review ${id}`));
    await runWith(stateDir, 'run', reviews, []);
    expect(new Set(knownOf(stateDir, reviews))).toEqual(new Set(['in-doubt']));
    const others = reviews.map(({ sourceId }) => review(`${sourceId}!`));
    expect(new Set(knownOf(stateDir, others))).toEqual(new Set([undefined]));
  });
});
