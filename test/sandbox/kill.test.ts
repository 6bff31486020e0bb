import path from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { randomFrom } from '../helpers/random-from.js';
import { cases, longTest, SOAKING } from '../helpers/runs.js';
import { ALWAYS, filledIn, imported, SEARCH } from './documents.js';
import {
  CONCURRENCY,
  importUntilKilled,
  makeBatches,
  type SandboxProcess,
  type SentBatch,
  startProcess,
} from './kill-rehearsal.js';

const KILLS = cases(6, 200);
const BATCHES = SOAKING ? 400 : 150;
/** Short beside what a batch takes, so that requests are in flight. */
const LONGEST_MS = 5;
/** After so many kills the next one begins with an empty folder. */
const KILLS_OF_A_FOLDER = 5;

longTest('what was acknowledged outlives kill -9, and no batch is there in part', async () => {
  const random = randomFrom(20_240_531);
  const figures = { kills: 0, whileAsked: 0, acknowledged: 0, documents: 0, stored: 0, lost: 0 };
  const batches = makeBatches(BATCHES, random);
  let data = '';
  let sandbox: SandboxProcess | undefined;
  onTestFinished(() => sandbox?.kill());
  while (figures.kills < KILLS) {
    if (figures.kills % KILLS_OF_A_FOLDER === 0) {
      await sandbox?.kill();
      data = newFolder();
      sandbox = await startProcess(data);
    }
    const monitoring = await createMonitoring(sandbox!);
    // Mostly soon; now and then so late that the log has been written back to the database.
    const answers = Math.floor(random() ** 4 * (BATCHES - 2 * CONCURRENCY));
    const moment = { answers, laterMs: random() * LONGEST_MS };
    const sent = await importUntilKilled(sandbox!, monitoring, batches, moment);

    sandbox = await startProcess(data);
    checkFile(data);
    const found = await everything(sandbox, monitoring);
    const stored = checkBatches(sent, found);

    const acknowledged = sent.filter(({ outcome }) => outcome === 'acknowledged');
    const unanswered = sent.length - acknowledged.length;
    figures.kills += 1;
    figures.whileAsked += unanswered > 0 ? 1 : 0;
    figures.acknowledged += acknowledged.length;
    figures.documents += acknowledged.reduce((sum, { documents }) => sum + documents.length, 0);
    figures.stored += stored;
    figures.lost += unanswered - stored;
  }
  if (SOAKING) process.stdout.write(`${JSON.stringify(figures)}\n`);
  // Kills that find nothing in flight would prove nothing.
  expect(figures.whileAsked).toBeGreaterThan(KILLS / 2);
  expect(figures.acknowledged).toBeGreaterThan(0);
});

async function createMonitoring(sandbox: SandboxProcess): Promise<number> {
  const monitoring = { title: 'Kill', status: 'paused', searches: [SEARCH] };
  const { id } = (await sandbox.call('/monitorings', JSON.stringify(monitoring))) as { id: number };
  return id;
}

/** Counts that agree unless a batch is there in part. */
const PAIRS = [
  ['SELECT count(*) FROM documents', 'SELECT count(*) FROM bodies'],
  ['SELECT count(*) FROM documents', 'SELECT count(*) FROM documents_text'],
  [
    'SELECT count(*) FROM documents',
    'SELECT count(*) FROM documents AS d JOIN authors AS a ON a.id = d.author_id',
  ],
  [
    'SELECT count(*) FROM document_tags',
    "SELECT count(*) FROM (SELECT DISTINCT b.id, tag.value FROM bodies AS b, json_each(b.body, '$.tags') AS tag)",
  ],
];

/** The database's own checks of its file and of its index of texts, and ours of what is in it. */
function checkFile(data: string): void {
  const database = new Database(path.join(data, 'sandbox.db'));
  try {
    const checked = database.prepare('PRAGMA integrity_check').all();
    expect(checked).toEqual([{ integrity_check: 'ok' }]);
    // Fails with SQLITE_CORRUPT if the index does not agree with itself.
    database.exec("INSERT INTO documents_text (documents_text) VALUES ('integrity-check')");
    for (const [one, other] of PAIRS) {
      const [counts] = database.prepare(`SELECT (${one}) AS one, (${other}) AS other`).all() as {
        one: number;
        other: number;
      }[];
      expect(counts!.one, `${one} = ${other}`).toBe(counts!.other);
    }
  } finally {
    database.close();
  }
}

type Shown = Record<string, unknown> & { readonly sourceId: string };

/** All documents of a monitoring as the API gives them, by batch. */
async function everything(
  sandbox: SandboxProcess,
  monitoring: number,
): Promise<Map<number, Shown[]>> {
  const batches = new Map<number, Shown[]>();
  for (let offset = 0; ; ) {
    const form = new URLSearchParams({
      monitorings: String(monitoring),
      offset: String(offset),
      ...ALWAYS,
    });
    const { documents, total } = (await sandbox.call('/documents', form)) as {
      documents: Shown[];
      total: number;
    };
    for (const document of documents) {
      const batch = Number(document.sourceId.split('/')[0]);
      batches.set(batch, [...(batches.get(batch) ?? []), document]);
    }
    offset += documents.length;
    if (documents.length === 0) {
      expect(offset).toBe(total);
      return batches;
    }
  }
}

/** Answers how many of the unanswered batches were stored. */
function checkBatches(
  sent: readonly SentBatch[],
  found: ReadonlyMap<number, readonly Shown[]>,
): number {
  let stored = 0;
  for (const [number, { documents, outcome }] of sent.entries()) {
    const there = found.get(number);
    // An unanswered batch may be there or not: as a whole, then.
    if (outcome === 'unanswered' && !there) continue;
    if (outcome === 'unanswered') stored += 1;
    expect(bySourceId((there ?? []).map(imported) as Shown[])).toEqual(
      bySourceId(documents.map(filledIn) as Shown[]),
    );
  }
  expect([...found.keys()].every((number) => number < sent.length)).toBe(true);
  return stored;
}

function bySourceId(documents: readonly Shown[]): Shown[] {
  return documents.toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
}
