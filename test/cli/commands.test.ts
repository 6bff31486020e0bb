import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferry, docferryOnce, environmentOf, startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

const MAPPING = minimalYaml(
  'published: { from: date, date: iso }',
  'metrics: { score: { from: score, number: "." } }',
);
const REVIEWS = 'id,text,date,score\n1,Good,2024-06-03,5\n2,"Bad, really",2024-06-04,1\n';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', MAPPING);
  put(cwd, 'r.csv', REVIEWS);
});

describe('docferry import', () => {
  longTest('takes files, globs and stdin together', async () => {
    put(cwd, 'x1.csv', 'id,text,date,score\n11,a,2024-06-03,5\n');
    put(cwd, 'x2.csv.gz', gzipSync('id,text,date,score\n12,a,2024-06-03,5\n'));
    const args = [
      'import',
      'r.csv',
      'x*',
      '-',
      '-m',
      'm.yaml',
      '--monitoring',
      '1',
      '--sandbox',
      '--json',
    ];
    const stdin = 'text;id;date;score\nc;13;2024-06-03;5\n';
    const { code, stdout } = await docferry(args, { cwd, stdin });
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report.counts).toMatchObject({ read: 5, accepted: 5 });
    expect(report.inputs.map(({ name }: { name: string }) => name)).toEqual([
      'r.csv',
      'x1.csv',
      'x2.csv.gz',
      'stdin',
    ]);
  });
});

describe('docferry mapping test', () => {
  it('runs the tests of a mapping, and exits with 1 when one fails', async () => {
    const tests = `tests:
  - record: { id: 7, text: x, score: "4.5" }
    document: { sourceId: "7", metrics: [{ name: score, value: 4.5 }] }
  - name: wrong on purpose
    record: { id: 7, text: x }
    document: { sourceId: "8" }
`;
    put(cwd, 'tested.yaml', MAPPING + tests);
    const { code, stdout } = await docferryOnce(['mapping', 'test', 'tested.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/✓ tested\.yaml: test 1\n/);
    expect(stdout).toMatch(/✗ tested\.yaml: test 2 \(wrong on purpose\)\n.*sourceId.*"8"/);
  });
});

describe('docferry sandbox', () => {
  const SANDBOX = ['sandbox', '--json', '--data', ':memory:'];

  longTest('makes the monitoring that --monitoring names, so that an import finds it', async () => {
    const { child, ended, written } = startDocferry([...SANDBOX, '--monitoring', '7'], { cwd });
    await once(child.stdout as Readable, 'data');
    const env = environmentOf(JSON.parse(written().stdout));
    const imported = await docferryOnce(['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '7'], {
      cwd,
      env,
    });
    expect(imported.code, imported.stderr).toBe(0);
    const shown = await docferryOnce(['monitorings', 'list', '--json'], { cwd, env });
    expect(JSON.parse(shown.stdout)).toMatchObject([{ id: 7 }]);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });
});
