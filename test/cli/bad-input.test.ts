import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { docferry, type Ended, environmentOf } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const MAPPING = `name: Test
profile: minimal
document:
  sourceId: "{id}"
  text: "{text}"
  published: { from: date, date: iso }
`;
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
      /^docferry: \S*c\.csv: m\.yaml:5:9: document\.text: there is no column "text", did you mean "txt"\?\n/,
    ],
    [
      'an unknown encoding',
      () => ['r.csv', '--encoding', 'windows-1525'],
      /windows-1525.*windows-125\d/,
    ],
    ['a wrong flag', () => ['r.csv', '--batchsize', '5'], /batchsize/],
    [
      'a batch size that is no number',
      () => ['r.csv', '--batch-size', 'many'],
      /--batch-size is "many"; expected a whole number from 1 to/,
    ],
    [
      'statuses that are none',
      () => ['r.csv', '--throttle-status', '429,busy'],
      /--throttle-status is "429,busy"; expected statuses separated by commas/,
    ],
    ['a missing schema', () => ['r.csv', '--schema', 'no.json'], /no\.json/],
    [
      'a mapping with broken YAML, of whose errors the first is told',
      () => ['r.csv', '-m', put(cwd, 'broken.yaml', 'name: [\ndocument: }\n')],
      /^docferry: \S*broken\.yaml:2:1: this is not valid YAML: [^\n]+\n$/,
    ],
  ])('%s', async (_, args, message) => {
    const ended = await sandboxed(...args());
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toBe('');
  });

  longTest('a missing mapping file, and no mapping at all', async () => {
    const missing = await docferry(['validate', 'r.csv', '-m', 'nope.yaml'], { cwd });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('nope.yaml') });
    const none = await docferry(['validate', 'r.csv'], { cwd });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('mapping') });
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

  longTest('a service without HTTPS elsewhere', async () => {
    const args = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1', '--username', 'u'];
    const env = { DOCFERRY_API_KEY: 'secret' };
    const ended = await docferry([...args, '--base-url', 'http://api.example.com/5.0'], {
      cwd,
      env,
    });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('HTTPS') });
    expect(ended.stderr).not.toContain('secret');
  });
});

describe('a service that does not let anything in', () => {
  const args = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1', '--json'];

  longTest('exits with 3 for wrong credentials and for an unknown monitoring', async () => {
    const sandbox = await startWithMonitoring();
    const env = { DOCFERRY_BASE_URL: sandbox.baseUrl, DOCFERRY_USERNAME: sandbox.username };
    const wrong = await docferry(args, { cwd, env: { ...env, DOCFERRY_API_KEY: 'wrong' } });
    expect(wrong.code).toBe(3);
    expect(JSON.parse(wrong.stdout).stop).toMatchObject({ kind: 'no-access' });
    expectPlain(wrong);
    const right = { ...env, DOCFERRY_API_KEY: sandbox.apiKey };
    const other = args.map((arg) => (arg === '1' ? '99' : arg));
    const unknown = await docferry(other, { cwd, env: right });
    expect(unknown.code).toBe(3);
    expect(JSON.parse(unknown.stdout).stop.message).toMatch(/99/);
  });

  longTest('exits with 4 when the connection is refused, and names the address', async () => {
    const server = await startServer((_, response) => json(response, 200, {}));
    await server.close();
    const env = environmentOf(server);
    const ended = await docferry(args, { cwd, env });
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.stdout).stop.message).toMatch(/127\.0\.0\.1:\d+.*ECONNREFUSED/);
    expectPlain(ended);
  });
});

longTest('a record that is bad costs itself, and exits with 1', async () => {
  const { code, stdout } = await sandboxed(put(cwd, 'x.csv', `${HEADER}1,2\n${GOOD}`));
  const report = JSON.parse(stdout);
  expect(report.counts).toMatchObject({ read: 2, invalid: 1, accepted: 1 });
  expect(report.problems[0]).toMatchObject({ kind: 'ragged', examples: [{ line: 2 }] });
  expect(code).toBe(1);
});

longTest('an input that ends early has its records imported, and exits with 4', async () => {
  const rows = Array.from({ length: 5000 }, (_, at) => `${at},Text ${at * 7919},2024-06-03\n`);
  const packed = gzipSync(HEADER + rows.join(''));
  const { code, stdout } = await sandboxed(
    put(cwd, 'x.csv.gz', packed.subarray(0, packed.length / 2)),
  );
  const report = JSON.parse(stdout);
  expect(code).toBe(4);
  expect(report.counts.accepted).toBeGreaterThan(1000);
  expect(report.counts.accepted).toBe(report.counts.read);
  expect(report.stop.message).toMatch(/x\.csv\.gz.*\d/);
});
