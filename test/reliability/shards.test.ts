/**
 * Random imports in shards under GNU parallel, whose processes are killed, stopped or told to end,
 * while requests fail and the database goes away.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import type { Counts, Report } from '../../src/index.js';
import { openStore } from '../../src/runs/open-store.js';
import { cutProxy } from '../helpers/cut-proxy.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase, startPostgres, type TestPostgres } from '../helpers/postgres.js';
import { randomFrom } from '../helpers/random-from.js';
import { MAPPING } from '../helpers/reviews.js';
import {
  docferryOnce,
  environmentOf,
  follow,
  PROGRAM,
  type Started,
  type Surroundings,
  startDocferry,
} from '../helpers/run-cli.js';
import { cases, longTest, SOAKING } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { refusal, type WatchedService, watchService } from '../helpers/watched-service.js';
import { reportIn } from './job.js';
import {
  Draw,
  drawFaults,
  drawWorld,
  type Faults,
  PADDING,
  type Row,
  type World,
} from './shards-world.js';

/** Seeds that failed once. */
const REGRESSIONS: readonly number[] = [2, 3, 1_554_382_984];

const AT_ONCE = 2;
/** Maximum number of times that GNU parallel starts a shard. */
const TRIES = 12;
/** Maximum number of times that the whole array is submitted. */
const ARRAYS = 4;
/** What a killed process has is soon given to others. */
const LEASES = { beatMs: 200, expiryMs: 2_000, marginMs: 500 };
const PATIENCE_MS = 800;
const KEY = 'nightly';

describe.runIf(HAS.postgres && HAS.parallel && HAS.linux)('a random import in shards', () => {
  longTest(
    'reports what the service has, whatever becomes of its processes',
    { timeout: SOAKING ? 7_200_000 : 1_800_000 },
    async () => {
      await forSeeds(cases(7, 150), AT_ONCE, play, REGRESSIONS);
    },
  );
});

async function play(seed: number): Promise<void> {
  const draw = new Draw(randomFrom(seed));
  const folder = newFolder();
  const world = drawWorld(draw, folder);
  const sandbox = await startTestSandbox({ pageSize: 500 });
  await sandbox.ensureMonitoring(1);
  // What the service does depends on when requests come, and must not change what else is drawn.
  const service = await watchWithFaults(sandbox, drawFaults(draw), new Draw(randomFrom(seed + 1)));
  const { state, mishaps } = await databaseFor(draw);
  const shards = draw.between(4, 16);
  const schedule = { shards, atOnce: draw.of([2, 3, 4]), inProcess: draw.chance(0.4) };
  const env = environmentOf({ ...sandbox, ...service });
  const scheduler = new Scheduler(world, { ...schedule, state }, { cwd: folder, env });
  const troubles = new Troubles(scheduler, service.imports);
  const all = [...drawMishaps(draw, world), ...mishaps(draw, requestsOf(world))];
  const report = await troubles.during(all, () => importAll(scheduler, state));
  await service.idle();
  await check({ world, report, state, sandbox });
}

interface Mishap {
  /** Number of imports that have arrived. */
  readonly imports: number;
  readonly afterMs: number;
  readonly happen: (scheduler: Scheduler) => Promise<void>;
}

function requestsOf({ rows, batchSize }: World): number {
  return Math.ceil(new Set(rows.map(({ id }) => id)).size / batchSize);
}

/** Mishaps of processes. */
function drawMishaps(draw: Draw, world: World): readonly Mishap[] {
  return Array.from({ length: draw.of([0, 1, 3, 5, 12]) }, () => {
    const what = draw.of(['SIGKILL', 'SIGKILL', 'SIGSTOP', 'SIGTERM'] as const);
    const which = draw.random();
    return {
      ...momentOf(draw, requestsOf(world)),
      happen: (scheduler) => {
        if (what !== 'SIGSTOP') return scheduler.kill(which, what);
        // A request that was written half before a long sleep is written whole after it.
        return world.isLarge ? scheduler.kill(which, 'SIGKILL') : scheduler.stop(which);
      },
    };
  });
}

function momentOf(draw: Draw, requests: number): Omit<Mishap, 'happen'> {
  return { imports: draw.between(0, requests), afterMs: draw.of([0, 20, 100, 300, 2_000]) };
}

