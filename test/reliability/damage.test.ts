import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRuns } from '../../src/journal/run-folders.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { damageFile } from '../helpers/damage-file.js';
import { put, temporaryFolders } from '../helpers/files.js';
import { randomFrom } from '../helpers/random-from.js';
import { docferry, type Ended, startDocferry } from '../helpers/run-cli.js';
import { cases } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { lines, MAPPING, repeated, reviews } from './job.js';

const folder = temporaryFolders();
const ALL = 1_500;
const FIRST = 60;
const AT_ONCE = 3;
/** How much of the log is written when the import is killed. */
const LOG_BYTES = 150_000;
const STATE = 'state';

/** What sends, each with what it takes to be told how. */
const SENDING = ['--timeout=0.5', ...['--sandbox', '--state-dir', STATE, '--json', '--quiet']];
const IMPORT = [
  ...['--mapping', 'mapping.json', '--monitoring', '1', '--batch-size', '10'],
  ...['--quiet-time', '0.5', ...SENDING],
];

/** A folder with two imports, of which the second was killed in the middle. */
let original: string;
let runs: readonly string[];

beforeAll(async () => {
  original = mkdtempSync(path.join(tmpdir(), 'docferry-'));
  put(original, 'first.jsonl', lines(reviews(FIRST)));
  put(original, 'all.jsonl', lines(reviews(ALL)));
  put(original, 'mapping.json', JSON.stringify(MAPPING));
  const first = await docferry(['import', 'first.jsonl', ...IMPORT], { cwd: original });
  expect(first.code, first.stderr).toBe(0);
  const { child, ended } = startDocferry(['import', 'all.jsonl', '--rate', '40', ...IMPORT], {
    cwd: original,
  });
  while (logBytes() < LOG_BYTES) await wait(10);
  child.kill('SIGKILL');
  expect((await ended).code).toBeNull();
  runs = listRuns(path.join(original, STATE));
});

afterAll(() => rmSync(original, { recursive: true, force: true }));

test('a damaged journal or ledger invents nothing, sends nothing twice, and ends in a sentence', async () => {
  await forSeeds(cases(8, 400), AT_ONCE, tryDamage);
});

test.each<number>([])('still does so for seed %i', tryDamage);

test('what is damaged is listed beside what is not', async () => {
  const place = copy();
  const [first = '', second = ''] = runs;
  put(place, `${STATE}/runs/${first}/journal.db`, 'nothing of the kind\n'.repeat(300));
  const listed = await docferry(['runs', 'list', '--state-dir', STATE], { cwd: place });
  expect(listed.code).toBe(4);
  expect(listed.stdout).toMatch(
    new RegExp(`${first}  damaged; .*\\n${second}  cut off, can go on`),
  );
  expect(listed.stderr).toContain(path.join(STATE, 'runs', first, 'journal.db is damaged'));
  const another = await docferry(['import', 'all.jsonl', ...IMPORT], { cwd: place });
  expect(another.code).toBe(4);
  expect(another.stderr).toMatch(/journal\.db is damaged: .*Delete nothing.*--unsent reconcile/);
});

async function tryDamage(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const place = copy();
  const files = damageable(place);
  const file = files[Math.floor(random() * files.length)] as string;
  const what = `${damageFile(file, random)} in ${path.relative(place, file)}`;
  const before = await shownIds(place);
  const commands = commandsFor(runs[1] as string);
  const sending = commands.sending[Math.floor(random() * commands.sending.length)] as string[];
  for (const args of [...commands.looking, sending, ...commands.lookingAgain]) {
    const ended = await docferry(args, { cwd: place });
    const told = `seed ${seed}: ${what}: ${args.slice(0, 4).join(' ')}: ${ended.stderr}`;
    expect(ended.stderr, told).not.toMatch(/mistake in docferry|panicked|^ +at /m);
    expect([0, 1, 2, 3, 4, 5], told).toContain(ended.code);
    if (args === sending) await checkSent(place, { ended, told, before });
  }
}

/** Nothing is there twice, and nothing is accepted that isn't there. */
async function checkSent(
  place: string,
  { ended, told, before }: { ended: Ended; told: string; before: readonly string[] },
): Promise<void> {
  const shown = await shownIds(place);
  expect(repeated(shown), told).toEqual([]);
  expect(shown.length, told).toBeGreaterThanOrEqual(before.length);
  if (!ended.stdout.startsWith('{')) return;
  const { counts } = JSON.parse(ended.stdout) as { counts?: Record<string, number> };
  if (counts === undefined) return;
  const { accepted = 0, duplicate = 0 } = counts;
  expect(accepted + duplicate, told).toBeLessThanOrEqual(shown.length);
}

function commandsFor(run: string): {
  readonly looking: string[][];
  readonly sending: string[][];
  readonly lookingAgain: string[][];
} {
  const state = ['--state-dir', STATE];
  return {
    looking: [
      ['runs', 'list', ...state],
      ['runs', 'show', run, ...state],
    ],
    sending: [
      ['runs', 'resume', run, ...SENDING],
      ['runs', 'retry', run, ...SENDING],
      ['runs', 'resolve', run, '--quiet-time', '0.5', '--sandbox', ...state],
      ['import', 'all.jsonl', ...IMPORT],
      ['import', 'all.jsonl', '--resume', ...IMPORT],
      ['import', 'all.jsonl', '--unsent', 'reconcile', ...IMPORT],
    ],
    lookingAgain: [
      ['verify', run, '--sandbox', ...state],
      ['runs', 'prune', '--older-than', '0', ...state],
    ],
  };
}

/** Every file of SQLite's that docferry goes by. */
function damageable(place: string): readonly string[] {
  const journals = runs.map((run) => path.join('runs', run, 'journal.db'));
  return ['ledger.db', ...journals]
    .flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
    .map((name) => path.join(place, STATE, name))
    .filter((file) => existsSync(file) && statSync(file).size > 0);
}

async function shownIds(place: string): Promise<readonly string[]> {
  const sandbox = await startSandbox({ data: path.join(place, STATE, 'sandbox') });
  try {
    return (await shownDocuments(sandbox)).map(({ sourceId }) => sourceId);
  } finally {
    await sandbox.close();
  }
}

function copy(): string {
  const place = folder();
  cpSync(original, place, { recursive: true });
  return place;
}

function logBytes(): number {
  const [, second] = existsSync(path.join(original, STATE))
    ? listRuns(path.join(original, STATE))
    : [];
  if (second === undefined) return 0;
  const log = path.join(original, STATE, 'runs', second, 'journal.db-wal');
  return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
}
