/** Random imports over several processes, some of which are killed, stood still or told to end. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import type { Counts, Report } from '../../src/index.js';
import { readReport } from '../../src/report/read-report.js';
import { withStore } from '../../src/runs/folder/store.js';
import { newFolder } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { randomFrom } from '../helpers/random-from.js';
import {
  environmentOf,
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
import {
  Draw,
  drawFaults,
  drawWorld,
  type Faults,
  PADDING,
  type Row,
  type World,
} from './cluster-world.js';
import { hasReport, reportIn } from './job.js';

/** Seeds that failed once. */
const REGRESSIONS: readonly number[] = [19, 38, 61, 97];

const AT_ONCE = 2;
/** Most processes for one import, until it is done. */
const MAX_TRIES = 6;
/** What a killed process has is soon given to others. */
const LEASES = { beatMs: 200, expiryMs: 2_000, marginMs: 500 };
const PATIENCE = ['--timeout', '0.8', '--settle-time', '0.8'];

describe.runIf(HAS.postgres)('a random import over several processes', () => {
  longTest(
    'reports what the service has, whatever becomes of its processes',
    { timeout: SOAKING ? 3_600_000 : 480_000 },
    async () => {
      await forSeeds(cases(4, 300), AT_ONCE, play, REGRESSIONS);
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
  // Processes that start at once on an empty database keep what they have for long.
  const isEmpty = draw.chance(0.25);
  const minShardBytes = draw.of([1, 1_000, 262_144]);
  const state = isEmpty ? await newDatabase() : await newSharedState({ ...LEASES, minShardBytes });
  const env = environmentOf({ ...sandbox, ...service });
  const crew = new Crew(world, state, { cwd: folder, env });
  const mishaps = drawMishaps(draw, isEmpty, world);
  const together = draw.chance(0.5);
  const startsMs = Array.from({ length: draw.between(1, 3) }, () =>
    together ? 0 : draw.below(300),
  );
  const report = await crew.importAll(startsMs, mishaps, service);
  await service.idle();
  await check({ world, report, folder, state, sandbox });
}

/** What happens to a process once so many imports have arrived. */
interface Mishap {
  readonly what: 'SIGKILL' | 'SIGSTOP' | 'SIGTERM';
  /** A worker's number; -1: the import itself. */
  readonly whom: number;
  readonly imports: number;
  readonly afterMs: number;
}

function drawMishaps(draw: Draw, isEmpty: boolean, world: World): readonly Mishap[] {
  const { isLarge, rows, batchSize } = world;
  const count = draw.of([0, 1, 1, 2, 3]);
  const requests = Math.ceil(new Set(rows.map(({ id }) => id)).size / batchSize);
  return Array.from({ length: count }, () => {
    // A request that was written half before a long sleep is written whole after it.
    const sleeps = isLarge ? 'SIGKILL' : 'SIGSTOP';
    return {
      what: isEmpty ? 'SIGTERM' : draw.of(['SIGKILL', 'SIGKILL', sleeps, 'SIGTERM'] as const),
      whom: draw.between(-1, 2),
      imports: draw.between(0, requests),
      afterMs: draw.of([0, 20, 100, 300]),
    };
  });
}

/** The processes of one import. */
class Crew {
  readonly #world: World;
  readonly #state: string;
  readonly #surroundings: Pick<Surroundings, 'cwd' | 'env'>;
  #workers: Started[] = [];
  #import: Started | undefined;
  #isOver = false;

  constructor(world: World, state: string, { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>) {
    this.#world = world;
    this.#state = state;
    this.#surroundings = { cwd, env: { ...env, DOCFERRY_STATE: state } };
  }

  /**
   * Imports until there is nothing left to do.
   * @param startsMs for each worker how long after the one before it starts
   */
  async importAll(
    startsMs: readonly number[],
    mishaps: readonly Mishap[],
    { imports }: WatchedService,
  ): Promise<Report> {
    const troubles = mishaps.map((mishap) => this.#suffer(mishap, imports));
    try {
      for (const afterMs of startsMs) {
        if (afterMs > 0) await wait(afterMs);
        this.#startWorker();
      }
      return await this.#importOn();
    } finally {
      this.#isOver = true;
      await Promise.all(troubles);
      for (const { child } of this.#workers) child.kill('SIGTERM');
      await Promise.all(this.#workers.map(({ ended }) => ended));
    }
  }

  async #importOn(): Promise<Report> {
    for (let again = 0; ; again += 1) {
      this.#import = this.#start([...this.#arguments(), ...(await this.#resuming(again))]);
      const ended = await this.#import.ended;
      // One that was ended before it had begun has no report, either.
      const isCutOff = ended.code === null || (ended.code === 130 && !hasReport(ended));
      if (!isCutOff) {
        const report = reportIn(ended);
        expect(report.exitCode, ended.stderr).toBe(ended.code);
        if (!report.resumable) return report;
        expect([4, 5, 130]).toContain(report.exitCode);
      }
      expect(again, `it is not done: ${ended.stdout}${ended.stderr}`).toBeLessThan(MAX_TRIES);
      this.#replaceWorkers();
    }
  }

  /** By its name, as workers may have brought it to its end meanwhile. */
  async #resuming(again: number): Promise<readonly string[]> {
    if (again === 0) return [];
    const runs = await withStore(this.#state, (store) => store.list());
    expect(runs.length, 'how many runs were begun').toBeLessThanOrEqual(1);
    return runs.flatMap((run) => ['--resume', run]);
  }

  #arguments(): readonly string[] {
    const { names, batchSize, options } = this.#world;
    const job = ['import', ...names, '--mapping', 'mapping.json', '--monitoring', '1'];
    return [...job, '--json', ...PATIENCE, '--batch-size', String(batchSize), ...options];
  }

  async #suffer(mishap: Mishap, imports: WatchedService['imports']): Promise<void> {
    while (imports.length < mishap.imports) {
      if (this.#isOver) return;
      await wait(5);
    }
    await wait(mishap.afterMs);
    const sufferer = mishap.whom < 0 ? this.#import : this.#workers[mishap.whom];
    if (this.#isOver || sufferer === undefined) return;
    sufferer.child.kill(mishap.what);
    if (mishap.what === 'SIGSTOP') {
      await wait(LEASES.expiryMs + 1_000);
      sufferer.child.kill('SIGCONT');
    } else if (mishap.whom >= 0) this.#startWorker();
  }

  #startWorker(): void {
    this.#workers.push(this.#start(['worker', '--timeout', '0.8']));
  }

  /** Those that were started on an empty database may not have been able to. */
  #replaceWorkers(): void {
    const isGone = ({ child }: Started): boolean =>
      child.exitCode !== null || child.signalCode !== null;
    if (this.#workers.every(isGone)) this.#startWorker();
  }

  #start(words: readonly string[]): Started {
    const started = startDocferry(words, this.#surroundings);
    onTestFinished(() => void started.child.kill('SIGKILL'));
    return started;
  }
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

interface Ended {
  readonly world: World;
  readonly report: Report;
  readonly folder: string;
  readonly state: string;
  readonly sandbox: TestSandbox;
}

/** Compares a report, the journal and the rejects with what the service has. */
async function check({ world, report, folder, state, sandbox }: Ended): Promise<void> {
  const { rows, names, options } = world;
  const accepted = await acceptedRows(rows, state, report.run);
  const shown = (await shownDocuments(sandbox)).map(({ sourceId, text }) => `${sourceId}: ${text}`);
  const there = accepted.map(({ id, text }) => `${id}: ${text}`);
  expect(shown.map(withoutPadding).toSorted(), 'documents of the service').toEqual(
    there.toSorted(),
  );

  const fates = fatesOf(rows, accepted);
  for (const [input, { counts }] of report.inputs.entries()) {
    checkCounts(
      counts,
      rows.filter((row) => row.input === input),
      fates,
    );
  }
  checkCounts(report.counts, rows, fates);
  const isClean = report.counts.invalid + report.counts.rejected === 0;
  // It may have been told to end when all was done.
  if (report.status === 'finished') expect(report.exitCode).toBe(isClean ? 0 : 1);
  else expect(report).toMatchObject({ status: 'interrupted', exitCode: 130 });

  if (options.includes('--rejects')) {
    const places = new Set(placesOfRejects(report, folder));
    const rejects = rows.filter(({ input, record }) => places.has(`${names[input]} ${record}`));
    expect(rejects).toHaveLength(report.counts.invalid + report.counts.rejected);
    checkRejects(rejects, rows, fates);
  }
  if (options.includes('--report')) {
    expect(readReport(path.join(folder, 'report.json'))).toEqual(report);
  }
}

/** The records that the journal calls accepted. */
async function acceptedRows(
  rows: readonly Row[],
  state: string,
  run: string,
): Promise<readonly Row[]> {
  const states = await withStore(state, async (store) => (await store.openReadOnly(run)).states());
  return rows.filter(({ input, record }) => states.get(input, record)?.kind === 'accepted');
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
function placesOfRejects({ rejects }: Report, folder: string): readonly string[] {
  const texts = rejects.map(({ reasons }) => readFileSync(path.resolve(folder, reasons), 'utf8'));
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
