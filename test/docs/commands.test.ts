import { execFile, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { ROOT, snippets } from '../helpers/markdown.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { environmentOf } from '../helpers/run-cli.js';
import { sample } from '../helpers/runs.js';
import { makeWorkspace, type Workspace } from './workspace.js';

const run = promisify(execFile);
const commands = snippets().filter(({ language }) => language === 'sh');
/** These set the project itself up; `.ci/run` runs them, in a fresh clone. */
const setUp = commands.filter(({ code }) => code.startsWith('npm ci'));
/** These install the package into an empty folder: `test/package-try-it.test.ts`. */
const inEmptyFolder = commands.filter(({ code }) => code.startsWith('npm install docferry'));
/** These run until they are stopped. */
const servers = commands.filter(({ code }) => /^(npx )?docferry (sandbox|studio)/.test(code));
const elsewhere = [...setUp, ...inEmptyFolder, ...servers];
const others = sample(commands.filter((snippet) => !elsewhere.includes(snippet)));

let sandbox: Sandbox;
let workspace: Workspace;
let page = '';
const REMOVE = { recursive: true, force: true };

beforeAll(async () => {
  sandbox = await startSandbox({ username: 'ana@example.com' });
  await sandbox.ensureMonitoring(1);
  workspace = makeWorkspace();
  writeFileSync(path.join(workspace.folder, 'key.txt'), sandbox.apiKey);
});
afterAll(async () => {
  workspace.remove();
  await sandbox.close();
});

/** Commands of this page are given a state that processes share. */
function needsState(at: string): boolean {
  return at.startsWith('docs/cluster.md');
}

async function environmentAt(at: string): Promise<NodeJS.ProcessEnv> {
  const state = needsState(at) ? { DOCFERRY_STATE: await newDatabase() } : {};
  // Its commands write into the home of whoever runs them.
  const home = at.startsWith('docs/completion.md') ? { HOME: workspace.folder } : {};
  return { ...workspace.env, ...environmentOf(sandbox), ...state, ...home };
}

describe('commands in README and docs', () => {
  it.for(others)('$at ends as the page says', async ({ at, code }, { skip }) => {
    if (!HAS.curl && code.includes('curl ')) skip('curl is not installed');
    if (!HAS.postgres && needsState(at)) skip('there is no Postgres');
    const status = Number(/# exits with (\d+)/.exec(code)?.[1] ?? 0);
    const script = code
      .replaceAll('https://api.example.com/5.0', sandbox.baseUrl)
      // npx takes its time, and finds the same program.
      .replaceAll('npx docferry', 'docferry');
    const env = await environmentAt(at);
    // A page may have another mapping, with other ids, for the file that the one before imported.
    const [file = ''] = at.split(':');
    if (page !== file) rmSync(path.join(workspace.folder, '.docferry'), REMOVE);
    page = file;
    // The commands of other pages need the mapping that this one makes.
    const [, made] = /guess .* -o (\S+)/.exec(code) ?? [];
    if (made !== undefined) rmSync(path.join(workspace.folder, made), { force: true });
    const result = await run('bash', ['-euc', script], { cwd: workspace.folder, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(status);
  });

  it.for(sample(servers))('$at starts, and ends when told to', async ({ at, code }, { skip }) => {
    if (!HAS.postgres && needsState(at)) skip('there is no Postgres');
    const [command = '', ...args] = code.trim().replace(/^npx /, '').split(/\s+/);
    if (args[0] === 'studio') args.push('--no-open');
    const env = await environmentAt(at);
    const child = spawn(command, args, { cwd: workspace.folder, env });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await new Promise((resolve) => {
      for (const output of [child.stdout, child.stderr]) output.once('data', resolve);
    });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it.each(setUp)('$at is run by CI', ({ code }) => {
    const ci = readFileSync(path.join(ROOT, '.ci/run'), 'utf8');
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    for (const command of code.trim().split(/ && |\n/)) {
      const parts = command === 'npm run check' ? scripts.check.split(' && ') : [command];
      // Who runs all cases runs those of `npm test`, and the packages' installation builds.
      const inside = ['npm run build', 'npm test'];
      for (const part of parts) if (!inside.includes(part)) expect(ci).toContain(part);
    }
  });
});
