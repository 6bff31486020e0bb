import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { withStore } from '../../src/runs/folder/store.js';
import { type CutProxy, cutProxy } from '../helpers/cut-proxy.js';
import { newFolder } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { openPostgres, type TestPostgres } from '../helpers/postgres.js';
import { randomFrom } from '../helpers/random-from.js';
import { type Ended, type Started, startDocferry } from '../helpers/run-cli.js';
import { ALL_CASES, cases, SOAKING } from '../helpers/runs.js';
import { forSeeds } from '../helpers/seeds.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import {
  checkComplete,
  checkEnded,
  checkMeanwhile,
  hasReport,
  type Job,
  makeJob,
  reportIn,
  SHORT_LEASES,
} from './job.js';

const CLOCK = fileURLToPath(import.meta.resolve('../helpers/preload/shift-clock.mjs'));
const HOUR_MS = 3_600_000;
const RECORDS = 600;
const MAX_FAULTS = 5;
const MAX_AGAIN = 6;
/**
 * The settle time: a process that is stopped in the wrong moment sends later than its successors
 * look for it, unless that is longer than the stop is beyond its lease.
 */
const PATIENCE_MS = 1_000;
const MAX_STOP_MS = SHORT_LEASES.expiryMs + PATIENCE_MS;
/** A process that takes longer than this, once nothing fails any more, hangs. */
const MAX_END_MS = 90_000;
/** How long a seed may take where all is slow; in a suite that has the machine, some 20 s. */
const MAX_SEED_MS = 300_000;

/** Seeds that failed once. */
const REGRESSIONS: readonly number[] = [2128846280, 1542490902, 7176, 7199, 2136852793, 1299399401];
const SEEDS = cases(2, 300);

describe.runIf(HAS.ownPostgres && ALL_CASES)('an import over many processes', () => {
  const timeout = (SEEDS + REGRESSIONS.length) * MAX_SEED_MS;
  it('loses nothing and sends nothing twice, whatever fails', { timeout }, async () => {
    const sandbox = await startSlowSandbox();
    let monitoring = 0;
    const hits: Record<string, number> = {};
    const play = async (seed: number): Promise<void> => {
      monitoring += 1;
      await withFaults(sandbox, monitoring, { random: randomFrom(seed), hits });
    };
    await forSeeds(SEEDS, SOAKING ? 3 : 2, play, REGRESSIONS);
    if (SOAKING) process.stdout.write(`Faults: ${JSON.stringify(hits)}\n`);
  });
});

/**
 * Answers take a while, so that there is always something in flight. A page holds all: of several, a
 * document that comes meanwhile would shift the others.
 */
function startSlowSandbox(): Promise<TestSandbox> {
  const rules = [{ on: 'import', latency: { from: 5, to: 80 } }] as const;
  return startTestSandbox({ pageSize: RECORDS, faults: { rules } });
}

interface Chance {
  readonly random: () => number;
  /** How often each kind of fault came. */
  readonly hits: Record<string, number>;
}

async function withFaults(sandbox: TestSandbox, monitoring: number, chance: Chance): Promise<void> {
  const postgres = await openPostgres();
  try {
    const state = await newSharedState(SHORT_LEASES, postgres.url);
    const service = await cutProxy(Number(new URL(sandbox.baseUrl).port));
    const baseUrl = new URL(sandbox.baseUrl);
    baseUrl.port = String(service.port);
    const job = await makeJob({
      ...{ folder: newFolder(), sandbox, monitoring, state, baseUrl: baseUrl.href },
      ...{ records: RECORDS, files: 4, textBytes: 1_000 },
      ...{ batchSize: 5, concurrency: 2, patienceMs: PATIENCE_MS },
    });
    const cluster = new Cluster(job, { postgres, service, chance });
    try {
      await cluster.meetFaults();
      await cluster.bringToEnd();
    } finally {
      await cluster.kill();
    }
  } finally {
    await postgres.stop();
  }
}

/** A process on the job, with a way to the state of its own. */
interface Member extends Started {
  readonly state: CutProxy;
  isStopped: boolean;
  /** It was killed, or told to end. */
  isLeaving: boolean;
}

interface Surrounded {
  readonly postgres: TestPostgres;
  readonly service: CutProxy;
  readonly chance: Chance;
}

/** The processes of one import, and what happens to them. */
class Cluster {
  readonly #job: Job;
  readonly #postgres: TestPostgres;
  readonly #service: CutProxy;
  readonly #chance: Chance;
  /** All that were started. */
  readonly #members: Member[] = [];
  readonly #workers: Member[] = [];
  #coordinator: Member | undefined;
  /** What passes by itself a little later. */
  readonly #passing: Promise<void>[] = [];

  constructor(job: Job, { postgres, service, chance }: Surrounded) {
    this.#job = job;
    this.#postgres = postgres;
    this.#service = service;
    this.#chance = chance;
  }

