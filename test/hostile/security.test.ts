import { minimalYaml } from '../helpers/reviews.js';
/** Security, line by line of docs/bad-input.md, which names these tests. */

import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../src/api/index.js';
import type { Mapping } from '../../src/index.js';
import { importDocuments, validateDocuments } from '../../src/index.js';
import { writeOutput } from '../../src/outputs/output-file.js';
import { compileValidation } from '../../src/validation/schemas.js';
import { newFolder, put } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { ROOT } from '../helpers/markdown.js';
import {
  docferry,
  docferryEach,
  docferryOnce,
  type Ended,
  environmentOf,
} from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const MAPPING = minimalYaml();
const TABLE = 'id,text\n1,Good\n2,\n3,Bad\n';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', MAPPING);
  put(cwd, 'r.csv', TABLE);
});

/** All files below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}

describe('the way to the service', () => {
  eachSample()([
    'http://localhost.evil.example/5.0',
    'http://localhost@evil.example/5.0',
    'http://evil.example#@localhost/5.0',
    'ftp://localhost/5.0',
  ])('plain HTTP is refused but for loopback, and nothing is sent: %s', async (baseUrl) => {
    const connection = { baseUrl, username: 'u', apiKey: 'canary-key' };
    const run = importDocuments({
      stateDir: false,
      input: [{ id: 1, text: 'a' }],
      mapping: path.join(cwd, 'm.yaml'),
      monitoring: 1,
      connection,
    });
    const error: unknown = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      name: 'OptionError',
      message: expect.stringMatching(/HTTPS|user name or a key/),
    });
    expect(String(error)).not.toContain('canary');
  });

  longTest('only a certificate of an authority that is known or named is taken', async () => {
    const pem = readFileSync(path.join(ROOT, 'test/api/self-signed.pem'), 'utf8');
    let asked = 0;
    const server = createSecureServer({ key: pem, cert: pem }, (_, response) => {
      asked += 1;
      response.writeHead(401).end('{"errors":[{"message":"no"}]}');
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    const env = {
      DOCFERRY_USERNAME: 'u',
      DOCFERRY_API_KEY: 'k',
      DOCFERRY_BASE_URL: `https://127.0.0.1:${port}/5.0`,
    };
    const list = (more: NodeJS.ProcessEnv, ...flags: string[]): Promise<Ended> =>
      docferry(['monitorings', 'list', ...flags], { cwd, env: { ...env, ...more } });
    const authority = path.join(ROOT, 'test/api/self-signed.pem');
    const refused = await list({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(refused.stderr).toMatch(/self-signed/i);
    expect(asked).toBe(0);
    const trusted = await Promise.all([
      list({ NODE_EXTRA_CA_CERTS: authority }),
      list({ DOCFERRY_CA: authority }),
      list({}, '--ca', authority),
    ]);
    server.close();
    expect(trusted.map(({ code }) => code)).toEqual([3, 3, 3]);
    expect(asked).toBe(3);
    const absent = await list({}, '--ca', 'none.pem');
    expect(absent).toMatchObject({ code: 2 });
    expect(absent.stderr).toContain(
      "The certificate file none.pem can't be read (it does not exist).",
    );
  });

  eachSample(1)([301, 307])(
    'a redirect (%i) is never followed, so that no POST becomes a GET',
    async (status) => {
      const other = await startServer((_, response) =>
        json(response, 200, { accepted: true, documents: 1 }),
      );
      const server = await startServer((_, response) => {
        response.writeHead(status, { location: `${other.baseUrl}/elsewhere` }).end();
      });
      const client = createClient({ baseUrl: server.baseUrl, username: 'u', apiKey: 'k' });
      await expect(client.importDocuments(1, [{ text: 'a' }])).rejects.toThrow(/redirect/);
      await client.close();
      expect(server.requests).toHaveLength(1);
      expect(other.requests).toHaveLength(0);
    },
  );

  longTest(
    'ids of monitorings that are none reach no address, and names go there and back as they are',
    async () => {
      const server = await startServer((_, response) => json(response, 200, {}));
      const client = createClient({ baseUrl: server.baseUrl, username: 'u', apiKey: 'k' });
      for (const id of ['../admin', '1%2f..', '1\r\nX: y', '1\0', '1', 1.5, -1, 2 ** 53]) {
        await expect(client.monitorings.get(id as number)).rejects.toThrow(
          /expected a positive integer/,
        );
        await expect(client.importDocuments(id as number, [{ text: 'a' }])).rejects.toThrow(
          /expected a positive integer/,
        );
      }
      await client.close();
      expect(server.requests).toEqual([]);
      const importing = ['import', 'r.csv', '-m', 'm.yaml', '--sandbox', '--monitoring'];
      const lines = ['../1', '1%2f2', '1\r\n2'].map((id) => [...importing, id]);
      for (const { code } of await docferryEach(lines, { cwd })) expect(code).toBe(2);
    },
  );
});

describe('what is shown', () => {
  const EVIL = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egpj\u2066\u200f\u061c\u2028';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  const ACTS = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

  longTest('holds no control, escape or bidi character of the data or the service', async () => {
    put(
      cwd,
      'evil.jsonl',
      `${JSON.stringify({ id: EVIL, text: `a${EVIL}` })}\n${JSON.stringify({ id: EVIL, text: 'b' })}\n{"id":${EVIL}\n{"id":2}\n`,
    );
    put(cwd, `${EVIL.replaceAll('/', '')}.csv`, `id,text,${EVIL}\n${EVIL},,1,2\n`);
    const server = await startServer((_, response) =>
      json(response, 401, { errors: [{ message: EVIL }] }),
    );
    const env = environmentOf(server);
    const lines = [
      ['validate', 'evil.jsonl', '*.csv', '-m', 'm.yaml'],
      ['validate', 'evil.jsonl', '*.csv', '-m', 'm.yaml', '--json'],
      ['preview', 'evil.jsonl', '-m', 'm.yaml'],
      ['validate', 'evil.jsonl', '-m', `${EVIL}.yaml`],
      ['import', 'evil.jsonl', '-m', 'm.yaml', '--monitoring', '1'],
      ['import', 'evil.jsonl', '-m', 'm.yaml', '--monitoring', '1', '--json'],
      ['monitorings', 'list'],
    ];
    const shown = await docferryEach(lines, { cwd, env });
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toMatch(ACTS);
  });
});

describe('names that mean something to JavaScript', () => {
  const mapping: Mapping = {
    name: 'Prototypes',
    profile: 'minimal',
    document: {
      sourceId: '{__proto__}',
      text: '{constructor.prototype}',
      metrics: JSON.parse(
        '{"__proto__": {"from": "n", "number": "."}, "constructor": {"from": "n", "number": "."}}',
      ),
      author: { annotations: JSON.parse('{"__proto__": "{toString}"}') },
    },
  };

  it.each([
    ['a header', 'x.csv', '__proto__,constructor.prototype,n,toString\n1,a,2,c\n', 1],
    ['keys', 'x.jsonl', '{"__proto__":"1","constructor":{"prototype":"a"},"n":2}\n{"n":1}\n', 1],
    [
      'keys beside a long number',
      'x.jsonl',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"n":12345678901234567890}\n',
      0,
    ],
  ])('are harmless as %s and as paths of a mapping', async (_, name, content, unsent) => {
    const report = await validateDocuments({ input: put(cwd, name, content), mapping });
    expect(report.counts.unsent).toBe(unsent);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('files', () => {
  it('that are written are readable for their owner alone, in folders likewise', async () => {
    put(cwd, 'old.json', '{}');
    chmodSync(path.join(cwd, 'old.json'), 0o644);
    const before = new Set([...filesIn(cwd)].filter((file) => !file.endsWith('old.json')));
    const files = '--rejects rejects.csv --report old.json --state-dir state'.split(' ');
    const args = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1', '--sandbox', ...files];
    const ended = await docferryOnce(args, { cwd });
    expect(ended.code).toBe(1);
    const written = filesIn(cwd).filter((file) => !before.has(file));
    expect(written.map((file) => path.basename(file))).toEqual(
      expect.arrayContaining(['rejects.csv', 'rejects.csv.why.jsonl', 'old.json']),
    );
    for (const file of written) {
      expect([file, (lstatSync(file).mode & 0o777).toString(8)]).toEqual([file, '600']);
      const folder = path.dirname(file);
      if (folder !== cwd)
        expect([folder, (lstatSync(folder).mode & 0o777).toString(8)]).toEqual([folder, '700']);
    }
  });

  longTest('are never written through a link', async () => {
    const victim = put(cwd, 'victim', 'precious');
    const other = put(cwd, 'other', 'precious');
    for (const link of ['rejects.csv', 'rejects.csv.why.jsonl', 'report.json'])
      symlinkSync(link === 'report.json' ? other : victim, path.join(cwd, link));
    mkdirSync(path.join(cwd, 'state/runs'), { recursive: true });
    symlinkSync(victim, path.join(cwd, 'state/ledger.db'));
    const args = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1', '--sandbox'];
    const files = ['--rejects', 'rejects.csv', '--report', 'report.json'];
    const refused = await docferryOnce([...args, ...files], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/rejects\.csv already exists/);
    // Replaced are the links, and what they lead to stays.
    expect((await docferryOnce([...args, ...files, '--overwrite'], { cwd })).code).toBe(1);
    expect(lstatSync(path.join(cwd, 'rejects.csv')).isFile()).toBe(true);
    await docferryOnce([...args, '--state-dir', 'state'], { cwd });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(readFileSync(other, 'utf8')).toBe('precious');
    // A draft has a name that others can foresee.
    symlinkSync(victim, path.join(cwd, 'new.json.draft.part'));
    writeOutput(path.join(cwd, 'new.json'), 'mine', { draft: 'draft' });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(lstatSync(path.join(cwd, 'new.json')).isFile()).toBe(true);
  });
});

describe('a mapping', () => {
  it.each([
    [
      'names no file, variable or address but as a column',
      'sourceId: "{process.env.HOME}"\n  text: "{file:///etc/passwd}"',
      /none of the 2 columns that \S*m\.yaml names \("process\.env\.HOME"/,
    ],
    [
      'has no tags that make code',
      'sourceId: !!js/function "() => 1"\n  text: a',
      /m\.yaml:4:\d+: this tag .* is not supported/,
    ],
  ])('%s', async (_, rules, message) => {
    const mapping = put(cwd, 'm.yaml', `name: X\nprofile: minimal\ndocument:\n  ${rules}\n`);
    vi.stubEnv('HOME', '/secret/home');
    onTestFinished(() => void vi.unstubAllEnvs());
    const run = validateDocuments({ input: path.join(cwd, 'r.csv'), mapping });
    await expect(run).rejects.toMatchObject({ exitCode: 2 });
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.not.toThrow(/root:|\/secret\/home/);
  });
});

describe('a schema of the own', () => {
  it('takes no value of a document for a part of itself ($data)', () => {
    const schema = { properties: { text: { const: { $data: '1/language' } } } };
    const validate = compileValidation({ schema });
    expect(validate({ text: 'es', language: 'es' }).map(({ field }) => field)).toEqual(['text']);
  });

  it('follows no reference to an address or a file, and asks nobody', async () => {
    const server = await startServer((_, response) => json(response, 200, {}));
    for (const $ref of [`${server.baseUrl}/schema.json`, 'file:///etc/passwd', '../package.json']) {
      expect(() => compileValidation({ schema: { $ref } })).toThrow(/can't be used/);
    }
    expect(server.requests).toEqual([]);
  });
});

describe('rejects as CSV', () => {
  it('hold no formula of the data, in names of columns either, and give every field back as it was', async () => {
    const texts = ['=HYPERLINK("http://evil")', '+1', '-5', '@a', "'=1", "''x", 'a=b'];
    const rows = texts.map((text, id) => `${id},"${text.replaceAll('"', '""')}",never,＝v`);
    const input = put(cwd, 'formulas.csv', `id,text,date,＝f\n${rows.join('\n')}\n`);
    const mapping: Mapping = {
      name: 'Formulas',
      profile: 'minimal',
      document: {
        sourceId: '{id}',
        text: '{text}',
        published: { from: 'date', date: 'iso' },
        tags: ['{＝f}'],
      },
    };
    const rejects = path.join(cwd, 'rejects.csv');
    await validateDocuments({ input, mapping, rejects });
    const given = readFileSync(rejects, 'utf8');
    expect(given).not.toMatch(/(^|,)"?[=+\-@＝]/m);
    // Nobody has mended anything: what is rejected again is the same.
    const again = path.join(cwd, 'again.csv');
    await validateDocuments({ input: rejects, mapping, rejects: again });
    const own = (text: string): string[] =>
      text.split('\n').map((line) => line.split(',never')[0] ?? '');
    expect(own(readFileSync(again, 'utf8'))).toEqual(own(given));
    const sandbox = await startWithMonitoring();
    const mended = put(cwd, 'mended.csv', given.replaceAll(',never,', ',2024-06-03,'));
    const report = await importDocuments({
      stateDir: false,
      input: mended,
      mapping,
      monitoring: 1,
      connection: sandbox,
    });
    expect(report.counts).toMatchObject({ read: texts.length, accepted: texts.length });
    const shown = await shownDocuments(sandbox);
    const byId = new Map(shown.map(({ sourceId, text }) => [Number(sourceId), text]));
    expect(texts.map((_, id) => byId.get(id))).toEqual(texts);
    expect(shown.map(({ tags }) => tags)).toEqual(texts.map(() => ['＝v']));
  });
});
