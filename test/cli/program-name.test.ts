import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { programName, programNameIn, withProgramName } from '../../src/report/program-name.js';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { docferry, follow, MAIN, PROGRAM } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

/** An environment whose PATH lacks the program. */
function environment(): NodeJS.ProcessEnv {
  const { HOME, PATH = '' } = process.env;
  const folders = PATH.split(path.delimiter).filter((one) => one !== path.dirname(PROGRAM));
  return { HOME, PATH: folders.join(path.delimiter) };
}

describe('what to type to call docferry', () => {
  /** Puts a program on a PATH. */
  const onPath = (folder: string, file = 'docferry', mode = 0o755): string => {
    const bin = path.join(newFolder(), 'a b', folder);
    mkdirSync(path.dirname(path.join(bin, file)), { recursive: true });
    chmodSync(put(bin, file, '#!/bin/sh\nexec node elsewhere/main.js "$@"\n'), mode);
    return ['/bin', bin].join(path.delimiter);
  };

  const BIN = path.join('node_modules', '.bin');

  it.each<[string, string, Parameters<typeof onPath>, string?]>([
    ['docferry', 'a script on the PATH that starts it', ['bin']],
    ['docferry', 'a script on the PATH of Windows', ['bin', 'docferry.cmd']],
    ['docferry', 'a script on the PATH, called by npm', ['bin'], 'exec'],
    ['docferry', 'on the PATH of the shell, though in a project', [BIN]],
    ['npx docferry', 'called by npm, which adds it to the PATH', [BIN], 'exec'],
    ['npx docferry', 'not on the PATH', ['bin', 'other']],
    ['npx docferry', 'in a folder of its name on the PATH', ['bin', 'docferry/other']],
    ['npx docferry', 'a file on the PATH that starts nothing', ['bin', 'docferry', 0o644]],
  ])('is %s when it is %s', (name, _, where, npm_command) => {
    const PATH = onPath(...where);
    expect(programNameIn({ PATH, ...(npm_command && { npm_command }) })).toBe(name);
  });

  it('is looked up once', () => {
    vi.stubEnv('PATH', onPath('bin'));
    expect(programName()).toBe('docferry');
    vi.stubEnv('PATH', '/bin');
    expect(programName()).toBe('docferry');
    vi.unstubAllEnvs();
  });

  it('replaces no words of quoted values', () => {
    const name = programName();
    expect(withProgramName('"a \\" docferry import x" is no date; run `docferry import x`')).toBe(
      `"a \\" docferry import x" is no date; run \`${name} import x\``,
    );
  });

  longTest('is what hints and help say, and works', async () => {
    const cwd = newFolder();
    const guess = [
      'guess',
      path.join(ROOT, 'samples/hotel-reviews.csv'),
      '--no-ready',
      '-o',
      path.join(cwd, 'm.yaml'),
    ];
    const next = /^Next: (.+)$/m;
    const env = environment();
    const started = spawn(process.execPath, [MAIN, ...guess], { cwd, env });
    const [, line = ''] = next.exec((await follow(started).ended).stderr) ?? [];
    expect(line).toMatch(/^npx docferry validate/);
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: ROOT, env });
    expect(stdout).toContain('Finished: 23 of 24 reviews valid');
    const found = await docferry([...guess, '--overwrite'], { cwd });
    expect(found.stderr).toMatch(/^Next: docferry validate/m);
  });

  longTest('is npx docferry where npx calls it', async () => {
    const cwd = newFolder();
    mkdirSync(path.join(cwd, 'node_modules/.bin'), { recursive: true });
    symlinkSync(ROOT, path.join(cwd, 'node_modules/docferry'));
    symlinkSync('../docferry/dist/cli/main.js', path.join(cwd, 'node_modules/.bin/docferry'));
    const child = spawn('npx', ['docferry', 'improt'], { cwd, env: environment() });
    const { code, stderr } = await follow(child).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('more: npx docferry --help');
  });
});
