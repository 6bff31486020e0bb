import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import pLimit from 'p-limit';
import { expect, it } from 'vitest';
import { readReport } from '../../src/report/read-report.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { longTest, SOAKING } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  checkComplete,
  checkEnded,
  checkMeanwhile,
  command,
  hasReport,
  lines,
  makeJob,
  reportIn,
  reviews,
  runsOf,
  shownIds,
  startJob,
} from './job.js';

const KIB = 1024;

longTest('nothing is sent that the journal has no room for, until there is room', async () => {
  const sandbox = await startTestSandbox();
  // From a disk that has no room for an empty journal to one that has enough for all of it.
  const step = (SOAKING ? 2 : 25) * KIB;
  const sizes = Array.from({ length: Math.ceil((125 * KIB) / step) }, (_, index) => {
    return 8 * KIB + index * step;
  });
  const stopped = await pLimit(4).map([...sizes.entries()], async ([index, mostFileBytes]) => {
    const settings = { folder: newFolder(), sandbox, monitoring: index + 1, records: 1_500 };
    const job = await makeJob(settings);
    const ended = await startJob(job, [], { mostFileBytes }).ended;
    expect(ended.code).toBe(ended.code === 0 ? 0 : 4);
    const shown = await checkMeanwhile(job);
    if (!hasReport(ended)) expect(shown).toEqual([]);
    const last = ended.code === 0 ? ended : await startJob(job, ['--resume']).ended;
    await checkComplete(job, last);
    if (ended.code === 0) return 'not';
    return !hasReport(ended) ? 'before' : 'sending';
  });
  expect(new Set(stopped)).toEqual(new Set(['before', 'sending', 'not']));
});

longTest('a disk too full for the rejects stops the run, until there is room', async () => {
  const sandbox = await startTestSandbox();
  const job = await makeJob({ folder: newFolder(), sandbox, records: 400 });
  // Every record that is good stands before a long one that isn't.
  const bad = 'x'.repeat(4_000);
  const records = reviews(400).map((review) =>
    Number(review.id.slice(2)) % 2 === 1 ? review : { ...review, at: bad },
  );
  const good = job.ids.filter((_, index) => index % 2 === 0).toSorted();
  put(job.folder, 'reviews.jsonl', lines(records));
  const rejects = ['--rejects', 'bad.jsonl'];

  const full = await startJob(job, rejects, { mostFileBytes: 400 * KIB }).ended;
  expect(full.code).toBe(4);
  expect(reportIn(full)).toMatchObject({ stop: { kind: 'output' } });
  await checkEnded(job, full);

  const report = await checkEnded(job, await startJob(job, [...rejects, '--resume']).ended);
  expect(report).toMatchObject({ exitCode: 1, counts: { accepted: 200, invalid: 200 } });
  expect(await shownIds(job)).toEqual(good);
});

longTest(
  'a state folder that is removed while a run sends stops it, and one that is removed at its end is told',
  async () => {
    const sandbox = await startTestSandbox();
    const removals = [3, 10].map(async (removeAt, index) => {
      const folder = newFolder();
      const { baseUrl } = await watchService(sandbox, async ({ number }, pass) => {
        const told = await pass();
        if (number === removeAt) rmSync(path.join(folder, '.docferry'), { recursive: true });
        return told;
      });
      // However busy the machine is, no answer is late, whose documents would be unknown.
      const patienceMs = 60_000;
      const settings = { folder, sandbox, baseUrl, records: 200, concurrency: 1, patienceMs };
      const job = await makeJob({ ...settings, monitoring: index + 1 });
      const ended = await startJob(job).ended;
      expect(ended.code).toBe(4);
      const report = reportIn(ended);
      expect(report.stop).toMatchObject({ kind: 'output' });
      // Whichever is seen first.
      expect(report.stop?.message).toMatch(
        /journal\.jsonl was removed or moved while|lock was removed while the run held this lock/,
      );
      expect(report.counts.accepted).toBe((await shownIds(job)).length);
    });
    await Promise.all(removals);
  },
);

const onFullDisk = it.skipIf(!HAS.fullDisk);

longTest.skipIf(!HAS.fullDisk)(
  'what has no room is named on stderr, with the command that writes it again',
  async () => {
    const sandbox = await startTestSandbox();
    const job = await makeJob({ folder: newFolder(), sandbox, records: 3 });
    const files = ['page.html', 'report.json'].map((name) => path.join(job.folder, name));
    for (const file of files) symlinkSync('/dev/full', file);
    const ended = await startJob(job, ['--html', 'page.html', '--report', 'report.json']).ended;
    const report = reportIn(ended);
    expect([ended.code, report.exitCode]).toEqual([4, 4]);
    const again = `docferry runs show ${report.run}`;
    expect(ended.stderr.split('\n')).toEqual([
      expect.stringMatching(/^page\.html can't be written: ENOSPC/),
      expect.stringMatching(/^report\.json can't be written: ENOSPC/),
      `To write them once there is room: ${again} --html page.html --report report.json`,
      '',
    ]);
    for (const file of files) rmSync(file);
    const shown = ['runs', 'show', report.run, '--html', 'page.html', '--report', 'report.json'];
    expect(await command(job, ...shown)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(files[0] as string, 'utf8')).toMatch(/Exit code.*4\. It/);
    expect(readReport(files[1] as string)).toEqual(report);
  },
);

onFullDisk(
  'a report that stdout has no room for is kept, and the command that shows it is named',
  async () => {
    const sandbox = await startTestSandbox();
    const job = await makeJob({ folder: newFolder(), sandbox, records: 3 });
    const under = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
    const { code, stderr } = await startJob(job, [], { under }).ended;
    expect(code).toBe(4);
    const [run] = await runsOf(job);
    expect(stderr).toMatch(
      new RegExp(
        `run ${run} ended with exit code 0.*\`docferry runs show ${run}\`.*\\n.*stdout can't be`,
      ),
    );
  },
);
