import { expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { randomFrom } from '../helpers/random-from.js';
import { review } from '../helpers/reviews.js';
import type { Started } from '../helpers/run-cli.js';
import { cases, longTest, SOAKING } from '../helpers/runs.js';
import { forSeeds } from '../helpers/seeds.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  command,
  type Job,
  lines,
  makeJob,
  repeated,
  reportIn,
  STORES,
  type StoreName,
  shownIds,
  startJob,
} from './job.js';

/** Enough for more requests than come before the first kills. */
const RECORDS = SOAKING ? 1_200 : 600;

/** Those that failed once. */
const REGRESSIONS = [
  { count: 5, store: 'sqlite', seed: 1591148994, all: 1_200 },
  { count: 5, store: 'postgres', seed: 1097440157, all: 1_200 },
] as const;

longTest.each(STORES)(
  'imports at once on %s of exports that overlap send every document once',
  async (store) => {
    await forSeeds(cases(1, 100), 1, (seed) => sendsOnce(3, store, seed));
  },
);

longTest.each(REGRESSIONS)(
  '$count imports on $store at once did so with seed $seed',
  async ({ count, store, seed, all }) => {
    await sendsOnce(count, store, seed, all);
  },
);

longTest.each(STORES)(
  'imports at once on %s, killed and resumed, lose nothing and send nothing twice',
  async (store) => {
    await forSeeds(cases(1, 100), 1, async (seed) => {
      const random = randomFrom(seed);
      const sandbox = await startTestSandbox();
      let killAt = 5 + Math.floor(random() * 20);
      let kill = (): void => {};
      const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
        const told = await pass();
        if (number >= killAt) kill();
        return told;
      });
      const job = await makeJob({ folder: newFolder(), store, sandbox, baseUrl, records: RECORDS });
      const exports = overlapping(3, seed, RECORDS);
      const started = exports.map((records, index) => startExport(job, index, records));
      kill = () => {
        killAt += Math.floor(random() * 10);
        started
          .find(({ child }) => child.exitCode === null && !child.killed)
          ?.child.kill('SIGKILL');
      };
      await Promise.all(started.map(({ ended }) => ended));
      await idle();
      kill = () => {};

      // One that was killed before its run began has nothing to resume.
      const begun = (await begunRuns(job)).map(({ file }) => file);
      const left = exports.flatMap((records, index) =>
        begun.includes(fileOf(index)) ? [] : [startExport(job, index, records).ended],
      );
      await Promise.all(left);
      const runs = await begunRuns(job);
      const resumeAll = async () =>
        await Promise.all(
          runs.map(({ run, file }) => startJob(reading(job, file), ['--resume', run]).ended),
        );
      // What they had in doubt of each other is known once all have ended.
      await resumeAll();
      await resumeAll();
      const reports = (await resumeAll()).map(reportIn);
      const shown = await shownIds(job);
      expect(repeated(shown), 'there twice').toEqual([]);
      expect(shown.length, 'there').toBe(new Set(exports.flat()).size);
      for (const report of reports) {
        expect(report).toMatchObject({ exitCode: 0, resumable: false, counts: { unknown: 0 } });
      }
    });
  },
);

/** Imports so many exports that overlap, all at once. */
async function sendsOnce(
  count: number,
  store: StoreName,
  seed: number,
  all = RECORDS,
): Promise<void> {
  const sandbox = await startTestSandbox();
  const settings = { folder: newFolder(), store, sandbox, records: all };
  const job = await makeJob({ ...settings, concurrency: 2 });
  const exports = overlapping(count, seed, all);
  const ended = await Promise.all(
    exports.map((records, index) => startExport(job, index, records).ended),
  );

  const reports = ended.map(reportIn);
  expect(reports.map(({ stop }) => stop)).toEqual(exports.map(() => null));
  const shown = await shownIds(job);
  expect(repeated(shown), 'there twice').toEqual([]);
  expect(shown.length, 'there').toBe(new Set(exports.flat()).size);
  const accepted = reports.reduce((sum, { counts }) => sum + counts.accepted, 0);
  expect(accepted, 'each accepted for one run').toBe(shown.length);
  for (const { counts, exitCode } of reports) {
    const { read, accepted, duplicate, unknown } = counts;
    expect(accepted + duplicate + unknown, 'each has one outcome').toBe(read);
    expect(exitCode).toBe(unknown === 0 ? 0 : 5);
  }
}

/** Which records each of some exports has: neighbours, some from the front, some from the back. */
function overlapping(count: number, seed: number, all: number): readonly (readonly number[])[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor(random() * (all / 3));
    const records = Array.from({ length: all - first }, (_, at) => first + at + 1);
    return index % 2 === 0 ? records : records.toReversed();
  });
}

function startExport(job: Job, index: number, records: readonly number[]): Started {
  const file = fileOf(index);
  put(job.folder, file, lines(records.map(review)));
  return startJob(reading(job, file));
}

/** The runs that were begun of a job, each with its input. */
async function begunRuns(job: Job): Promise<readonly { run: string; file: string }[]> {
  const { stdout } = await command(job, 'runs', 'list', '--json');
  const runs = JSON.parse(stdout) as { run: string; inputs: readonly string[] }[];
  return runs.map(({ run, inputs: [file = ''] }) => ({ run, file }));
}

function fileOf(index: number): string {
  return `export-${index}.jsonl`;
}

/** The same job with another input. */
function reading(job: Job, file: string): Job {
  const [verb = '', , ...rest] = job.arguments;
  return { ...job, arguments: [verb, file, ...rest] };
}
