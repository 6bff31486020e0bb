import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { pruneRuns } from '../../src/operations/runs/prune-runs.js';
import { randomFrom } from '../helpers/random-from.js';
import { review } from '../helpers/reviews.js';
import { type Ended, environmentOf, startDocferry } from '../helpers/run-cli.js';
import { cases, longTest, SOAKING } from '../helpers/runs.js';
import { forSeeds } from '../helpers/seeds.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { SHORT_LEASES, STORES } from '../reliability/job.js';
import { idsOf, makeTarget, record, schema, state, type Target } from './tap.js';

const RECORDS = 300;
const MAX_KILLS = SOAKING ? 4 : 3;
/** How long it takes until the first request, and to import after that. */
const START_MS = 900;
const WORK_MS = 2_000;
const AT_ONCE = 3;
const SEEDS = cases(3, 100);
/** How long a seed may take where all is slow, in milliseconds. */
const MAX_SEED_MS = 120_000;
/** How often a target that nobody kills may have to be started once more. */
const MAX_AGAIN = 3;

/** When kills hit: before the first request of a process, between requests, after the last. */
interface Hits {
  before: number;
  sending: number;
  after: number;
  /** How often a target that nobody killed any more still took another process. */
  again: number;
  states: number;
}

longTest.for(STORES)(
  'a target that keeps its runs in %s and is killed at any moment, again and again, imports everything once, and writes no state too early',
  {
    timeout: SEEDS * MAX_SEED_MS,
  },
  async (store) => {
    const sandbox = await startTestSandbox({
      pageSize: 500,
      // Answers take a while, so that there is always something in flight.
      faults: { rules: [{ on: 'import', latency: { from: 2, to: 40 } }] },
    });
    const hits: Hits = { before: 0, sending: 0, after: 0, again: 0, states: 0 };
    let monitoring = 0;
    await forSeeds(SEEDS, AT_ONCE, async (seed) => {
      monitoring += 1;
      // Others have theirs by the time this one needs it.
      const own = monitoring;
      const random = randomFrom(seed);
      const { baseUrl, imports, idle } = await watchService(sandbox);
      const where = await PLACES[store]();
      const target = await makeTarget(
        {
          baseUrl,
          epoch: { records: 1 + Math.floor(random() * 60), seconds: 0.2 },
          batchSize: 20,
          concurrency: 4,
          refusals: 'atomic',
          stateDir: where.stateDir,
        },
        { sandbox, monitoring: own },
      );
      const job = { target, database: where.database, output: outputOf(random), hits };
      let last = 0;
      const kills = 1 + Math.floor(random() * MAX_KILLS);
      for (let kill = 0; kill < kills; kill += 1) {
        const [importsBefore, lastBefore] = [imports.length, last];
        const started = startTarget(job, last);
        const isEarly = random() < 0.15;
        if (!isEarly) await calledOrEnded(started.child, () => imports.length > importsBefore);
        await wait(isEarly ? random() * START_MS : random() ** 2 * WORK_MS);
        started.child.kill('SIGKILL');
        await started.ended;
        await idle();
        last = Math.max(last, await started.lastState());
        expect(last, 'states go forward').toBeGreaterThanOrEqual(lastBefore);
        const isWhole = (await idsOf(target)).length === RECORDS;
        hits[isWhole ? 'after' : imports.length === importsBefore ? 'before' : 'sending'] += 1;
      }
      await finish(job, last);
      const ids = Array.from({ length: RECORDS }, (_, index) => review(index + 1).id);
      expect(await idsOf(target), 'everything is there once').toEqual(ids.toSorted());
      // Nothing is left of killed runs that anybody would have to look after.
      expect(await keptRuns(job), 'runs left undone').toBe(0);
    });
    if (SOAKING) process.stdout.write(`Kills of a target: ${JSON.stringify(hits)}\n`);
    // Kills that find nothing in flight would prove nothing.
    if (SOAKING) expect(hits.sending).toBeGreaterThan(0);
  },
);

interface Job {
  readonly target: Target;
  /** Where runs are kept, if not in the target's folder. */
  readonly database: string | undefined;
  /** What the tap writes after the state of so many records. */
  readonly output: (after: number) => string;
  readonly hits: Hits;
}

/** Where runs are kept. */
const PLACES = {
  sqlite: async () => ({ stateDir: 'state', database: undefined }),
  postgres: async () => ({ stateDir: undefined, database: await newSharedState(SHORT_LEASES) }),
};

/** How many runs something has to be done about yet. */
async function keptRuns({ target, database }: Job): Promise<number> {
  const state = database ?? path.join(target.folder, 'state');
  const { remaining } = await pruneRuns({ state, olderThanDays: 0 });
  return remaining;
}

/** A tap whose states say how many records came before, at places of its own choice. */
function outputOf(random: () => number): (after: number) => string {
  const states = new Set([RECORDS]);
  for (let at = 0; at < RECORDS; at += 1 + Math.floor(random() * 40)) states.add(at);
  return (after) => {
    let text = schema();
    for (let number = after + 1; number <= RECORDS; number += 1) {
      text += record(review(number));
      if (states.has(number)) text += state(number);
    }
    return text;
  };
}

interface StartedTarget extends ReturnType<typeof startDocferry> {
  /** The last state that was written; rejects if one was before its records were there. */
  lastState(): Promise<number>;
}

/** Starts the tap again from a state, and checks each state that comes at once. */
function startTarget({ target, database, output, hits }: Job, after: number): StartedTarget {
  const started = startDocferry(['target-singer', '--config', target.config], {
    cwd: target.folder,
    env: {
      ...environmentOf({ ...target.sandbox, baseUrl: '' }),
      ...(database === undefined ? {} : { DOCFERRY_STATE: database }),
    },
    stdin: output(after),
  });
  const checks: Promise<number>[] = [];
  let rest = '';
  started.child.stdout?.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) checks.push(checkState(target, Number(one)));
  });
  return {
    ...started,
    lastState: async () => {
      const states = await Promise.all(checks);
      hits.states += states.length;
      return states.at(-1) ?? 0;
    },
  };
}

/** What a state says is there when it is written. */
async function checkState(target: Target, value: number): Promise<number> {
  const ids = await idsOf(target);
  const there = new Set(ids);
  const missing = Array.from({ length: value }, (_, index) => review(index + 1).id).filter(
    (id) => !there.has(id),
  );
  expect(missing, `missing when state ${value} was written`).toEqual([]);
  expect(ids.length, 'there twice').toBe(there.size);
  return value;
}

/** Brings it to its end; on a busy machine, what was sent again may get no answer either. */
async function finish(job: Job, from: number): Promise<void> {
  let last = from;
  for (let again = 0; ; again += 1) {
    const started = startTarget(job, last);
    const ended: Ended = await started.ended;
    last = Math.max(last, await started.lastState());
    if (ended.code !== 5 || again === MAX_AGAIN) {
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      expect(last).toBe(RECORDS);
      return;
    }
    job.hits.again += 1;
  }
}

async function calledOrEnded(child: ChildProcess, called: () => boolean): Promise<void> {
  while (!called() && child.exitCode === null) await wait(5);
}
