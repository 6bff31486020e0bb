import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put } from '../../helpers/files.js';
import type { Ended, Started } from '../../helpers/run-cli.js';
import { eachSample, longTest } from '../../helpers/runs.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import {
  expectEachOnce,
  exportOf,
  namesIn,
  newRecipeFolder,
  putMany,
  type RecipeFolder,
  SLOW_AT_FIRST,
  start,
  stopInTheMiddle,
} from './recipe-folder.js';

/** Starts the script as a scheduler does, with an environment that has only what it needs. */
function begin({ folder, bin, keyFile, sandbox }: RecipeFolder, env = {}): Started {
  const { baseUrl, username } = sandbox;
  const needed = {
    PATH: `${bin}:/usr/bin:/bin`,
    DOCFERRY_BASE_URL: baseUrl,
    DOCFERRY_USERNAME: username,
    DOCFERRY_API_KEY_FILE: keyFile,
  };
  const command = [path.join(bin, 'import-exports'), folder, 'nightly'];
  return start(command, { cwd: '/', env: { ...needed, ...env } });
}

async function run(at: RecipeFolder, env = {}): Promise<Ended> {
  return await begin(at, env).ended;
}

describe('import-exports.sh', { timeout: 180_000 }, () => {
  it('has nothing to do where nothing is incoming', async () => {
    const ended = await run(await newRecipeFolder());
    expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  longTest(
    'imports each export, keeps report and rejects, and moves what is finished',
    async () => {
      const at = await newRecipeFolder();
      put(at.folder, 'incoming/a b.csv', exportOf(3));
      put(at.folder, 'incoming/c.csv', exportOf(5, { withInvalid: true }));
      const ended = await run(at);
      expect(ended.code, ended.stderr).toBe(1);
      expect(await shownDocuments(at.sandbox)).toHaveLength(5);
      expect(namesIn(at, 'incoming')).toEqual([]);
      expect(namesIn(at, 'imported')).toEqual([
        expect.stringMatching(/^\d{8}T\d{6}Z-a b\.csv$/),
        expect.stringMatching(/^\d{8}T\d{6}Z-c\.csv$/),
      ]);
      const results = namesIn(at, 'results').map((name) => name.replace(/^[\w-]+/, ''));
      expect(results.toSorted()).toEqual([
        '.rejects.csv',
        '.rejects.csv.why.jsonl',
        '.report.json',
        '.report.json',
      ]);
      expect((await run(at)).code).toBe(0);
    },
  );

  longTest(
    'sets aside what can not be imported, so that it is not tried again, and goes through the others',
    async () => {
      const at = await newRecipeFolder();
      put(at.folder, 'incoming/a.csv', 'no,such,columns\n1,2,3\n');
      put(at.folder, 'incoming/b.csv', exportOf(3));
      expect((await run(at)).code).toBe(2);
      expect(namesIn(at, 'incoming')).toEqual([]);
      expect(namesIn(at, 'refused')).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z-a\.csv$/)]);
      expect(await shownDocuments(at.sandbox)).toHaveLength(3);
      expect((await run(at)).code).toBe(0);
    },
  );

  eachSample(1)([
    [4, 2, 4],
    [2, 5, 2],
  ])('ends with the most urgent exit code: of %i and %i with %i', async (one, other, urgent) => {
    const at = await newRecipeFolder();
    // The program itself ends so only after half an hour, or with a service that is broken for long.
    const bin = path.join(at.folder, 'bin');
    mkdirSync(bin);
    const program = '#!/bin/sh\ncase $2 in check) ;; */a.csv) exit $A;; *) exit $B;; esac\n';
    put(bin, 'docferry', program);
    await start(['chmod', '755', path.join(bin, 'docferry')], { cwd: '/', env: process.env }).ended;
    for (const [A, B] of [
      [one, other],
      [other, one],
    ]) {
      for (const name of ['a.csv', 'b.csv']) put(at.folder, `incoming/${name}`, '');
      const env = { PATH: `${bin}:/usr/bin:/bin`, A: `${A}`, B: `${B}` };
      expect((await run(at, env)).code).toBe(urgent);
    }
  });

  longTest('stops at once where the service refuses the credentials', async () => {
    const at = await newRecipeFolder();
    for (const name of ['a.csv', 'b.csv']) put(at.folder, `incoming/${name}`, exportOf(3));
    const ended = await run(at, { DOCFERRY_USERNAME: 'somebody else' });
    expect(ended.code).toBe(3);
    expect(ended.stdout.match(/Check the user name and the API key/g)).toHaveLength(1);
    expect(namesIn(at, 'incoming')).toEqual(['a.csv', 'b.csv']);
  });

  longTest('passes a signal on, and resumes what it left', async () => {
    const at = await newRecipeFolder(SLOW_AT_FIRST);
    putMany(at.folder, 'incoming/a.csv');
    // As in a container, where only the first process is signalled.
    const stopped = await stopInTheMiddle(() => begin(at), at.sandbox);
    expect(stopped.code, stopped.stderr).toBe(130);
    expect(stopped.stdout).toMatch(/^✗ Interrupted\./);
    expect(namesIn(at, 'incoming')).toEqual(['a.csv']);
    expect((await run(at)).code).toBe(0);
    await expectEachOnce(at.sandbox);
    expect(namesIn(at, 'results')).toHaveLength(1);
  });
});