/** A database, and its mishaps. */
async function databaseFor(draw: Draw): Promise<{
  readonly state: string;
  readonly mishaps: (draw: Draw, requests: number) => readonly Mishap[];
}> {
  const place = draw.of(['steady', 'steady', 'restarted', 'behind a proxy'] as const);
  const some = (count: number, happen: () => Promise<void>) => (drawn: Draw, requests: number) =>
    Array.from({ length: count }, () => ({ ...momentOf(drawn, requests), happen }));
  if (place === 'restarted' && HAS.ownPostgres) {
    const server: TestPostgres = await startPostgres();
    const state = await newSharedState(LEASES, server.url);
    return { state, mishaps: some(draw.between(1, 2), () => server.restart()) };
  }
  const direct = await newDatabase();
  await newSharedState(LEASES, direct);
  if (place !== 'behind a proxy') return { state: direct, mishaps: () => [] };
  const url = new URL(direct);
  const proxy = await cutProxy(Number(url.port));
  url.port = String(proxy.port);
  const bytes = draw.between(1, 3_000);
  const downMs = draw.of([0, 0, 500, 3_000]);
  const direction = draw.of(['requests', 'answers'] as const);
  const cut = async (): Promise<void> => {
    if (downMs === 0) return proxy.cutAfter(bytes, direction);
    proxy.cut();
    await wait(downMs);
    proxy.pass();
  };
  return { state: url.href, mishaps: some(draw.between(1, 4), cut) };
}

interface Schedule {
  readonly state: string;
  readonly shards: number;
  readonly atOnce: number;
  /** Whether the library imports, in chunks that are small. */
  readonly inProcess: boolean;
}

/** GNU parallel, and the processes that it starts. */
class Scheduler {
  readonly #command: readonly string[];
  readonly #schedule: Schedule;
  readonly #surroundings: Pick<Surroundings, 'cwd' | 'env'>;
  readonly #seconds: Started[] = [];

