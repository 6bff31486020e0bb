import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackage } from './helpers/installed-package.js';
import { snippets } from './helpers/markdown.js';
import { follow } from './helpers/run-cli.js';
import { ALL_CASES, longTest } from './helpers/runs.js';

const INSTALL = 'npm install docferry\n';
const found = snippets().filter(
  ({ at, code }) => at.startsWith('README') && code.startsWith(INSTALL),
);

describe('the first commands of the README', () => {
  let empty: string;
  beforeAll(() => {
    if (!ALL_CASES) return;
    empty = mkdtempSync(path.join(tmpdir(), 'docferry-try-it-'));
    installPackage(empty);
  });
  afterAll(() => {
    if (empty !== undefined) rmSync(empty, { recursive: true, force: true });
  });

  it('are at most four', () => {
    expect(found).toHaveLength(1);
    expect(found[0]?.code.trim().split('\n').length).toBeLessThanOrEqual(4);
  });

  longTest('lead from an empty folder to an import into the sandbox', async () => {
    const rest = found[0]?.code.replace(INSTALL, '') ?? '';
    const env = { PATH: process.env['PATH'], HOME: empty };
    const { code, stdout } = await follow(spawn('bash', ['-euc', rest], { cwd: empty, env })).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/of \d+ reviews imported into monitoring 1 of the sandbox/);
  });
});
