import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferryEach, docferryOnce, type Ended, environmentOf } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
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
const importing = (input: string, ...flags: string[]): readonly string[] => [
  ...['import', input, ...INTO_SANDBOX, ...flags],
];
const validating = (...flags: string[]): readonly string[] => [
  ...['validate', 'monday.csv', '--mapping', 'mapping.yaml', ...flags],
];
const run = (...lines: readonly (readonly string[])[]) => docferryEach(lines, { cwd });

/** The command says what is wrong in a sentence, ends with 2, and has neither begun nor sent anything. */
function expectRefusal(ended: Ended | undefined, message: RegExp): void {
  const { code, stdout, stderr } = ended ?? {};
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
}

const runsKept = (): readonly string[] => {
  const folder = path.join(cwd, '.docferry/runs');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('--quiet prints nothing if all is well, otherwise the report', async () => {
  const [well, mixed, json] = await run(
    importing('tuesday.csv', '--quiet'),
    importing('monday.csv', '--quiet'),
    importing('tuesday.csv', '-q', '--json'),
  );
  expect(well).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(mixed).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^ +invalid +1 /m),
    stderr: '',
  });
  expect(JSON.parse(json?.stdout ?? '').exitCode).toBe(0);
});

describe('the files that a run writes', () => {
  longTest('are not those of yesterday, which a run leaves alone', async () => {
    const [first, ...others] = await run(
      importing('monday.csv', '--rejects', 'bad.csv'),
      importing('tuesday.csv', '--rejects', 'bad.csv'),
      importing('monday.csv', '--rejects', 'bad.csv'),
    );
    expect(first?.code).toBe(1);
    const message =
      /The rejects file bad\.csv already exists: name a different one, for example bad-\{run\}\.csv .*--overwrite/;
    for (const refused of others) expectRefusal(refused, message);
    expect(read('bad.csv')).toContain('2,,invalid');
    expect(runsKept()).toHaveLength(1);
    const [replaced] = await run(importing('tuesday.csv', '--rejects', 'bad.csv', '--overwrite'));
    expect(replaced?.code).toBe(0);
    expect(existsSync(path.join(cwd, 'bad.csv'))).toBe(false);
  });

  longTest('are none that it reads, not even with --overwrite', async () => {
    linkSync(path.join(cwd, 'monday.csv'), path.join(cwd, 'hard.csv'));
    symlinkSync('monday.csv', path.join(cwd, 'soft.csv'));
    const before = read('monday.csv');
    const outputs = [
      ['--rejects', 'monday.csv'],
      ['--report', 'hard.csv'],
      ['--rejects', 'soft.csv'],
      ['--report', 'mapping.yaml'],
    ];
    const lines = outputs.map((output) => importing('monday.csv', ...output, '--overwrite'));
    for (const refused of await run(...lines)) expectRefusal(refused, /input/);
    expect([read('monday.csv'), read('mapping.yaml')]).toEqual([before, MAPPING]);
  });

  test('replace reports and pages, whoever wrote them', async () => {
    for (const name of ['r.json', 'r.html']) put(cwd, name, 'mine');
    await run(validating('--report', 'r.json', '--html', 'r.html'));
    expect(JSON.parse(read('r.json')).command).toBe('validate');
    expect(read('r.html')).toMatch(/^<!doctype html>/i);
  });

  longTest('do not lie in the state folder', async () => {
    const inState = ['--rejects', 'state/runs/x', '--state-dir', 'state', '--overwrite'];
    const inUsual = ['--report', '.docferry/ledger.db', '--overwrite'];
    const all = await run(importing('monday.csv', ...inState), validating(...inUsual));
    for (const refused of all) expectRefusal(refused, /reserved for docferry/);
  });

  longTest('have the run in their names if asked to', async () => {
    const names = ['--rejects', 'bad-{run}.csv', '--report', '{run}.json', '--json'];
    const line = importing('monday.csv', ...names);
    for (const { code, stdout } of await run(line, line)) {
      expect(code).toBe(1);
      const { run: id, rejects } = JSON.parse(stdout);
      expect(rejects).toMatchObject([{ file: `bad-${id}.csv`, records: 1 }]);
      expect(read(`bad-${id}.csv`)).toContain(`${id}:1:2`);
      expect(JSON.parse(read(`${id}.json`))).toMatchObject({ run: id, exitCode: 1 });
    }
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
    const ended = await docferryOnce(args, { cwd, env });
    return { id: JSON.parse(ended.stdout).run, env, ended };
  }

  longTest('continues its own files', async () => {
    const { id, env } = await stopped('--rejects', 'bad.csv', '--report', 'report.json');
    expect(JSON.parse(read('report.json'))).toMatchObject({ exitCode: 3 });
    const resumed = await docferryOnce(['runs', 'resume', id], { cwd, env });
    expect(resumed.code, resumed.stderr).toBe(1);
    expect(JSON.parse(read('report.json'))).toMatchObject({ exitCode: 1, run: id });
    expect(read('bad.csv')).toContain('2,,invalid');
    // Also once more, when nothing is left to do.
    const lines = [
      ['runs', 'retry', id],
      ['runs', 'resume', id, '--report', 'report.json'],
      ['runs', 'resume', id, '--report', 'week.csv'],
    ];
    const [retried, again, refused] = await docferryEach(lines, { cwd, env });
    expect([retried?.code, again?.code]).toEqual([1, 1]);
    expectRefusal(refused, /week\.csv/);
    expect(read('week.csv')).toContain('1,Good');
  });

  longTest('leaves its rejects alone once they are corrected', async () => {
    const { id, env } = await stopped('--rejects', 'bad.csv');
    const corrected = read('bad.csv').replace('2,,', '2,Fine,');
    put(cwd, 'bad.csv', corrected);
    const resume = ['runs', 'resume', id];
    const lines = [resume, [...resume, '--rejects', 'new.csv']];
    const [refused, resumed] = await docferryEach(lines, { cwd, env });
    expectRefusal(refused, /bad\.csv already exists/);
    expect(resumed?.code).toBe(1);
    expect(read('bad.csv')).toBe(corrected);
  });

  longTest('writes the rejects that could not be written', async () => {
    const rules = [{ on: 'import' as const, latency: { fixed: 1_500 } }];
    const sandbox = await startWithMonitoring({ faults: { rules } });
    const env = environmentOf(sandbox);
    const flags = ['--mapping', 'mapping.yaml', '--monitoring', '1', '--rejects', 'bad.csv'];
    const importing = docferryOnce(['import', 'monday.csv', ...flags, '--json'], { cwd, env });
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
    expect((await docferryOnce(['runs', 'resume', report.run], { cwd, env })).code).toBe(1);
    expect(read('bad.csv')).toContain('2,,invalid');
    expect((await shownDocuments(sandbox)).map(({ sourceId }) => sourceId)).toEqual(['1']);
  });
});