  constructor(world: World, schedule: Schedule, { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>) {
    this.#schedule = schedule;
    this.#surroundings = { cwd, env: { ...env, DOCFERRY_STATE: schedule.state } };
    this.#command = schedule.inProcess
      ? this.#programFor(world)
      : [process.execPath, PROGRAM, ...argumentsFor(world)];
    onTestFinished(() => {
      for (const { pid } of this.#running()) process.kill(pid, 'SIGKILL');
    });
  }

  /** A program that imports with small chunks, so that small files are cut as well. */
  #programFor({ names, batchSize, options }: World): readonly string[] {
    const { cwd, env } = this.#surroundings;
    const connection = {
      baseUrl: env?.['DOCFERRY_BASE_URL'],
      username: env?.['DOCFERRY_USERNAME'],
      apiKey: env?.['DOCFERRY_API_KEY'],
      timeoutMs: PATIENCE_MS,
    };
    const isAtomic = options.includes('atomic');
    const asked = {
      ...{ input: names, mapping: MAPPING, monitoring: 1, connection, batchSize },
      ...{ state: this.#schedule.state, run: KEY, refusals: isAtomic ? 'atomic' : 'partial' },
      ...{ quietMs: PATIENCE_MS, source: { chunkBytes: 500 } },
    };
    const program = path.join(import.meta.dirname, '../shards/import-one.mjs');
    return [process.execPath, program, put(cwd, 'options.json', JSON.stringify(asked))];
  }

  /** Submits all shards. @returns the exit status of GNU parallel: 0 if all of them ended with 0 */
  async submit(): Promise<number | null> {
    const { shards, atOnce } = this.#schedule;
    const words = [...this.#command, ...(this.#schedule.inProcess ? [] : ['--shard'])];
    const noted = `echo "$$ {}" >> pids; exec ${words.map(quoted).join(' ')} {}/${shards}`;
    const args = ['--will-cite', '-j', atOnce, '--retries', TRIES, '--joblog', 'joblog', noted];
    const numbers = Array.from({ length: shards }, (_, at) => at + 1);
    const { cwd, env } = this.#surroundings;
    const whole = { ...process.env, ...env, PARALLEL_HOME: cwd, SHELL: '/bin/sh' };
    const child = spawn('parallel', [...args, ':::', ...numbers].map(String), { cwd, env: whole });
    onTestFinished(() => void child.kill('SIGKILL'));
    const { code, stderr } = await follow(child).ended;
    this.log += stderr;
    await Promise.all(this.#seconds.map(({ ended }) => ended));
    return code;
  }

  /** What the processes wrote. */
  log = '';

  async kill(which: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const chosen = this.#choose(which);
    if (chosen !== undefined) signalTo(chosen.pid, signal);
  }

  /** Stops a process beyond its lease while a second one takes its shard over, then wakes it. */
  async stop(which: number): Promise<void> {
    const chosen = this.#choose(which);
    if (chosen === undefined) return;
    signalTo(chosen.pid, 'SIGSTOP');
    const second = this.#startSecond(chosen.shard);
    await wait(LEASES.expiryMs + 1_500);
    signalTo(chosen.pid, 'SIGCONT');
    await second.ended;
  }

  #startSecond(shard: string): Started {
    const place = `${shard}/${this.#schedule.shards}`;
    const [, program = '', ...rest] = this.#command;
    const { cwd, env } = this.#surroundings;
    const second = this.#schedule.inProcess
      ? follow(
          spawn(process.execPath, [program, ...rest, place], {
            cwd,
            env: { ...process.env, ...env },
          }),
        )
      : startDocferry([...rest, '--shard', place], this.#surroundings);
    onTestFinished(() => void second.child.kill('SIGKILL'));
    this.#seconds.push(second);
    return second;
  }

  #choose(which: number): { readonly pid: number; readonly shard: string } | undefined {
    const running = this.#running();
    return running[Math.floor(which * running.length)];
  }

  /** The processes that GNU parallel has started and that have not ended. */
  #running(): readonly { readonly pid: number; readonly shard: string }[] {
    const { cwd } = this.#surroundings;
    const file = path.join(cwd, 'pids');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.flatMap((line) => {
      const [pid = '', shard = ''] = line.split(' ');
      return isIn(pid, cwd) ? [{ pid: Number(pid), shard }] : [];
    });
  }
}

/** Whether a process runs in a folder; its number may be that of another one by now. */
function isIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function quoted(word: string): string {
  return `'${word}'`;
}

function argumentsFor({ names, batchSize, options }: World): readonly string[] {
  const job = ['import', ...names, '--mapping', 'mapping.json', '--monitoring', '1', '--run', KEY];
  const seconds = String(PATIENCE_MS / 1_000);
  const patience = ['--timeout', seconds, '--settle-time', seconds];
  return [...job, '--quiet', ...patience, '--batch-size', String(batchSize), ...options];
}

/** Lets mishaps happen while something is under way. */
class Troubles {
  readonly #scheduler: Scheduler;
  readonly #imports: WatchedService['imports'];
  #isOver = false;

  constructor(scheduler: Scheduler, imports: WatchedService['imports']) {
    this.#scheduler = scheduler;
    this.#imports = imports;
  }

  async during<T>(mishaps: readonly Mishap[], work: () => Promise<T>): Promise<T> {
    const suffering = mishaps.map((mishap) => this.#suffer(mishap));
    try {
      return await work();
    } finally {
      this.#isOver = true;
      await Promise.all(suffering);
    }
  }

  async #suffer({ imports, afterMs, happen }: Mishap): Promise<void> {
    while (this.#imports.length < imports) {
      if (this.#isOver) return;
      await wait(5);
    }
    await wait(afterMs);
    if (!this.#isOver) await happen(this.#scheduler);
  }
}

/** Submits the array until nothing is left to do. */
async function importAll(scheduler: Scheduler, state: string): Promise<Report> {
  for (let arrays = 1; ; arrays += 1) {
    const status = await scheduler.submit();
    const report = await merged(state);
    const { counts, stop, resumable } = report;
    const shown = `${JSON.stringify({ counts, stop })} ${scheduler.log}`;
    expect(resumable, shown).toBe(status !== 0);
    if (status === 0) return report;
    expect([4, 5]).toContain(report.exitCode);
    expect(arrays, `it isn't done: ${shown}`).toBeLessThan(ARRAYS);
  }
}

/** The merged report, made where the inputs aren't. */
async function merged(state: string): Promise<Report> {
  const args = ['report', KEY, '--json', '--rejects', 'rejects'];
  const cwd = newFolder();
  const ended = await docferryOnce(args, { cwd, env: { DOCFERRY_STATE: state } });
  const report = reportIn(ended);
  expect(ended.code, ended.stderr).toBe(report.exitCode);
  const rejects = report.rejects.map(({ file, reasons, ...rest }) => ({
    ...{ ...rest, file: path.resolve(cwd, file), reasons: path.resolve(cwd, reasons) },
  }));
  return { ...report, rejects };
}

async function watchWithFaults(
  sandbox: TestSandbox,
  faults: Faults,
  draw: Draw,
): Promise<WatchedService> {
  return await watchService(sandbox, async ({ number, ids }, pass) => {
    if (number === 0) return await pass();
    await wait(draw.below(faults.mostMs));
    if (draw.chance(faults.overloaded)) return refusal(503, 'there is too much to do');
    if (draw.chance(faults.resetBefore)) return 'reset';
    if (ids.some((id) => id.endsWith('-refused'))) return refusal(400, 'this is not wanted');
    const told = await pass();
    return draw.chance(faults.resetAfter) ? 'reset' : told;
  });
}

interface Imported {
  readonly world: World;
  readonly report: Report;
  readonly state: string;
  readonly sandbox: TestSandbox;
}

/** Compares the merged report, the journals and the rejects with what the service has. */
async function check({ world, report, state, sandbox }: Imported): Promise<void> {
  const { rows, names } = world;
  const accepted = await acceptedRows(rows, state);
  const shown = (await shownDocuments(sandbox)).map(({ sourceId, text }) => `${sourceId}: ${text}`);
  const there = accepted.map(({ id, text }) => `${id}: ${text}`);
  expect(shown.map(withoutPadding).toSorted(), 'documents of the service').toEqual(
    there.toSorted(),
  );
  expect(report.counts.accepted, 'accepted').toBe(shown.length);

  const fates = fatesOf(rows, accepted);
  for (const [input, { counts }] of report.inputs.entries()) {
    const own = rows.filter((row) => row.input === input);
    checkCounts(counts, own, fates);
  }
  checkCounts(report.counts, rows, fates);
  const isClean = report.counts.invalid + report.counts.rejected === 0;
  expect(report).toMatchObject({ status: 'finished', stop: null, exitCode: isClean ? 0 : 1 });

  const places = new Set(placesOfRejects(report));
  const rejects = rows.filter(({ input, record }) => places.has(`${names[input]} ${record}`));
  expect(rejects).toHaveLength(report.counts.invalid + report.counts.rejected);
  checkRejects(rejects, rows, fates);
}

/** The records that the journals call accepted. */
async function acceptedRows(rows: readonly Row[], state: string): Promise<readonly Row[]> {
  await using store = await openStore(state);
  const runs = (await store.list()).filter((id) => id.startsWith(`${KEY}/`));
  const states = await Promise.all(runs.map(async (id) => (await store.openReadOnly(id)).states()));
  return rows.filter(({ input, record }) =>
    states.some((own) => own.get(input, record)?.kind === 'accepted'),
  );
}

type Fate = 'accepted' | 'rejected' | 'invalid' | 'duplicate';

type Fates = ReadonlyMap<Row, readonly Fate[]>;

/** What may have become of each record, given which of those with one id was accepted. */
function fatesOf(rows: readonly Row[], accepted: readonly Row[]): Fates {
  const taken = new Map(accepted.map((row) => [row.id, row]));
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.id, [...(groups.get(row.id) ?? []), row]);
  return new Map(
    rows.map((row) => [row, possible(row, taken.get(row.id), groups.get(row.id) ?? [])]),
  );
}

/**
 * A record is compared with the one of its id that came first in its shard, and that with the one of
 * another shard that was accepted. So where there are three, of two texts, either may be.
 */
function possible(row: Row, taken: Row | undefined, group: readonly Row[]): readonly Fate[] {
  if (row.kind !== 'good') return [row.kind === 'refused' ? 'rejected' : 'invalid'];
  if (taken === row) return ['accepted'];
  expect(taken, `no record of ${row.id} was accepted`).toBeDefined();
  const texts = new Set(group.map(({ text }) => text));
  if (group.length > 2 && texts.size > 1) return ['duplicate', 'invalid'];
  return [taken?.text === row.text ? 'duplicate' : 'invalid'];
}

function checkCounts(counts: Counts, rows: readonly Row[], fates: Fates): void {
  const of = rows.map((row) => fates.get(row) ?? []);
  expect(counts).toMatchObject({ read: rows.length, skipped: 0, unknown: 0, unsent: 0 });
  expect(counts.read, 'the sum rule').toBe(sumOf(counts));
  for (const fate of ['accepted', 'rejected', 'invalid', 'duplicate'] as const) {
    const least = of.filter((all) => all.length === 1 && all[0] === fate).length;
    const most = of.filter((all) => all.includes(fate)).length;
    expect(counts[fate], fate).toBeGreaterThanOrEqual(least);
    expect(counts[fate], fate).toBeLessThanOrEqual(most);
  }
}

/** Every text is there or among the rejects, and no record is that must not be. */
function checkRejects(rejects: readonly Row[], rows: readonly Row[], fates: Fates): void {
  const isBad = (fate: Fate): boolean => fate === 'invalid' || fate === 'rejected';
  expect(
    rejects.filter((row) => !fates.get(row)?.some(isBad)),
    'not to be rejected',
  ).toEqual([]);
  const known = new Set(
    rows
      .filter((row) => rejects.includes(row) || fates.get(row)?.[0] === 'accepted')
      .map(({ id, text }) => `${id}: ${text}`),
  );
  expect(
    rows.filter(({ id, text }) => !known.has(`${id}: ${text}`)),
    'neither',
  ).toEqual([]);
}

function withoutPadding(text: string): string {
  return text.split(PADDING)[0] as string;
}

/** Source and number of each rejected record. */
function placesOfRejects({ rejects }: Report): readonly string[] {
  const texts = rejects.map(({ reasons }) => readFileSync(reasons, 'utf8'));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '')
    .map((line) => {
      const { source, record } = JSON.parse(line) as { source: string; record: number };
      return `${source} ${record}`;
    });
}

function sumOf({ read: _, ...outcomes }: Counts): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}
