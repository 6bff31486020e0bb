import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Claims } from '../../../src/runs/sqlite/claims.js';
import { newFolder } from '../../helpers/files.js';
import { runs } from '../../helpers/runs.js';

const TARGET = { service: 'https://api.example.com', monitoring: 1 };

/** Hashes of documents, of which the content is 1 unless said otherwise. */
function hashesOf(ids: readonly number[], content = 1) {
  const bytes = (numbers: readonly number[]) =>
    Buffer.concat(numbers.map((number) => Buffer.from([number, 0, 0, 0, 0, 0, 0, 7])));
  return { idHashes: bytes(ids), digests: bytes(ids.map(() => content)) };
}

function join(file: string, run: string, target = TARGET, running: readonly string[] = ['a', 'b']) {
  return new Claims(file, { run, target }, (id) => running.includes(id));
}

function file(): string {
  return path.join(newFolder(), 'claims.db');
}

describe('Claims', () => {
  it('give a document to the run that claims it first, and tell the others what it is', () => {
    const claims = file();
    const [a, b] = [join(claims, 'a'), join(claims, 'b')];
    expect(a.claim(hashesOf([1, 2, 3]))).toEqual(new Map());
    a.settle(hashesOf([1, 2]).idHashes, 'accepted');
    expect(b.claim(hashesOf([9, 1, 3]))).toEqual(
      new Map([
        [1, 'same'],
        [2, 'unconfirmed'],
      ]),
    );
    expect(b.claim(hashesOf([2], 5))).toEqual(new Map([[0, 'changed']]));
    expect(a.look(hashesOf([9, 8]))).toEqual(new Map([[0, 'unconfirmed']]));
    a.leave();
    b.leave();
  });

  it('free what was refused or not sent after all, and keep what is unknown', () => {
    const claims = file();
    const [a, b] = [join(claims, 'a'), join(claims, 'b')];
    a.claim(hashesOf([1, 2, 3]));
    a.settle(hashesOf([1]).idHashes, 'rejected');
    a.settle(hashesOf([2]).idHashes, 'unsent');
    a.settle(hashesOf([3]).idHashes, 'unknown');
    expect(b.claim(hashesOf([1, 2, 3]))).toEqual(new Map([[2, 'unconfirmed']]));
    a.leave();
    b.leave();
  });

  it('are a run’s own when it claims them again', () => {
    const claims = file();
    const [a, b] = [join(claims, 'a'), join(claims, 'b')];
    a.claim(hashesOf([1]));
    expect(a.claim(hashesOf([1]))).toEqual(new Map());
    expect(b.claim(hashesOf([1])).size).toBe(1);
    a.leave();
    b.leave();
  });

  it('are none of a document without a sourceId, and none of another monitoring', () => {
    const claims = file();
    const [a, b] = [join(claims, 'a'), join(claims, 'b')];
    const c = join(claims, 'c', { ...TARGET, monitoring: 2 });
    const none = { idHashes: new Uint8Array(8), digests: new Uint8Array(8) };
    for (const run of [a, b]) expect(run.claim(none).size).toBe(0);
    a.claim(hashesOf([1]));
    expect(c.claim(hashesOf([1])).size).toBe(0);
    for (const run of [a, b, c]) run.leave();
  });

  it('are made by a run that is alone only once another one has joined it', () => {
    const claims = file();
    const a = join(claims, 'a');
    a.claim(hashesOf([1]));
    const b = join(claims, 'b');
    // The journal of a says this; claims don't.
    expect(b.claim(hashesOf([1])).size).toBe(0);
    b.leave();
    // Whoever has joined may have sent something and left.
    expect(a.claim(hashesOf([1])).size).toBe(1);
    a.leave();
  });

  it('of a run that was killed stay for those who are still there, and no longer', () => {
    const claims = file();
    const [a, b] = [join(claims, 'a'), join(claims, 'b')];
    b.claim(hashesOf([1]));
    a.claim(hashesOf([2]));
    // Of b nothing is heard any more.
    const c = join(claims, 'c', TARGET, ['a']);
    expect(c.claim(hashesOf([1])).size).toBe(1);
    a.leave();
    const d = join(claims, 'd', TARGET, []);
    expect(d.claim(hashesOf([1])).size).toBe(0);
    for (const run of [c, d]) run.leave();
  });

  it('share any documents out, each to one', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(0, 1, 2), ids), { maxLength: 12 }), (steps) => {
        const claims = file();
        const all = ['a', 'b', 'c'].map((run) => join(claims, run, TARGET, ['a', 'b', 'c']));
        const owners = new Map<number, number>();
        for (const [run, wanted] of steps) {
          const taken = all[run]?.claim(hashesOf(wanted));
          for (const [index, id] of wanted.entries()) {
            if (!owners.has(id)) owners.set(id, run);
            expect(taken?.has(index)).toBe(owners.get(id) !== run);
          }
        }
        for (const run of all) run.leave();
      }),
      { numRuns: runs(60) },
    );
  });
});
