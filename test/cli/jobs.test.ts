import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferryEach, docferryOnce, environmentOf } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { startWithMonitoring, type TestSandbox } from '../helpers/start-sandbox.js';

const MAPPING = minimalYaml();
const JOBS = `defaults:
  mapping: m.yaml
  state-dir: state
  max-outage: 0
  resume: true
jobs:
  booking:
    input: booking.csv
    monitoring: 1
    report: "booking-{run}.json"
  google:
    input: [google-*.csv]
    monitoring: 1
    rejects: "google-{run}.csv"
  apps:
    input: apps.jsonl
    monitoring: 2
    mapping: apps.yaml
    max-errors: 50%
`;

/** Makes a folder with a job file, and what its jobs read. */
function place(jobs: string): string {
  const cwd = newFolder();
  put(cwd, 'docferry.yaml', jobs);
  put(cwd, 'm.yaml', MAPPING);
  put(cwd, 'apps.yaml', MAPPING.replace('{text}', '{review.body}'));
  put(cwd, 'booking.csv', reviews('b', 1, 3));
  put(cwd, 'google-1.csv', reviews('g', 1, 2));
  put(cwd, 'apps.jsonl', '{"id": "a1", "review": {"body": "Crashes"}}\n');
  return cwd;
}

let cwd: string;
beforeEach(() => {
  cwd = place(JOBS);
});

function reviews(site: string, from: number, to: number): string {
  const ids = Array.from({ length: to - from + 1 }, (_, at) => `${site}${from + at}`);
  return `id,text\n${ids.map((id) => `${id},Review ${id}\n`).join('')}`;
}

async function startService(): Promise<TestSandbox> {
  const sandbox = await startWithMonitoring();
  await sandbox.ensureMonitoring(2);
  return sandbox;
}

describe('docferry import --job', () => {
  it('runs a job with its options, which flags and inputs on the command line override', async () => {
    const env = environmentOf(await startService());
    const job = ['import', '--job', 'booking'];
    const lines = [job, [...job, 'google-1.csv', '--monitoring', '2', '--no-skip-known']];
    const [own, others] = await docferryEach(lines, { cwd, env });
    expect(own).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Finished: all 3 reviews imported'),
    });
    expect(own?.stdout).toContain('booking.csv');
    expect(others?.stdout).toContain(
      'Finished: all 2 reviews imported into monitoring 2 of the sandbox',
    );
  });

  it('refuses a mistake in the file before anything is read, with its place', async () => {
    const mistakes: readonly (readonly [line: string, message: RegExp])[] = [
      [
        'moniotring: 2',
        /^docferry: docferry\.yaml:19:5: jobs\.apps\.moniotring is an unknown key; did you mean "monitoring"\?\n$/,
      ],
      ['concurrency: 0', /concurrency is 0/],
      ['rate: 5\n    encoding: [utf-8]', /docferry\.yaml:20:15: jobs\.apps\.encoding is a list/],
      ['max-errors: 0.05', /max-errors is "0\.05"/],
      ['base-url: https://x', /DOCFERRY_BASE_URL/],
    ];
    const all = await docferryEach(
      mistakes.map(() => ['import', '--sandbox', '--job', 'apps']),
      { cwd: mistakes.map(([line]) => place(JOBS.replace('max-errors: 50%', line))) },
    );
    for (const [at, [line, message]] of mistakes.entries()) {
      expect(all[at], line).toMatchObject({
        ...{ code: 2, stdout: '', stderr: expect.stringMatching(message) },
      });
    }
  });

  it('refuses a job that is not there, and a folder without any', async () => {
    const refused: readonly (readonly [string[], RegExp])[] = [
      [['--job', 'bookings'], /docferry\.yaml has no job "bookings"; did you mean "booking"\?/],
      [['--job', 'booking', '--job', 'apps'], /--job is given more than once: give it once/],
      [['r.csv', '--job'], /The option "job" needs a value/],
      [['--job', 'booking'], /There is no job file docferry\.yaml in this folder/],
    ];
    const lines = refused.map(([args]) => ['import', ...args]);
    const folders = refused.map(() => cwd).with(-1, newFolder());
    for (const [at, ended] of (await docferryEach(lines, { cwd: folders })).entries()) {
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(refused[at]![1]) });
    }
  });
});

it('docferry validate --job checks the same input without a service', async () => {
  const { code, stdout } = await docferryOnce(['validate', '--job', 'booking', '--json'], { cwd });
  expect({ code, valid: JSON.parse(stdout).counts.unsent }).toEqual({ code: 0, valid: 3 });
});

describe('docferry jobs', () => {
  it('list shows the jobs, also as JSON with their defaults', async () => {
    const lines = [
      ['jobs', 'list'],
      ['jobs', 'list', '--json'],
    ];
    const [text, json] = await docferryEach(lines, { cwd });
    expect(text?.stdout).toMatch(
      /^job +monitoring +mapping +input\nbooking +1 +m\.yaml +booking\.csv\n/,
    );
    expect(JSON.parse(json?.stdout ?? '')[2]).toMatchObject({
      name: 'apps',
      options: { mapping: 'apps.yaml', 'state-dir': 'state', 'max-errors': '50%' },
    });
  });

  it('check lists mistakes in mappings, and inputs that are not there yet', async () => {
    put(cwd, 'apps.yaml', MAPPING.replace('text:', 'txet:'));
    rmSync(path.join(cwd, 'google-1.csv'));
    const { code, stdout } = await docferryOnce(['jobs', 'check'], { cwd });
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: expect.stringMatching(
        /^✓ booking\n✓ google \(no input now: .*google-\*\.csv.*\)\n✗ apps\n {4}apps\.yaml:4:3: .*txet/,
      ),
    });
  });
});

longTest("a job's first night makes the folders for its outputs", async () => {
  const outputs = `    rejects: "results/{run}/bad.csv"
    report: results/report.json
    html: results/pages/report.html
    events: log/events.ndjson
    metrics: prom/night.prom
`;
  const job = `    input: booking.csv\n    mapping: m.yaml\n    monitoring: 1\n`;
  put(cwd, 'docferry.yaml', `jobs:\n  night:\n${job}${outputs}`);
  put(cwd, 'booking.csv', `${reviews('b', 1, 2)}b3,\n`);
  const env = environmentOf(await startService());
  const lines = [
    ['jobs', 'check'],
    ['import', '--job', 'night'],
  ];
  const [fine, ended] = await docferryEach(lines, { cwd, env });
  expect(fine).toMatchObject({ code: 0 });
  expect(ended, ended?.stderr).toMatchObject({ code: 1 });
  const made = ['results/report.json', 'results/pages/report.html', 'log/events.ndjson'];
  for (const file of [...made, 'prom/night.prom'])
    expect(existsSync(path.join(cwd, file))).toBe(true);
  expect(statSync(path.join(cwd, 'results')).mode & 0o777).toBe(0o700);
});
