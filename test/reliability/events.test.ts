import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Report } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { randomFrom } from '../helpers/random-from.js';
import { MAPPING } from '../helpers/reviews.js';
import { docferry, environmentOf, startDocferry } from '../helpers/run-cli.js';
import { cases, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { type EventLine, eventErrors, linesOf, replay } from '../report/replay.js';
import { lines } from './job.js';

const AT_ONCE = 3;
const MAX_KILLS = 3;
/** Within this time of its start a process is killed, in milliseconds. */
const LIFE_MS = 1_500;
const PATIENCE_S = '0.6';

const SEEDS = cases(2, 200);
/** How long a seed may take where all is slow, in milliseconds. */
const MAX_SEED_MS = 120_000;

/** Seeds that failed once. */
const REGRESSIONS: readonly number[] = [1005];

const timeout = (SEEDS + REGRESSIONS.length) * MAX_SEED_MS;
longTest(
  'the events of a run give the counts of its report, whatever fails',
  { timeout },
  async () => {
    await forSeeds(SEEDS, AT_ONCE, failAndCount, REGRESSIONS);
  },
);

async function failAndCount(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  const sandbox = await startFailingSandbox(seed, random);
  const folder = newFolder();
  const files = makeFiles(folder, { random, records: 50 + upTo(350) });
  const surroundings = { cwd: folder, env: environmentOf(sandbox) };
  const again = [
    ...['--mapping', 'mapping.json', '--monitoring', '1', '--quiet', '--events', 'events.ndjson'],
    ...['--report', 'report.json', '--batch-size', String(5 + upTo(40)), '--concurrency', '3'],
    ...['--timeout', PATIENCE_S, '--settle-time', PATIENCE_S, '--max-outage', '3'],
    ...(upTo(4) === 0 ? ['--max-errors', String(5 + upTo(20))] : []),
  ];
  const command = ['import', ...files, ...again];
  const kills = upTo(MAX_KILLS);
  // On a quick machine a run may end before it is killed: the next would be another run.
  for (let kill = 0; kill < kills && !isFinished(folder); kill += 1) {
    const { child, ended } = startDocferry([...command, '--resume'], surroundings);
    await Promise.race([wait(random() * LIFE_MS), ended]);
    child.kill(upTo(3) === 0 ? 'SIGTERM' : 'SIGKILL');
    await ended;
    await checkTold(folder, sandbox);
  }
  if (!isFinished(folder)) {
    const { code, stderr } = await docferry([...command, '--resume'], surroundings);
    expect([0, 1, 4, 5], stderr).toContain(code);
  }
  const last = await checkTold(folder, sandbox);
  expect(last.at(-1)).toMatchObject({ type: 'end', report: reportIn(folder) });
}

/** Whether the run has ended by itself, with nothing left to do. */
function isFinished(folder: string): boolean {
  return reportIn(folder)?.resumable === false;
}

function reportIn(folder: string): Report | undefined {
  const file = path.join(folder, 'report.json');
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * What holds whenever a process has ended: each line is an event, what the last process told gives
 * its report's counts if there is one, and what was told as accepted is there.
 */
async function checkTold(folder: string, sandbox: TestSandbox): Promise<readonly EventLine[]> {
  const told = linesOf(path.join(folder, 'events.ndjson'));
  expect(told.flatMap(eventErrors)).toEqual([]);
  const { ids, counts, perInput, twice } = replay(told);
  expect(twice, 'records with two outcomes').toEqual([]);
  const shown = new Set((await shownDocuments(sandbox, 1)).map(({ sourceId }) => sourceId));
  expect(
    ids('accepted').filter((id) => !shown.has(id)),
    'accepted and not there',
  ).toEqual([]);
  const end = told.findLast(({ type }) => type === 'end' || type === 'start');
  if (end?.type === 'end') {
    expect(counts).toEqual(end.report.counts);
    expect(perInput).toEqual(
      Object.fromEntries(end.report.inputs.map(({ name, counts: own }) => [name, own])),
    );
  }
  return told;
}

/** Answers are late, lost, errors or refusals of one document, as the seed has it. */
async function startFailingSandbox(seed: number, random: () => number): Promise<TestSandbox> {
  const rate = (most: number): number => random() * most;
  const sandbox = await startTestSandbox({
    pageSize: 500,
    faults: {
      seed,
      rules: [
        { on: 'import', latency: { from: 2, to: 60 } },
        { on: 'import', rate: rate(0.1), status: 503, retryAfter: 1 },
        { on: 'import', rate: rate(0.1), reset: 'after' },
        { on: 'import', rate: rate(0.1), reset: 'before' },
        { on: 'import', rate: rate(0.05), html: { status: 502, when: 'after' } },
        { on: 'import', refuse: { containing: 'refused' } },
      ],
    },
  });
  await sandbox.ensureMonitoring(1);
  return sandbox;
}

/** Files of records of which some are skipped, invalid, repeats, or refused by the service. */
function makeFiles(
  folder: string,
  { random, records }: { readonly random: () => number; readonly records: number },
): readonly string[] {
  const made = Array.from({ length: records }, (_, index) => recordOf(index + 1, random()));
  const cut = Math.floor(random() * records);
  put(folder, 'mapping.json', JSON.stringify(SKIPPING));
  put(folder, 'a.jsonl', lines(made.slice(0, cut)));
  put(folder, 'b.jsonl', lines(made.slice(cut)));
  return ['a.jsonl', 'b.jsonl'].filter((_, at) => (at === 0 ? cut > 0 : cut < records));
}

const SKIPPING = { ...MAPPING, skip: [{ from: 'state', in: ['deleted'] }] };

function recordOf(number: number, chance: number): Readonly<Record<string, string>> {
  const usual = { id: `r-${number}`, text: `Review ${number}`, at: '2024-05-31T10:00:00Z' };
  if (chance < 0.05) return { ...usual, state: 'deleted' };
  if (chance < 0.1) return { ...usual, text: '' };
  if (chance < 0.15) return { ...usual, id: 'r-1', text: 'Review 1' };
  return chance < 0.17 ? { ...usual, id: `refused-${number}` } : usual;
}
