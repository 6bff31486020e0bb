/** Keys, and addresses with a password or a signature, in whatever docferry prints and stores. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { json, startServer, type TestServer } from '../helpers/http-server.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferryEach, docferryOnce, type Ended, environmentOf } from '../helpers/run-cli.js';
import { eachSample, longTest, sample } from '../helpers/runs.js';

let cwd = '';
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', minimalYaml());
});

/** The texts of all files below a folder, the databases of the sandbox among them. */
function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'latin1'));
}

function said({ stdout, stderr }: Ended): string {
  return stdout + stderr;
}

describe('an address with a signature', () => {
  const serve = async (): Promise<TestServer> =>
    await startServer((_, response) => void response.end('id,text\n1,Good\n2,\n'));

  longTest('is printed and stored without it, by any command', async () => {
    const { baseUrl } = await serve();
    const address = `${baseUrl}/r.csv?sig=CANARY&x='1'`;
    const lines = [
      'validate URL -m m.yaml --html v.html --events v.ndjson --metrics v.prom',
      'import URL -m m.yaml --monitoring 1 --sandbox --rejects rejects.csv --report r.json',
      'mapping learn URL -m m.yaml -o learned.yaml',
      'studio URL --no-open',
      'import URL --monitoring 1',
      'validate r.csv -m URL --json',
      'guess URL',
      'guess URL -o guessed.yaml',
      'validate URL -m m.yaml --json',
      'preview URL -m m.yaml --json',
      'import r.csv -m URL --monitoring 1 --sandbox',
      'validate r.csv -m m.yaml --schema URL',
      'validate r.csv -m m.yaml --report URL',
    ];
    const words = lines.map((line) => line.split(' '));
    const all = await docferryEach(
      words.map((line) => line.map((word) => (word === 'URL' ? address : word))),
      { cwd },
    );
    for (const text of [...all.map(said), ...textsIn(cwd)]) expect(text).not.toContain('CANARY');
    for (const [at, ended] of all.entries()) expect(said(ended), lines[at]).toContain('r.csv');
  });

  it('or a password is hidden in lists of jobs, and refused when they are checked', async () => {
    const input = ['http://ana:CANARY@127.0.0.1:9/r.csv', 'https://example.com/r.csv?sig=CANARY'];
    const jobs = Object.fromEntries(
      input.map((one, at) => [`job${at}`, { input: one, mapping: 'm.yaml', monitoring: 1 }]),
    );
    put(cwd, 'docferry.yaml', JSON.stringify({ jobs }));
    const lines = [
      ['jobs', 'list'],
      ['jobs', 'list', '--json'],
      ['jobs', 'check'],
    ];
    const ended = await docferryEach(lines, { cwd });
    for (const one of ended) expect(said(one)).not.toContain('CANARY');
    const [list, asJson, check] = ended;
    expect(list?.stdout).toContain('https://example.com/r.csv');
    expect(JSON.parse(asJson?.stdout ?? '')[1].options.input).toEqual([
      'https://example.com/r.csv',
    ]);
    expect(check?.code).toBe(2);
    expect(check?.stdout).toMatch(/✗ job0\n +http:\/\/127\.0\.0\.1:9\/r\.csv contains a user name/);
    expect(check?.stdout).toContain('✓ job1');
  });
});

describe('a file that may be a key', () => {
  const TEXTS = [
    'CANARY1234567890\n',
    'ana:CANARY1234567890',
    '-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----\n',
    'API: CANARY: x\n',
    '"CANARY',
    'CANARY\n  CANARY: [\n',
    '- CANARY\n',
    '{"apiKey": "CANARY"',
    '\tCANARY',
  ];

  longTest('is not quoted where a mapping, a job file or a config is expected', async () => {
    const commands = [
      ['validate', 'r.csv', '-m', 'key.txt'],
      ['mapping', 'check', 'key.txt'],
      ['jobs', 'check'],
      ['target-singer', '--config', 'key.txt'],
      ['validate', 'r.csv', '-m', 'm.yaml', '--schema', 'key.txt'],
      ['report', 'key.txt'],
      ['sandbox', '--faults', 'key.txt'],
    ];
    const each = sample(TEXTS, 4).flatMap((text) => {
      const folder = newFolder();
      for (const name of ['key.txt', 'docferry.yaml']) put(folder, name, text);
      put(folder, 'm.yaml', minimalYaml());
      put(folder, 'r.csv', 'id,text\n1,Good\n');
      return commands.map((command) => ({ command, folder, text }));
    });
    const lines = each.map(({ command }) => command);
    const all = await docferryEach(lines, { cwd: each.map(({ folder }) => folder) });
    for (const [at, { command, text }] of each.entries()) {
      const { code, stdout, stderr } = all[at] as Ended;
      const told = `${JSON.stringify(text)}: ${command.join(' ')}`;
      expect(stdout + stderr, told).not.toMatch(/CANARY|1234567890123456/);
      expect(code, told).toBe(2);
      expect(stdout + stderr, told).toMatch(/key\.txt|docferry\.yaml/);
    }
  });
});

describe('a key that the service repeats', () => {
  const KEY = 'CAN"ARY/key+1<2>&3';
  const ECHOES = [
    KEY,
    JSON.stringify(KEY),
    encodeURIComponent(KEY),
    encodeURIComponent(KEY).replace(/%../g, (found) => found.toLowerCase()),
    JSON.stringify(KEY).replaceAll('/', '\\/'),
    Buffer.from(KEY).toString('base64'),
    KEY.replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
  ];
  const SHOWN = /CAN\S{1,8}ARY|Q0FOIkFSW/;

  const refusal = { errors: ECHOES.map((message) => ({ message })) };

  eachSample()([
    ['a failing service, whose text is quoted', 503, ECHOES.join(' ')],
    ['one that refuses documents', 400, refusal],
    ['one that refuses the key', 401, refusal],
  ])('in any notation is neither shown nor stored: %s', async (_, status, echo) => {
    put(cwd, 'r.csv', 'id,text\n1,Good\n');
    const server = await startServer(({ method }, response) => {
      if (typeof echo === 'string') {
        response.writeHead(status, { 'content-type': 'text/plain' }).end(echo);
      } else if (method === 'POST') json(response, status, echo);
      else json(response, 200, { id: 1, name: 'Hotels' });
    });
    const env = environmentOf({ ...server, apiKey: KEY });
    const words =
      'import r.csv -m m.yaml --monitoring 1 --max-outage 1 --rejects rejects.csv --json';
    const files = ['--events', 'e.ndjson', '--settle-time', '0.1', '--html', 'r.html'];
    const ended = await docferryOnce([...words.split(' '), ...files], { cwd, env });
    for (const text of [said(ended), ...textsIn(cwd)]) expect(text).not.toMatch(SHOWN);
    expect(textsIn(cwd).join('\n') + said(ended)).toContain('[hidden]');
  });
});
