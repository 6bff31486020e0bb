import { execFile, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programName } from '../../src/cli/print.js';
import { newFolder } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { docferry, follow, MAIN } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

describe('what to type to call docferry', () => {
  const BIN = 'node_modules/.bin';
  it.each<[string, string, string, string, string?]>([
    ['docferry', 'installed for all', '/usr/local/bin', '/usr/local/bin/docferry'],
    ['npx docferry', 'called by npx', `/p/${BIN}`, `/p/${BIN}/docferry`, 'exec'],
    ['npx docferry', 'called by its path', '/sbin', `/p/${BIN}/docferry`],
    [
      'npx docferry',
      'called on Windows',
      '/sbin',
      '/p/node_modules/docferry/dist/cli/main.js',
      'exec',
    ],
    ['node dist/cli/main.js', 'in a clone', '/sbin', '/p/dist/cli/main.js'],
    ["node '/a b/dist/cli/main.js'", 'in another clone', '/sbin', '/a b/dist/cli/main.js'],
  ])('is %s when it is %s', (name, _, folder, script, npm_command) => {
    const env = { PATH: `/bin:${folder}`, ...(npm_command && { npm_command }) };
    expect(programName(script, env, '/p')).toBe(name);
  });

  longTest('is what hints and help say, and works', async () => {
    const cwd = newFolder();
    const guess = [
      'guess',
      path.join(ROOT, 'samples/hotel-reviews.csv'),
      '--no-ready',
      '-o',
      'm.yaml',
    ];
    const next = /^Next: (.+)$/m;
    const started = spawn(process.execPath, [MAIN, ...guess], { cwd });
    const [, line = ''] = next.exec((await follow(started).ended).stderr) ?? [];
    expect(line).toMatch(/^node .*main\.js validate/);
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd });
    expect(stdout).toContain('Finished: 23 of 24 reviews valid');
    const installed = await docferry([...guess, '--force'], { cwd });
    expect(installed.stderr).toMatch(/^Next: docferry validate/m);
  });

  longTest('is npx docferry where npx calls it', async () => {
    const cwd = newFolder();
    mkdirSync(path.join(cwd, 'node_modules/.bin'), { recursive: true });
    symlinkSync(ROOT, path.join(cwd, 'node_modules/docferry'));
    symlinkSync('../docferry/dist/cli/main.js', path.join(cwd, 'node_modules/.bin/docferry'));
    const { HOME, PATH } = process.env;
    const child = spawn('npx', ['docferry', 'improt'], { cwd, env: { HOME, PATH } });
    const { code, stderr } = await follow(child).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('more: npx docferry --help');
  });
});
