import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING } from '../helpers/reviews.js';
import { type Ended, follow, MAIN } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { lines, reviews } from '../reliability/job.js';

const NOT_OURS = /bug in docferry|^ +at /m;

/** Runs the command in a shell that first does something to the process. */
function within(shell: string, cwd: string, args: readonly string[], env = {}): Promise<Ended> {
  const script = `${shell} && exec "$0" "$@"`;
  const { PATH, HOME } = process.env;
  const words = ['-c', script, process.execPath, MAIN, ...args];
  return follow(spawn('sh', words, { cwd, env: { PATH, HOME, ...env } })).ended;
}

function place(): string {
  const made = newFolder();
  put(made, 'reviews.jsonl', lines(reviews(10)));
  put(made, 'mapping.json', JSON.stringify(MAPPING));
  return made;
}

const VALIDATE = ['validate', 'reviews.jsonl', '--mapping', 'mapping.json', '--quiet'];

describe('a process that the system gives little', () => {
  eachSample()([20, 22, 24, 28])('is told so when it may open only %i files', async (files) => {
    const limit = `ulimit -n ${files}`;
    const ended = await within(limit, place(), VALIDATE);
    // With fewer still, which differ by version, Node can't load any program.
    const { stderr } = await within(limit, place(), ['--version']);
    if (stderr.includes('node:internal')) return;
    expect(ended.stderr).not.toMatch(NOT_OURS);
    if (ended.code === 0) return;
    expect(ended.code, ended.stderr).toBe(4);
    expect(ended.stderr).toMatch(/^docferry: .*(limit of open files|too many open files)/);
  });

  longTest('is told so when the folder that it was started in is gone', async () => {
    const made = place();
    const gone = path.join(made, 'gone');
    mkdirSync(gone);
    const [input, mapping] = ['reviews.jsonl', 'mapping.json'].map((name) => path.join(made, name));
    const args = ['validate', input as string, '--mapping', mapping as string];
    const ended = await within('rmdir "$PWD"', gone, args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^docferry: The working folder no longer exists/);
  });
});
