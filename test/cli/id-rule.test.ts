import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { docferry, type Ended, environmentOf } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const BY_COLUMN = '"{id}"';
const BY_HASH = '{ hash: ["{id}", "{text}"] }';

let cwd = '';
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'reviews.csv', 'id,text\n1,Good\n2,Fine\n3,Bad\n');
  write(BY_COLUMN);
});

function write(sourceId: string): void {
  const rules = `sourceId: ${sourceId}\n  text: "{text}"\n`;
  put(cwd, 'm.yaml', `profile: minimal\ndocument:\n  ${rules}`);
}

function importing(...flags: readonly string[]): Promise<Ended> {
  const args = ['import', 'reviews.csv', '-m', 'm.yaml', '--monitoring', '1', '--sandbox'];
  return docferry([...args, ...flags], { cwd });
}

describe('a file that was imported before, with another rule for its ids', () => {
  it('is refused with the run, its rule and what to do', async () => {
    await importing();
    write(BY_HASH);
    const refused = await importing();
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /reviews\.csv was imported into monitoring 1 before, with another rule for sourceId.*Nothing was sent\.\nRun [\w-]+ of \d+ \w+ \d{4} \(3 documents\): sourceId: "\{id\}"\nm\.yaml:3:13: sourceId: \{ hash: .*\n.*--no-skip-known/,
    );
    write(BY_COLUMN);
    expect((await importing()).stdout).toMatch(/duplicate +3/);
  });

  it('is refused under another name, too', async () => {
    await importing();
    write(BY_HASH);
    renameSync(path.join(cwd, 'reviews.csv'), path.join(cwd, 'export.csv'));
    const args = ['import', 'export.csv', '-m', 'm.yaml', '--monitoring', '1', '--sandbox'];
    expect(await docferry(args, { cwd })).toMatchObject({ code: 2 });
  });

  it('is imported again on demand, and then recognised with either rule', async () => {
    await importing();
    write(BY_HASH);
    expect((await importing('--no-skip-known')).stdout).toMatch(/accepted +3/);
    expect((await importing()).stdout).toMatch(/duplicate +3/);
    write(BY_COLUMN);
    expect((await importing()).stdout).toMatch(/duplicate +3/);
  });

  it('is imported if nothing of it was accepted', async () => {
    put(cwd, 'reviews.csv', 'id,text\n1,\n');
    await importing();
    write(BY_HASH);
    expect(await importing()).toMatchObject({ code: 1 });
  });
});

it('an unfinished run and a new one name the same way out of another rule, which leads on', async () => {
  put(cwd, 'reviews.csv', 'id,text\n1,Good\n2,Fine\n3,Bad\n');
  const rules = [{ on: 'import', requests: [2], reset: 'after' }] as const;
  const sandbox = await startWithMonitoring({ faults: { rules: [...rules] } });
  const env = environmentOf(sandbox);
  const args = ['import', 'reviews.csv', '-m', 'm.yaml', '--monitoring', '1', '--batch-size', '1'];
  const run = (...more: readonly string[]): Promise<Ended> =>
    docferry([...args, '--settle-time', '0.5', '--timeout', '0.5', ...more], { cwd, env });
  expect(await run('--on-unknown', 'hold')).toMatchObject({ code: 5 });
  write(BY_HASH);
  const [resumed, begun] = [await run('--resume'), await run()];
  expect(resumed.code).toBe(2);
  expect(resumed.stderr).toMatch(/Put its rule back \(sourceId: "\{id\}"\) and resume/);
  expect(resumed.stderr).not.toContain('Start a new run');
  expect(begun.code).toBe(2);
  expect(begun.stderr).toContain('Put the earlier rule back');
  write(BY_COLUMN);
  const { code, stdout } = await run('--resume');
  expect(code).toBe(0);
  expect(stdout).toMatch(/accepted +3/);
});

describe('a new export under the same name', () => {
  it('may have another rule', async () => {
    await importing();
    writeFileSync(path.join(cwd, 'reviews.csv'), 'id,text\n4,Good again\n5,Fine too\n');
    write(BY_HASH);
    expect((await importing()).stdout).toMatch(/accepted +2/);
  });
});

describe.skipIf(!HAS.postgres)('on a shared state', () => {
  longTest('another rule is refused, until the run is pruned', async () => {
    const sandbox = await startWithMonitoring();
    const env = { ...environmentOf(sandbox), DOCFERRY_STATE: await newDatabase() };
    const run = (...args: readonly string[]): Promise<Ended> => docferry(args, { cwd, env });
    const again = ['import', 'reviews.csv', '-m', 'm.yaml', '--monitoring', '1'];
    expect(await run(...again)).toMatchObject({ code: 0 });
    write(BY_HASH);
    const refused = await run(...again);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/another rule for sourceId[\s\S]*runs prune --older-than 0/);
    expect(await run('runs', 'prune', '--older-than', '0')).toMatchObject({ code: 0 });
    for (const outcome of [/accepted +3/, /duplicate +3/]) {
      expect((await run(...again)).stdout).toMatch(outcome);
    }
  });
});
