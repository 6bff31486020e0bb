import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferry, type Ended, environmentOf } from '../helpers/run-cli.js';
import { longTest, sample } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const MAPPING = minimalYaml();
const HEADER = 'id,text\n';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'mapping.yaml', MAPPING);
  put(cwd, 'monday.csv', `${HEADER}1,Good\n2,\n`);
  put(cwd, 'tuesday.csv', `${HEADER}3,Better\n`);
});

const read = (name: string): string => readFileSync(path.join(cwd, name), 'utf8');
const INTO_SANDBOX = ['--mapping', 'mapping.yaml', '--monitoring', '1', '--sandbox'];
const importing = (input: string, ...flags: string[]): Promise<Ended> =>
  docferry(['import', input, ...INTO_SANDBOX, ...flags], { cwd });
const validating = (...flags: string[]): Promise<Ended> =>
  docferry(['validate', 'monday.csv', '--mapping', 'mapping.yaml', ...flags], { cwd });

/** The command says what is wrong in a sentence, ends with 2, and has neither begun nor sent anything. */
async function expectRefusal(ended: Promise<Ended>, message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await ended;
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
}

const runsKept = (): readonly string[] => {
  const folder = path.join(cwd, '.docferry/runs');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('--quiet prints nothing if all is well, otherwise the report', async () => {
  const quiet = { code: 0, stdout: '', stderr: '' };
  expect(await importing('tuesday.csv', '--quiet')).toEqual(quiet);
  expect(await importing('monday.csv', '--quiet')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^ +invalid +1 /m),
    stderr: '',
  });
  expect(JSON.parse((await importing('tuesday.csv', '-q', '--json')).stdout).exitCode).toBe(0);
});

describe('the files that a run writes', () => {
  test('may be in folders that are missing, also if there is nothing to reject', async () => {
    const ended = await importing('tuesday.csv', '--rejects', 'no/such/bad.csv');
    expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('bug') });
    expect((await importing('monday.csv', '--rejects', 'none/bad.csv')).code).toBe(1);
    expect(read('none/bad.csv')).toContain('2,');
  });

  longTest('are not those of yesterday, which a run leaves alone', async () => {
    expect((await importing('monday.csv', '--rejects', 'bad.csv')).code).toBe(1);
    const yesterday = read('bad.csv');
    for (const input of ['tuesday.csv', 'monday.csv']) {
      await expectRefusal(
        importing(input, '--rejects', 'bad.csv'),
        /The rejects file bad\.csv already exists: name another one, for example bad-\{run\}\.csv .*--overwrite/,
      );
    }
    expect(read('bad.csv')).toBe(yesterday);
    expect(runsKept()).toHaveLength(1);
    expect((await importing('tuesday.csv', '--rejects', 'bad.csv', '--overwrite')).code).toBe(0);
    expect(existsSync(path.join(cwd, 'bad.csv'))).toBe(false);
  });

  longTest('are none that it reads, not even with --overwrite', async () => {
    linkSync(path.join(cwd, 'monday.csv'), path.join(cwd, 'hard.csv'));
    symlinkSync('monday.csv', path.join(cwd, 'soft.csv'));
    const before = read('monday.csv');
    const outputs = sample([
      ['--rejects', 'monday.csv'],
      ['--report', 'hard.csv'],
      ['--rejects', 'soft.csv'],
      ['--report', 'mapping.yaml'],
    ]);
    for (const output of outputs) {
      await expectRefusal(importing('monday.csv', ...output, '--overwrite'), /input/);
    }
    expect([read('monday.csv'), read('mapping.yaml')]).toEqual([before, MAPPING]);
  });

  longTest('do not lie in the state folder', async () => {
    const inState = ['--rejects', 'state/runs/x', '--state-dir', 'state', '--overwrite'];
    await expectRefusal(importing('monday.csv', ...inState), /reserved for docferry/);
    const inUsual = ['--report', '.docferry/ledger.db', '--overwrite'];
    await expectRefusal(validating(...inUsual), /reserved for docferry/);
  });

  longTest('have the run in their names if asked to', async () => {
    const names = ['--rejects', 'bad-{run}.csv', '--report', '{run}.json', '--json'];
    const runs = [];
    for (const _ of [1, 2]) {
      const { code, stdout } = await importing('monday.csv', ...names);
      expect(code).toBe(1);
      runs.push(JSON.parse(stdout));
    }
    for (const { run, rejects } of runs) {
      expect(rejects).toMatchObject([{ file: `bad-${run}.csv`, records: 1 }]);
      expect(read(`bad-${run}.csv`)).toContain(`${run}:1:2`);
      expect(JSON.parse(read(`${run}.json`))).toMatchObject({ run, exitCode: 1 });
    }
  });

  longTest('may be devices, as far as a report goes', async () => {
    expect((await validating('--report', '/dev/null')).code).toBe(1);
    for (const name of ['-', '/dev/stdout']) {
      const { stdout } = await validating('--report', name);
      expect(JSON.parse(stdout)).toMatchObject({ command: 'validate' });
    }
    const fifo = path.join(cwd, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const read = readFile(fifo, 'utf8');
    expect((await validating('--report', 'fifo')).code).toBe(1);
    expect(JSON.parse(await read)).toMatchObject({ command: 'validate' });
    await expectRefusal(validating('--rejects', '/dev/null'), /not a regular file/);
  });
});

