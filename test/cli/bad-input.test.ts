import { beforeEach, describe, expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferry, type Ended } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';

const MAPPING = minimalYaml('published: { from: date, date: iso }');
const HEADER = 'id,text,date\n';
const GOOD = '1,Good,2024-06-03\n';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', MAPPING);
  put(cwd, 'r.csv', HEADER + GOOD);
});

/** Every complaint is sentences: no stack trace, no words of the machine room. */
function expectPlain({ stdout, stderr }: Ended): void {
  expect(stdout + stderr).not.toMatch(/\n {4}at |node:internal|undefined|\[object|bug in docferry/);
}

async function sandboxed(...args: string[]): Promise<Ended> {
  const mapping = args.includes('-m') ? [] : ['-m', 'm.yaml'];
  const ended = await docferry(
    ['import', ...args, ...mapping, '--monitoring', '1', '--sandbox', '--json'],
    { cwd },
  );
  expectPlain(ended);
  return ended;
}

describe('input that keeps a run from starting exits with 2 and one sentence', () => {
  eachSample(1)<[string, () => string[], RegExp]>([
    ['a missing file', () => ['rr.csv'], /rr\.csv.*r\.csv/],
    ['a glob that matches nothing', () => ['*.tsv'], /\*\.tsv/],
    [
      'a column that is missing',
      () => [put(cwd, 'c.csv', 'id,txt,date\n1,a,2024-06-03\n')],
      /^docferry: \S*c\.csv: m\.yaml:4:9: document\.text: there is no column "text"; did you mean "txt"\?\n/,
    ],
  ])('%s', async (_, args, message) => {
    const ended = await sandboxed(...args());
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { exitCode: 2 } });
  });

  longTest('missing credentials, all of them named at once', async () => {
    const args = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1'];
    const ended = await docferry(args, { cwd });
    expect(ended.code).toBe(2);
    for (const name of [
      'DOCFERRY_BASE_URL',
      'DOCFERRY_USERNAME',
      'DOCFERRY_API_KEY',
      '--sandbox',
    ]) {
      expect(ended.stderr).toContain(name);
    }
  });
});