  async meetFaults(): Promise<void> {
    const workers = 1 + this.#upTo(2);
    for (let worker = 0; worker < workers; worker += 1) await this.#addWorker();
    this.#coordinator = await this.#start([
      ...this.#job.arguments,
      ...(this.#upTo(3) === 0 ? ['--no-work'] : []),
    ]);
    const faults = 1 + this.#upTo(MAX_FAULTS);
    await wait(400 + this.#upTo(1_200));
    for (let fault = 0; fault < faults; fault += 1) {
      await this.#fault();
      await wait(this.#chance.random() ** 2 * 1_500);
    }
    await Promise.all(this.#passing);
  }

  /** Nothing fails any more: the import comes to its end, at the latest once it is resumed. */
  async bringToEnd(): Promise<void> {
    const isReady = () => this.#postgres.query('SELECT').then(Boolean, () => false);
    // It recovers from a backend that was killed.
    await expect.poll(isReady, { timeout: 30_000 }).toBe(true);
    // One that leaves the work to others waits for them.
    if (this.#workers.every(({ isLeaving }) => isLeaving)) await this.#addWorker();
    let ended = this.#coordinator && (await this.#endOf(this.#coordinator));
    for (let again = 0; ; again += 1) {
      const isWhole = ended !== undefined && (await this.#isWhole(ended));
      if (isWhole && ended !== undefined) break;
      expect(again, `brought to its end: ${ended?.stderr}`).toBeLessThan(MAX_AGAIN);
      ended = await this.#endOf(await this.#start([...this.#job.arguments, '--resume']));
    }
    const report = await checkComplete(this.#job, ended as Ended);
    const { report: stored } = await withStore(this.#job.place, async (store) =>
      (await store.openReadOnly(report.run)).facts(),
    );
    expect(stored, 'report and store').toEqual(report);
    for (const { child } of this.#workers) child.kill('SIGTERM');
    for (const worker of this.#workers) {
      const { code, stderr } = await this.#endOf(worker);
      expect(stderr, 'what a worker says').not.toMatch(/^ +at /m);
      // Killed, or told to end before it listened.
      if (worker.child.signalCode !== null) continue;
      expect(code, `a worker's exit code: ${stderr}`).toBe(0);
    }
    await this.#checkLeftBehind();
  }

  async kill(): Promise<void> {
    for (const { child } of this.#members) child.kill('SIGKILL');
    for (const { ended } of this.#members) await ended;
  }

  /** Fails if it hangs, with what all have said and what the state shows. */
  async #endOf({ child, ended }: Member): Promise<Ended> {
    const late = new AbortController();
    const limit = wait(MAX_END_MS, undefined, late).catch(() => undefined);
    const end = await Promise.race([ended, limit]);
    late.abort();
    if (end !== undefined) return end;
    const shown = await this.#shown();
    await this.kill();
    const said = await Promise.all(
      this.#members.map(async (one) => `${one.child.pid}: ${(await one.ended).stderr}`),
    );
    throw new Error(
      [`${child.pid} hangs: ${child.spawnargs.join(' ')}`, ...said, shown].join('\n'),
    );
  }

  async #shown(): Promise<string> {
    const [rows] = await this.#postgres.query(
      `SELECT (SELECT json_agg(r) FROM (SELECT run, state, session, stop
           FROM docferry.runs) AS r) AS runs,
         (SELECT json_agg(s) FROM (SELECT input, part, state, session
           FROM docferry.shards WHERE state <> 'done') AS s) AS shards,
         (SELECT json_agg(s) FROM docferry.sessions AS s WHERE NOT fenced) AS sessions,
         (SELECT json_agg(a) FROM (SELECT pid, state, wait_event, query_start, query
           FROM pg_stat_activity WHERE application_name LIKE 'docferry%') AS a) AS activity`,
    );
    return JSON.stringify(rows, null, 1);
  }

  /** Whether there is nothing left to do, going by what a coordinator has told. */
  async #isWhole(ended: Ended): Promise<boolean> {
    // Killed, or the state was away.
    if (!hasReport(ended)) {
      if (ended.code !== null) expect([2, 4], ended.stderr).toContain(ended.code);
      await checkMeanwhile(this.#job);
      return false;
    }
    const { exitCode } = reportIn(ended);
    if (exitCode === 0) return true;
    expect([4, 5, 130], ended.stdout).toContain(exitCode);
    await checkEnded(this.#job, ended);
    return false;
  }

  async #checkLeftBehind(): Promise<void> {
    const shards = await this.#postgres.query(
      "SELECT state FROM docferry.shards WHERE state <> 'done'",
    );
    expect(shards, 'shards that are not done').toEqual([]);
    const counted = await this.#postgres.query(
      'SELECT count(*)::integer AS n FROM docferry.claims',
    );
    expect(counted, 'claims').toEqual([{ n: this.#job.ids.length }]);
    const open = await this.#postgres.query(
      `SELECT k.id FROM docferry.claims AS k JOIN docferry.intents AS i
       ON i.run = k.run AND i.intent = k.intent WHERE NOT i.accepted`,
    );
    expect(open, 'claims that nobody settled').toEqual([]);
  }

  async #fault(): Promise<void> {
    const faults = {
      killWorker: () => end(this.#any(), 'SIGKILL'),
      killCoordinator: () => end(this.#coordinator, 'SIGKILL'),
      stopProcess: () => this.#pauseProcess(),
      terminateBackend: () => this.#endBackend('terminate'),
      killBackend: () => this.#endBackend('kill'),
      killPostmaster: () => this.#restartPostgres(),
      cutState: () => this.#cut(this.#anyOf([...this.#workers, this.#coordinator])?.state),
      cutService: () => this.#cut(this.#service),
      addWorker: () => this.#addWorker(),
      removeWorker: () => end(this.#any(), 'SIGTERM'),
    };
    const names = Object.keys(faults) as (keyof typeof faults)[];
    const name = names[this.#upTo(names.length)] as keyof typeof faults;
    this.#chance.hits[name] = (this.#chance.hits[name] ?? 0) + 1;
    await faults[name]();
  }

  /** Stops a process, perhaps for longer than it has its lease, and lets it go on later. */
  #pauseProcess(): void {
    const member = this.#anyOf([...this.#workers, this.#coordinator]);
    if (member === undefined || member.isStopped) return;
    member.isStopped = true;
    member.child.kill('SIGSTOP');
    this.#later(this.#upTo(MAX_STOP_MS), () => {
      member.child.kill('SIGCONT');
      member.isStopped = false;
    });
  }

  async #endBackend(how: 'terminate' | 'kill'): Promise<void> {
    const backends = await this.#postgres
      .query(
        "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'docferry%' AND pid <> pg_backend_pid()",
      )
      .catch(() => []);
    const pid = backends[this.#upTo(backends.length)]?.['pid'];
    if (typeof pid !== 'number') return;
    if (how === 'terminate') {
      await this.#postgres.query('SELECT pg_terminate_backend($1)', [pid]).catch(() => {});
      return;
    }
    try {
      process.kill(pid, 'SIGKILL');
      // Until the postmaster knows.
      await wait(100);
    } catch {
      // It has ended meanwhile.
    }
  }

  async #restartPostgres(): Promise<void> {
    await this.#postgres.kill9();
    await wait(this.#upTo(1_500));
    await this.#postgres.restart();
  }

  /** Cuts connections: now, at some byte that passes, or for a while. */
  #cut(proxy: CutProxy | undefined): void {
    const way = this.#upTo(2) === 0 ? 'requests' : 'answers';
    const how = this.#upTo(4);
    const bytes = this.#upTo(20_000);
    const ms = this.#upTo(2_500);
    if (how <= 1) proxy?.cutAfter(bytes, way);
    else if (how === 2) {
      proxy?.cut();
      this.#later(ms, () => proxy?.pass());
    } else {
      proxy?.stall(way);
      // What was held back arrives all the same, unless it is cut.
      if (bytes % 2 === 0) this.#later(ms, () => proxy?.pass());
      else {
        this.#later(ms, () => {
          proxy?.cut();
          proxy?.pass();
        });
      }
    }
  }

  async #addWorker(): Promise<void> {
    // Who finishes the run waits for no less than that before it reconciles.
    const timeout = String(PATIENCE_MS / 1_000);
    this.#workers.push(await this.#start(['worker', '--timeout', timeout]));
  }

  async #start(args: readonly string[]): Promise<Member> {
    const { surroundings, place } = this.#job;
    const state = await cutProxy(this.#postgres.port);
    const url = new URL(place);
    url.port = String(state.port);
    const isOff = this.#upTo(4) === 0;
    const started = startDocferry(args, {
      cwd: surroundings.cwd,
      env: {
        ...surroundings.env,
        DOCFERRY_STATE: url.href,
        CLOCK_OFF_MS: String(this.#upTo(2) === 0 ? HOUR_MS : -HOUR_MS),
      },
      ...(isOff ? { preload: CLOCK } : {}),
    });
    const member = { ...started, state, isStopped: false, isLeaving: false };
    this.#members.push(member);
    return member;
  }

  /** A worker that is there. */
  #any(): Member | undefined {
    return this.#anyOf(this.#workers);
  }

  #anyOf(members: readonly (Member | undefined)[]): Member | undefined {
    const there = members.filter((one): one is Member => one !== undefined && isThere(one.child));
    return there[this.#upTo(there.length)];
  }

  #later(ms: number, end: () => void): void {
    this.#passing.push(wait(ms).then(end));
  }

  #upTo(most: number): number {
    return Math.floor(this.#chance.random() * most);
  }
}

function end(member: Member | undefined, signal: NodeJS.Signals): void {
  if (member === undefined) return;
  member.isLeaving = true;
  member.child.kill(signal);
}

function isThere({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
