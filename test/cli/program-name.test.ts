import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { withProgramName } from '../../src/report/program-name.js';
import { newFolder } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { follow } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

describe('what to type to call docferry', () => {
  it('is rendered in the commands of a message, and nowhere else', () => {
    vi.stubEnv('npm_command', 'exec');
    expect(withProgramName('"docferry import x" is no date; run `docferry import x`')).toBe(
      '"docferry import x" is no date; run `npx docferry import x`',
    );
    vi.unstubAllEnvs();
  });

  longTest('is npx docferry where npx calls it', async () => {
    const cwd = newFolder();
    const { HOME, PATH } = process.env;
    mkdirSync(path.join(cwd, 'node_modules/.bin'), { recursive: true });
    symlinkSync(ROOT, path.join(cwd, 'node_modules/docferry'));
    symlinkSync('../docferry/dist/cli/main.js', path.join(cwd, 'node_modules/.bin/docferry'));
    const child = spawn('npx', ['docferry', 'improt'], { cwd, env: { HOME, PATH } });
    const { code, stderr } = await follow(child).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('more: npx docferry --help');
  });
});
