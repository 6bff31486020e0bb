import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.js';
import { put, temporaryFolders } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { docferry, type Ended } from '../helpers/run-cli.js';

const newFolder = temporaryFolders();
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
  expect(stdout + stderr).not.toMatch(
    /\n {4}at |node:internal|undefined|\[object|mistake in docferry/,
  );
}

async function sandboxed(...args: string[]): Promise<Ended> {
  const ended = await docferry(
    ['import', ...args, '-m', 'm.yaml', '--monitoring', '1', '--sandbox', '--json'],
    { cwd },
  );
  expectPlain(ended);
  return ended;
}

describe('input that keeps a run from starting exits with 2 and one sentence', () => {
  it.each<[string, () => string[], RegExp]>([
    ['a missing file', () => ['rr.csv'], /rr\.csv.*r\.csv/],
    ['a glob that matches nothing', () => ['*.tsv'], /\*\.tsv/],
    ['a directory', () => [folderIn()], /exports.*(folder|directory).*\*/s],
    ['an empty file', () => [put(cwd, 'empty.csv', '')], /empty\.csv.*empty/],
    ['a wrong delimiter', () => ['r.csv', '--delimiter', ';'], /r\.csv.*one column.*","/],
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
      /--batch-size is "many"; expected a whole number\./,
    ],
    [
      'statuses that are none',
      () => ['r.csv', '--pressure-status', '429,busy'],
      /--pressure-status is "429,busy"; expected statuses parted by commas/,
    ],
    ['a missing schema', () => ['r.csv', '--schema', 'no.json'], /no\.json/],
  ])('%s', async (_, args, message) => {
    const ended = await sandboxed(...args());
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toBe('');
  });

  function folderIn(): string {
    mkdirSync(path.join(cwd, 'exports'));
    return 'exports';
  }

  it.each([
    [
      'an unknown key',
      MAPPING.replace('published', 'publishd'),
      /m\.yaml:6:3.*publishd.*published/s,
    ],
    ['a wrong type', MAPPING.replace('"{text}"', '[1, 2]'), /m\.yaml:5/],
    [
      'broken YAML, of whose errors the first is told',
      'name: [\ndocument: }\n',
      /^docferry: m\.yaml:2:1: this is not valid YAML: [^\n]+\n$/,
    ],
    ['nothing in it', '', /m\.yaml/],
  ])('a mapping with %s', async (_, mapping, message) => {
    put(cwd, 'm.yaml', mapping);
    const ended = await sandboxed('r.csv');
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(2);
  });

  it('a missing mapping file, and no mapping at all', async () => {
    const missing = await docferry(['validate', 'r.csv', '-m', 'nope.yaml'], { cwd });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('nope.yaml') });
    const none = await docferry(['validate', 'r.csv'], { cwd });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('mapping') });
  });

  it('missing credentials, all of them named at once', async () => {
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

  it('a service without HTTPS elsewhere', async () => {
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

  it('exits with 3 for wrong credentials and for an unknown monitoring, with its message', async () => {
    const sandbox = await startSandbox();
    await sandbox.ensureMonitoring(1);
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
    await sandbox.close();
  });

  it('exits with 4 when the connection is refused, and names the address', async () => {
    const server = await startServer((_, response) => json(response, 200, {}));
    await server.close();
    const env = {
      DOCFERRY_BASE_URL: server.baseUrl,
      DOCFERRY_USERNAME: 'u',
      DOCFERRY_API_KEY: 'k',
    };
    const ended = await docferry(args, { cwd, env });
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.stdout).stop.message).toMatch(/127\.0\.0\.1:\d+.*ECONNREFUSED/);
    expectPlain(ended);
  });
});

describe('records that are bad cost nothing but themselves', () => {
  it.each<[string, string, string | Uint8Array, string, number, RegExp]>([
    ['a ragged row', 'x.csv', `${HEADER}1,2\n${GOOD}`, 'ragged', 2, /2 fields.*3/],
    [
      'an unclosed quote',
      'x.csv',
      `${HEADER}2,"a,2024-06-03\n${GOOD}`,
      'unclosed-quote',
      2,
      /line 2/,
    ],
    [
      'a stray quote',
      'x.csv',
      `${HEADER}2,"a" b,2024-06-03\n${GOOD}`,
      'malformed-quote',
      2,
      /line 2/,
    ],
    [
      'bytes that are no UTF-8',
      'x.csv',
      Buffer.concat([
        Buffer.from(`${HEADER}é${GOOD}2,caf`),
        Buffer.from([0xe9]),
        Buffer.from(',2024-06-03\né3,é,2024-06-03\n'),
      ]),
      'not-utf8',
      3,
      /0xe9/i,
    ],
    [
      'a JSON line that is no object',
      'x.jsonl',
      '[1]\n{"id":"1","text":"t"}\n',
      'not-an-object',
      1,
      /list/,
    ],
    [
      'a JSON line that breaks off',
      'x.jsonl',
      '{"id":"1","text":"t"}\n{"id":"2\n',
      'not-json',
      2,
      /./,
    ],
  ])('%s', async (_, name, content, kind, line, message) => {
    const { code, stdout } = await sandboxed(put(cwd, name, content));
    const report = JSON.parse(stdout);
    expect(report.counts.invalid).toBe(1);
    expect(report.counts.accepted).toBe(report.counts.read - 1);
    expect(report.counts.accepted).toBeGreaterThan(0);
    expect(report.problems[0]).toMatchObject({ kind, examples: [{ line }] });
    expect(report.problems[0].examples[0].message).toMatch(message);
    expect(code).toBe(1);
  });

  it('a record that is larger than allowed', async () => {
    const long = `2,${'x'.repeat(2_000_000)},2024-06-03\n`;
    const { stdout } = await sandboxed(put(cwd, 'x.csv', HEADER + long + GOOD));
    const report = JSON.parse(stdout);
    expect(report.counts).toMatchObject({ read: 2, accepted: 1, invalid: 1 });
    expect(report.problems[0]).toMatchObject({ kind: 'too-long', examples: [{ line: 2 }] });
  });
});

describe('inputs that end early', () => {
  it('imports what a truncated gzip still holds, then stops with exit code 4 and the place', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `${at},Text ${at * 7919},2024-06-03\n`);
    const packed = gzipSync(HEADER + rows.join(''));
    const file = put(cwd, 'x.csv.gz', packed.subarray(0, packed.length / 2));
    const { code, stdout } = await sandboxed(file);
    const report = JSON.parse(stdout);
    expect(code).toBe(4);
    expect(report.counts.accepted).toBeGreaterThan(1000);
    expect(report.counts.accepted).toBe(report.counts.read);
    expect(report.stop).toMatchObject({
      kind: 'source',
      message: expect.stringMatching(/x\.csv\.gz.*\d/),
    });
  });

  it('says that a file with only a header holds no records, with exit code 0', async () => {
    const { code, stdout } = await sandboxed(put(cwd, 'x.csv', HEADER));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { read: 0 } });
    expect(JSON.parse(stdout).notices.join()).toMatch(/x\.csv.*header/);
  });
});
