import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { makeWorkspace, type Workspace } from '../docs/workspace.js';
import { ALL_COMMANDS, examplesOf } from '../helpers/commands.js';
import { docferryEach, environmentOf, startDocferry } from '../helpers/run-cli.js';
import { ALL_CASES, longTest } from '../helpers/runs.js';

const LINES = [...new Set(ALL_COMMANDS.flatMap(({ examples }) => examples))];

let sandbox: Sandbox;
let workspace: Workspace;
let env: NodeJS.ProcessEnv;
/** The id of a run, for the examples that name one. */
let runId: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.ensureMonitoring(1);
  await sandbox.capture(1, [
    {
      source: 'TPD',
      sourceId: 'complaint',
      text: 'The lift was broken.',
      published: '2024-06-04T18:00:00Z',
      downloaded: '2024-06-05T00:00:00Z',
      author: { sourceId: 'guest' },
    },
  ]);
  workspace = makeWorkspace();
  writeFileSync(path.join(workspace.folder, 'key.txt'), sandbox.apiKey);
  env = {
    ...workspace.env,
    ...environmentOf(sandbox),
  };
  if (!ALL_CASES) return;
  const imported = await type(
    'import samples/hotel-reviews.csv -m mappings/hotel-reviews.yaml --monitoring 1 --json',
  );
  runId = JSON.parse(imported.stdout).run;
});
afterAll(async () => {
  workspace.remove();
  await sandbox.close();
});

/** Types a line into a shell; gives how it ended. */
async function type(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd: workspace.folder, env };
  return await promisify(execFile)('bash', ['-euc', `docferry ${line}`], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map(({ length }) => length));
}

describe('--help', () => {
  it('of each command says what it is for, what it requires first, rare options last, with examples', async () => {
    const names = ALL_COMMANDS.map(({ words }) => words);
    const lines = names.map((words) => [...words, '--help']);
    const helps = await docferryEach(lines, { cwd: workspace.folder });
    const order = ['Commands', 'Required', 'Common', 'Service', 'Output', 'Sending', 'Mapping'];
    const last = ['Reading', 'More', 'Options', 'Examples', 'Documentation'];
    for (const [at, help] of helps.entries()) {
      const words = names[at]?.join(' ') ?? '';
      const groups = [...help.stdout.matchAll(/^([A-Z]\w+)[^:\n]*:$/gm)].map(([, name]) => name);
      expect(groups).toEqual([...order, ...last].filter((name) => groups.includes(name)));
      // Whatever a command has, its first options aren't the rare ones.
      if (groups.includes('More')) expect(groups).toContain('Common');
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`^docferry ${words}\\b.*\n\n\\S`));
      const [, examples = ''] = help.stdout.split('\nExamples:\n');
      for (const example of examplesOf(words)) {
        expect(examples.replaceAll(' \\\n', '').replaceAll(/\s+/g, ' ')).toContain(
          `docferry ${example}`,
        );
      }
      const [, page = ''] = /\n\nDocumentation:\n(.+\.md)\n$/.exec(help.stdout) ?? [];
      expect(readFileSync(page, 'utf8')).toMatch(/^# docferry/);
      expect(widest(help.stdout.replace(page, ''))).toBeLessThanOrEqual(100);
    }
  });
});

/** Needs a database. */
function isOfShards(line: string): boolean {
  return / --(shard|state) /.test(line);
}

/** Whether only a shell can make words of a line. */
function isForShell(line: string): boolean {
  return /[<>|&$"']/.test(line);
}

describe('examples', () => {
  longTest('work as they are', async () => {
    const lines = LINES.filter((line) => !/^(sandbox|studio)/.test(line) && !isOfShards(line));
    const ready = lines.map((line) => line.replace('RUN', runId));
    // One of these writes the report that another example shows.
    for (const line of ready.filter(isForShell)) {
      const { code, stderr } = await type(line);
      expect(code, line + stderr).toBe(0);
    }
    const plain = ready.filter((line) => !isForShell(line));
    const words = plain.map((line) => line.split(' '));
    const all = await docferryEach(words, { cwd: workspace.folder, env });
    for (const [at, { code, stderr }] of all.entries()) expect(code, plain[at] + stderr).toBe(0);
  });

  const servers = [...examplesOf('sandbox'), ...examplesOf('studio')];
  longTest.each(servers)('docferry %s runs until it is stopped', async (line) => {
    const quiet = line.startsWith('studio') && !line.includes('--no-open') ? ['--no-open'] : [];
    const { child, ended } = startDocferry([...line.split(' '), ...quiet], {
      cwd: workspace.folder,
    });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
    if (line.startsWith('studio')) expect(stderr).toMatch(/for reviews\.csv and .+\. Ctrl-C stops/);
  });
});