describe('a run that is resumed', () => {
  /** An import of which one document's request was refused for the credentials. */
  async function stopped(
    ...flags: string[]
  ): Promise<{ id: string; env: NodeJS.ProcessEnv; ended: Ended }> {
    const rules = [{ on: 'import' as const, requests: [2], status: 401 }];
    const sandbox = await startWithMonitoring({ faults: { rules } });
    const env = environmentOf(sandbox);
    put(cwd, 'week.csv', `${HEADER}1,Good\n2,\n3,Better\n4,Best\n`);
    const how = ['--monitoring', '1', '--batch-size', '1', '--concurrency', '1', '--json'];
    const args = ['import', 'week.csv', '--mapping', 'mapping.yaml', ...how, ...flags];
    const ended = await docferry(args, { cwd, env });
    return { id: JSON.parse(ended.stdout).run, env, ended };
  }

  longTest('continues its own files', async () => {
    const { id, env } = await stopped('--rejects', 'bad.csv', '--report', 'report.json');
    expect(JSON.parse(read('report.json'))).toMatchObject({ exitCode: 3 });
    const resumed = await docferry(['runs', 'resume', id], { cwd, env });
    expect(resumed.code, resumed.stderr).toBe(1);
    expect(JSON.parse(read('report.json'))).toMatchObject({ exitCode: 1, run: id });
    expect(read('bad.csv')).toContain('2,,invalid');
    expect((await docferry(['runs', 'retry', id], { cwd, env })).code).toBe(1);
    // Also once more, when nothing is left to do.
    const again = ['runs', 'resume', id, '--report', 'report.json'];
    expect((await docferry(again, { cwd, env })).code).toBe(1);
    await expectRefusal(
      docferry(['runs', 'resume', id, '--report', 'week.csv'], { cwd, env }),
      /week\.csv/,
    );
    expect(read('week.csv')).toContain('1,Good');
  });

  it('leaves its rejects alone once they are corrected', async () => {
    const { id, env } = await stopped('--rejects', 'bad.csv');
    const corrected = read('bad.csv').replace('2,,', '2,Fine,');
    put(cwd, 'bad.csv', corrected);
    const resume = (...flags: string[]) => docferry(['runs', 'resume', id, ...flags], { cwd, env });
    await expectRefusal(resume(), /bad\.csv already exists/);
    expect(read('bad.csv')).toBe(corrected);
    expect((await resume('--rejects', 'new.csv')).code).toBe(1);
    expect(read('bad.csv')).toBe(corrected);
  });

  it('writes the rejects that could not be written', async () => {
    const rules = [{ on: 'import' as const, latency: { fixed: 1_500 } }];
    const sandbox = await startWithMonitoring({ faults: { rules } });
    const env = environmentOf(sandbox);
    const flags = ['--mapping', 'mapping.yaml', '--monitoring', '1', '--rejects', 'bad.csv'];
    const importing = docferry(['import', 'monday.csv', ...flags, '--json'], { cwd, env });
    await expect
      .poll(() => readdirSync(cwd).some((name) => /^bad\.csv\..*part$/.test(name)), {
        timeout: 30_000,
        interval: 20,
      })
      .toBe(true);
    mkdirSync(path.join(cwd, 'bad.csv'));
    const { code, stdout } = await importing;
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ exitCode: 4, stop: { kind: 'output' }, resumable: true });
    expect(code).toBe(4);
    rmdirSync(path.join(cwd, 'bad.csv'));
    expect((await docferry(['runs', 'resume', report.run], { cwd, env })).code).toBe(1);
    expect(read('bad.csv')).toContain('2,,invalid');
    expect((await shownDocuments(sandbox)).map(({ sourceId }) => sourceId)).toEqual(['1']);
  });

  longTest('leaves rejects alone that it has not written', async () => {
    const { id, env } = await stopped('--rejects', 'bad.csv', '--report', 'report.json');
    put(cwd, 'others.csv', 'mine');
    const resume = (...flags: string[]) => docferry(['runs', 'resume', id, ...flags], { cwd, env });
    await expectRefusal(resume('--rejects', 'others.csv'), /others\.csv already exists/);
    expect(read('others.csv')).toBe('mine');
    expect((await resume('--rejects', 'others.csv', '--overwrite')).code).toBe(1);
    expect(read('others.csv')).toContain('2,,invalid');
  });

  longTest('takes files of other names, and other bounds', async () => {
    const { id, env, ended } = await stopped('--rejects', 'bad.csv', '--max-errors', '0');
    expect(ended.stderr).toContain(`docferry runs resume ${id} --max-errors 100%`);
    put(cwd, 'bad.csv', 'mine');
    const resume = (...flags: string[]) => docferry(['runs', 'resume', id, ...flags], { cwd, env });
    const bounded = await resume('--rejects', 'new.csv');
    expect(bounded.code).toBe(4);
    expect(bounded.stderr).toContain(
      `docferry runs resume ${id} --rejects new.csv --max-errors 100%`,
    );
    const free = ['--rejects', 'new.csv', '--max-errors', '100%'];
    const refused = await resume(...free);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(`docferry runs resume ${id} ${free.join(' ')}`);
    const finished = await resume(...free);
    expect(finished.code, finished.stderr).toBe(1);
    expect(read('bad.csv')).toBe('mine');
    expect(read('new.csv')).toContain('2,,invalid');
  });
});
