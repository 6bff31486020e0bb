import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { FolderStore } from '../../src/runs/folder/store.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { damageFile } from '../helpers/damage-file.js';
import { newFolder, put } from '../helpers/files.js';
import { openServer } from '../helpers/http-server.js';
import { randomFrom } from '../helpers/random-from.js';
import { MAPPING } from '../helpers/reviews.js';
import { type Ended, environmentOf, type Started, startDocferry } from '../helpers/run-cli.js';
import { cases, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { lines, repeated, reviews } from './job.js';

const ALL = 800;
const FIRST = 60;
/** All of them go to the same address. */
const AT_ONCE = 1;
/** How much of the journal is written when the import is killed. */
const LOG_BYTES = 10_000;
const STATE = 'state';

const STATE_DIR = ['--state-dir', STATE];
const CONNECTION = ['--timeout', '1', ...STATE_DIR];
const IMPORT = [
  ...['--mapping', 'mapping.json', '--monitoring', '1', '--batch-size', '10', '--json', '--quiet'],
  ...['--settle-time', '1', ...CONNECTION],
];

/** A folder with two imports, of which the second was killed in the middle. */
let original: string;
let runs: readonly string[];

/** Where the service is, whichever sandbox is behind it: runs remember its address. */
let front: Awaited<ReturnType<typeof openServer>>;
let behind: Sandbox;

beforeAll(async () => {
  front = await openServer(async (request, response, body) => {
    const { method = '', url = '', headers } = request;
    const { authorization = '', 'content-type': type = '' } = headers;
    const answer = await fetch(new URL(url, behind.baseUrl), {
      method,
      headers: { authorization, 'content-type': type },
      ...(body === '' ? {} : { body }),
    }).catch(() => undefined);
    // A command that was killed may have left a request behind.
    if (answer === undefined) {
      response.destroy();
      return;
    }
    const answered = { 'content-type': 'application/json' };
    response.writeHead(answer.status, answered).end(await answer.text());
  });
  original = mkdtempSync(path.join(tmpdir(), 'docferry-'));
  put(original, 'first.jsonl', lines(reviews(FIRST)));
  put(original, 'all.jsonl', lines(reviews(ALL)));
  put(original, 'mapping.json', JSON.stringify(MAPPING));
  await withSandbox(original, async () => {
    await behind.ensureMonitoring(1);
    const first = await command(['import', 'first.jsonl', ...IMPORT], original);
    expect(first.code, first.stderr).toBe(0);
    // Ids sort by the second in which runs began.
    await wait(1_000 - (Date.now() % 1_000));
    const { child, ended } = start(['import', 'all.jsonl', ...IMPORT], original);
    while ((await logBytes()) < LOG_BYTES) await wait(5);
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
  });
  runs = await new FolderStore(path.join(original, STATE)).list();
});

afterAll(async () => {
  await front.close();
  rmSync(original, { recursive: true, force: true });
});

longTest('damage invents nothing, sends nothing twice, and ends in a sentence', async () => {
  await forSeeds(cases(1, 400), AT_ONCE, tryDamage, [2002452251, 2028821693]);
});

/** Does some damage, and has one command after the other meet it. */
async function tryDamage(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const place = copy();
  const [name, how] = one(damageable(place));
  const what = `${damageFile(path.join(place, STATE, name), random, how)} in ${name}`;
  const run = runs[1] as string;
  await withSandbox(place, async () => {
    const before = await shownIds();
    for (const args of [one(looking(run)), one(sending(run)), one(lookingAgain(run))]) {
      const ended = await command(args, place);
      const told = `seed ${seed}: ${what}: ${args.slice(0, 4).join(' ')}: ${ended.stderr}`;
      expect(ended.stderr, told).not.toMatch(/bug in docferry|panicked|^ +at /m);
      expect([0, 1, 2, 3, 4, 5], told).toContain(ended.code);
      await checkSent(ended, { told, before });
    }
  });
}

/** Nothing is there twice, and nothing is accepted that isn't there. */
async function checkSent(
  { stdout, code }: Ended,
  { told, before }: { readonly told: string; readonly before: readonly string[] },
): Promise<void> {
  const shown = await shownIds();
  expect(repeated(shown), told).toEqual([]);
  expect(shown, told).toEqual(expect.arrayContaining([...before]));
  if (!stdout.startsWith('{')) return;
  const { counts } = JSON.parse(stdout) as { readonly counts?: Readonly<Record<string, number>> };
  const { accepted = 0, duplicate = 0 } = counts ?? {};
  expect(accepted + duplicate, told).toBeLessThanOrEqual(shown.length);
  if (counts !== undefined && code === 0) expect(shown.length, told).toBe(ALL);
}

function looking(run: string): readonly (readonly string[])[] {
  return [
    ['runs', 'list', ...STATE_DIR],
    ['runs', 'show', run, ...STATE_DIR],
  ];
}

function sending(run: string): readonly (readonly string[])[] {
  return [
    ['runs', 'resume', run, '--json', '--quiet', ...CONNECTION],
    ['runs', 'retry', run, '--json', '--quiet', ...CONNECTION],
    ['runs', 'resolve', run, '--settle-time', '1', ...CONNECTION],
    ['import', 'all.jsonl', ...IMPORT],
    ['import', 'all.jsonl', '--resume', ...IMPORT],
  ];
}

function lookingAgain(run: string): readonly (readonly string[])[] {
  return [
    ['verify', run, ...CONNECTION],
    ['runs', 'prune', '--older-than', '0', ...STATE_DIR],
  ];
}

function command(args: readonly string[], cwd: string): Promise<Ended> {
  return start(args, cwd).ended;
}

function start(args: readonly string[], cwd: string): Started {
  const env = environmentOf({ ...behind, baseUrl: front.baseUrl });
  return startDocferry(args, { cwd, env });
}

/** Does something while a place's service is there. */
async function withSandbox<T>(place: string, work: () => Promise<T>): Promise<T> {
  behind = await startSandbox({ data: path.join(place, 'sandbox') });
  try {
    return await work();
  } finally {
    await behind.close();
  }
}

type How = NonNullable<Parameters<typeof damageFile>[2]>;

/**
 * The files that docferry goes by, and what may be done to them: of a journal, the last line may be
 * missing; a ledger is made again if that shows.
 */
function damageable(place: string): readonly (readonly [string, How])[] {
  const journals = runs.map((run) => {
    const name = path.join('runs', run, 'journal.jsonl');
    const bytes = readFileSync(path.join(place, STATE, name));
    const spared = bytes.length - (bytes.lastIndexOf('\n', bytes.length - 2) + 1);
    const names = [
      'bits',
      'bytes',
      'a page of one byte',
      'truncation',
      'another file',
      'emptiness',
    ];
    return [name, { names, spared }] as const;
  });
  return [['ledger.db', { names: ['another file', 'emptiness', 'absence'] }], ...journals];
}

async function shownIds(): Promise<readonly string[]> {
  return (await shownDocuments(behind)).map(({ sourceId }) => sourceId);
}

function copy(): string {
  const place = newFolder();
  cpSync(original, place, { recursive: true });
  return place;
}

/** How much an import has written, once it is the second one. */
async function logBytes(): Promise<number> {
  const state = path.join(original, STATE);
  const [, second] = await new FolderStore(state).list();
  if (second === undefined) return 0;
  const log = path.join(state, 'runs', second, 'journal.jsonl');
  return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
}
