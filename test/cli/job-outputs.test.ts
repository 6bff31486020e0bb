import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { docferryOnce, type Ended, environmentOf, startDocferry } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', 'profile: minimal\ndocument:\n  sourceId: "{id}"\n  text: "{text}"\n');
  put(cwd, 'good.csv', 'id,text\n1,Good\n');
  put(cwd, 'bad.csv', 'id,text\n1,Good\n2,\n');
});

const run = (...args: string[]): Promise<Ended> => docferryOnce(args, { cwd });
const read = (name: string): string => readFileSync(path.join(cwd, name), 'utf8');
const validate = (input: string, ...flags: string[]): Promise<Ended> =>
  run('validate', input, '-m', 'm.yaml', ...flags);

/** The value of a metric, without regard to its labels. */
function metricIn(file: string, name: string): number {
  const value = new RegExp(`^${name}\\{[^}]*\\} (.*)$`, 'm').exec(read(file))?.[1];
  return Number(value ?? 'missing');
}

describe('--metrics', () => {
  longTest('replaces what the last run of a job wrote, for anybody to read', async () => {
    put(cwd, 'nightly.prom', '');
    expect((await validate('good.csv', '--metrics', 'nightly.prom')).code).toBe(0);
    const success = metricIn('nightly.prom', 'docferry_last_success_timestamp_seconds');
    expect(success).toBe(metricIn('nightly.prom', 'docferry_run_end_timestamp_seconds'));
    const { code, stdout } = await validate('bad.csv', '--metrics', 'nightly.prom');
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^[✓!] Finished: 1 of 2 reviews valid/),
    });
    expect(metricIn('nightly.prom', 'docferry_run_exit_code')).toBe(1);
    expect(metricIn('nightly.prom', 'docferry_last_success_timestamp_seconds')).toBe(success);
    expect(read('nightly.prom')).toContain('{task="nightly",command="validate",');
    expect(statSync(path.join(cwd, 'nightly.prom')).mode & 0o777).toBe(0o644);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  eachSample()([
    ['an input', 'input.prom', /input\.prom is the input .*input\.prom: name another file/],
    ['the report', 'report.prom', /another output would be the same file, report\.prom/],
  ])('refuses %s before the run begins', async (_, file, message) => {
    put(cwd, 'input.prom', read('good.csv'));
    const files = readdirSync(cwd).map((name) => [name, read(name)]);
    const flags = ['--report', 'report.prom', '--metrics', file];
    const sending = ['--monitoring', '1', '--sandbox'];
    const { code, stdout, stderr } = await run(
      ...['import', 'in*.prom', 'good.csv', '-m', 'm.yaml', ...sending, ...flags],
    );
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(readdirSync(cwd).map((name) => [name, read(name)])).toEqual(files);
  });

  longTest('is in the command that resumes the run', async () => {
    const rules = [{ on: 'import' as const, requests: [2], status: 401 }];
    const sandbox = await startWithMonitoring({ faults: { rules } });
    const env = environmentOf(sandbox);
    put(cwd, 'two.csv', 'id,text\n1,Good\n2,Better\n');
    const sending = ['--monitoring', '1', '--batch-size', '1', '--concurrency', '1', '--json'];
    const args = ['import', 'two.csv', '-m', 'm.yaml', ...sending, '--metrics', 'jobs.prom'];
    const begun = await docferryOnce(args, { cwd, env });
    expect(begun.code).toBe(3);
    expect(metricIn('jobs.prom', 'docferry_run_resumable')).toBe(1);
    const [, resume = ''] = /: docferry (runs resume .*)/.exec(begun.stderr) ?? [];
    expect(resume).toContain('--metrics jobs.prom');
    expect((await docferryOnce(resume.split(' '), { cwd, env })).code).toBe(0);
    expect(metricIn('jobs.prom', 'docferry_run_exit_code')).toBe(0);
  });

  longTest('that can not be written at the end costs exit code 4, and not the report', async () => {
    execFileSync('mkfifo', [path.join(cwd, 'pipe.csv')]);
    const args = ['validate', 'pipe.csv', '-m', 'm.yaml', '--metrics', 'late.prom'];
    const { ended } = startDocferry(args, { cwd });
    // It is opened by the run, which begins once the file was found good.
    const pipe = await open(path.join(cwd, 'pipe.csv'), 'w');
    mkdirSync(path.join(cwd, 'late.prom'));
    await pipe.writeFile(read('good.csv'));
    await pipe.close();
    expect(await ended).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/^[✓!] Finished: 1 review valid/),
      stderr: expect.stringMatching(/late\.prom can't be written: /),
    });
  });
});
