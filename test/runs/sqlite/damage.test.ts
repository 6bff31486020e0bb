import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { idsJson } from '../../../src/model/documents.js';
import { JournalError } from '../../../src/model/errors.js';
import type { RecordState } from '../../../src/model/record-ranges.js';
import type { RunDescription } from '../../../src/runs/description.js';
import { openStore } from '../../../src/runs/open-store.js';
import { damageFile } from '../../helpers/damage-file.js';
import { documentsOf } from '../../helpers/documents.js';
import { newFolder } from '../../helpers/files.js';
import { randomFrom } from '../../helpers/random-from.js';
import { runs } from '../../helpers/runs.js';
import { forSeeds } from '../../helpers/seeds.js';

const TARGET = { service: 'https://api.example.com/5.0', monitoring: 7 };
const DESCRIPTION = { target: TARGET, options: {}, inputs: [] } as unknown as RunDescription;
const REQUESTS = 40;
const SIZE = 25;

/** What a journal says of each record. */
type States = readonly (RecordState | undefined)[];

async function makeRun(stateDir: string): Promise<States> {
  const run = await openStore(stateDir).begin('run', DESCRIPTION);
  for (let request = 0; request < REQUESTS; request += 1) {
    const records = [{ input: 0, from: request * SIZE + 1, to: (request + 1) * SIZE }];
    const { idHashes, digests, ids } = hashesOf(request);
    const { number: intent } = await run.intend({
      records,
      ids,
      idHashes,
      digests,
      published: null,
    });
    const outcome = request % 5 === 0 ? 'rejected' : 'accepted';
    run.settle({ intent, records, outcome, message: request % 5 === 0 ? 'trop long: é' : '' });
  }
  await run.release();
  return await statesOf(stateDir);
}

function hashesOf(request: number) {
  const reviews = Array.from({ length: SIZE }, (_, index) => ({
    sourceId: `r-${request * SIZE + index + 1}`,
    text: 'Good',
  }));
  const documents = documentsOf(reviews);
  const { buffer, byteOffset, byteLength } = documents.idHashes;
  return {
    ids: [idsJson({ documents, from: 0, to: SIZE })],
    idHashes: new Uint8Array(buffer, byteOffset, byteLength),
    digests: documents.digests,
  };
}

async function statesOf(stateDir: string): Promise<States> {
  return await openStore(stateDir).look('run', async (run) => {
    const states = await run.states();
    return Array.from({ length: REQUESTS * SIZE }, (_, record) => states.get(0, record + 1));
  });
}

/** What is known of all documents that were accepted. */
async function knownIn(stateDir: string): Promise<readonly (string | undefined)[]> {
  const ledger = await openStore(stateDir).openLedger(TARGET, 'another');
  const requests = Array.from({ length: REQUESTS }, async (_, request) => {
    const known = await ledger?.lookUp(hashesOf(request));
    return Array.from({ length: SIZE }, (_, index) => known?.get(index));
  });
  try {
    return (await Promise.all(requests)).flat();
  } finally {
    await ledger?.close();
  }
}

/** `undefined`: it is said to be damaged. */
async function unlessDamaged<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    expect(error).toBeInstanceOf(JournalError);
    expect((error as Error).message).toMatch(/is damaged|can't be read/);
    return undefined;
  }
}

describe('damage', () => {
  let original: string;
  let states: States;
  let known: readonly (string | undefined)[];

  async function makeOriginal(): Promise<void> {
    original = newFolder();
    states = await makeRun(original);
    known = await knownIn(original);
  }

  function copy(): string {
    const place = newFolder();
    cpSync(original, place, { recursive: true });
    return place;
  }

  /** Damages one of a database's files. */
  function damage(place: string, name: string, seed: number): void {
    const random = randomFrom(seed);
    const kinds = ['', '-wal', '-shm', ''];
    damageFile(path.join(place, name + kinds[Math.floor(random() * kinds.length)]), random);
  }

  it('to a journal is found, or takes off its end: nothing is said that was not written', async () => {
    await makeOriginal();
    await forSeeds(runs(100), 1, async (seed) => {
      const place = copy();
      damage(place, 'runs/run/journal.db', seed);
      const said = await unlessDamaged(() => statesOf(place));
      if (said !== undefined) expectNothingNew(said, states);
      await unlessDamaged(async () => await (await openStore(place).take('run')).release());
    });
  });

  it('to a ledger is found: nothing that was accepted is forgotten', async () => {
    await makeOriginal();
    await forSeeds(runs(100), 1, async (seed) => {
      const place = copy();
      damage(place, 'ledger.db', seed);
      const said = await unlessDamaged(() => knownIn(place));
      if (said !== undefined) expect(said).toEqual(known);
    });
  });

  it('that makes a text none in UTF-8 is told, and ends no process', async () => {
    await makeOriginal();
    const place = copy();
    const file = path.join(place, 'runs/run/journal.db');
    const bytes = readFileSync(file);
    bytes[bytes.indexOf('trop long: é') + 'trop long: '.length] = 0xff;
    writeFileSync(file, bytes);
    for (const name of [`${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
    await expect(statesOf(place)).rejects.toThrow(
      /its entry \d+ is missing, or not what was written/,
    );
  });
});

function expectNothingNew(said: States, written: States): void {
  for (const [index, state] of said.entries()) {
    // An outcome that was lost leaves its request: it is in doubt.
    const isWritten = state?.kind === 'sending' || state === undefined;
    if (!isWritten) expect(state).toEqual(written[index]);
  }
}
