import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { COMMONJS, COMPILER_OPTIONS, IMPORTED_ONE, TYPED } from './helpers/consumer-programs.js';
import { put } from './helpers/files.js';
import { installPackage, omitOptional } from './helpers/installed-package.js';
import { ROOT } from './helpers/markdown.js';
import { ALL_CASES, longTest } from './helpers/runs.js';

const run = promisify(execFile);

describe('a CommonJS program', () => {
  /** A folder in which the package is installed. */
  let here: string;
  beforeAll(() => {
    if (!ALL_CASES) return;
    here = mkdtempSync(path.join(tmpdir(), 'docferry-require-'));
    installPackage(here);
    put(here, 'program.cjs', COMMONJS);
  });
  afterAll(() => {
    if (here !== undefined) rmSync(here, { recursive: true, force: true });
  });

  longTest('takes all doors of the npm package by require', async () => {
    const { stdout, stderr } = await run(process.execPath, ['--no-warnings', 'program.cjs'], {
      cwd: here,
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(IMPORTED_ONE);
  });

  longTest(
    'and an ES module compile against the package, declarations included',
    async () => {
      // attw, which .ci/run calls, looks at the other kinds of resolution.
      const files = ['esm.mts', 'cjs.cts'];
      for (const name of files) put(here, name, TYPED);
      const typeRoots = [path.join(ROOT, 'node_modules/@types')];
      const compilerOptions = { ...COMPILER_OPTIONS, typeRoots };
      put(here, 'tsconfig.json', JSON.stringify({ compilerOptions, files }));
      const compiled = run(process.execPath, [COMPILER, '-p', here]);
      expect((await compiled.catch((error) => error)).stdout).toBe('');
    },
    180_000,
  );

  // The last: it takes the binary away.
  longTest('without SQLite’s binary has the client, and is told how to get the rest', async () => {
    omitOptional(here);
    const client = `console.log(typeof require('docferry/api').createClient)`;
    expect((await run(process.execPath, ['-e', client], { cwd: here })).stdout).toBe('function\n');
    const failed = await run(process.execPath, ['program.cjs'], { cwd: here }).catch(
      (error) => error,
    );
    const platform = `${process.platform}-${process.arch}`;
    expect(failed.stderr).toContain(`OptionError: SQLite isn't installed for ${platform}`);
    expect(failed.stderr).toContain('without --omit=optional');
    // A binary that this system can't load.
    for (const target of readdirSync(path.join(ROOT, 'node_modules/@libsql'))) {
      const binary = `node_modules/docferry/node_modules/@libsql/${target}`;
      mkdirSync(path.join(here, binary), { recursive: true });
      put(here, `${binary}/index.node`, 'not a library');
      put(here, `${binary}/package.json`, '{"main":"index.node"}');
    }
    const unloadable = await run(process.execPath, ['program.cjs'], { cwd: here }).catch(
      (error) => error,
    );
    expect(unloadable.stderr).toContain(`SQLite's binary for ${platform} can't be loaded (`);
    put(here, 'm.yaml', 'profile: minimal\ndocument: { sourceId: "{id}", text: "{text}" }\n');
    put(here, 'r.csv', 'id,text\n1,Good\n');
    const main = path.join(here, 'node_modules/.bin/docferry');
    const validated = await run(process.execPath, [main, 'validate', 'r.csv', '-m', 'm.yaml'], {
      cwd: here,
    });
    expect(validated.stdout).toContain('Finished: 1 review valid');
  });
});

const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');
