import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder, put } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { ROOT } from '../helpers/markdown.js';
import {
  docferry,
  docferryEach,
  docferryOnce,
  environmentOf,
  startDocferry,
} from '../helpers/run-cli.js';
import { longTest, sample } from '../helpers/runs.js';
import { idsOf, review, reviews, startSeeded } from './seeded-sandbox.js';

const PERIOD = ['-f', 'start=2024-05-01 00:00', '-f', 'end=2024-05-31 23:59'];
const FILTERS = ['-f', 'monitorings=1', ...PERIOD];
const DOCUMENTS = ['api', 'POST', '/documents', ...FILTERS];
const FEED = ['api', 'POST', '/documents/feed', '-f', 'monitorings=1', '--paginate'];

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
});

/** Every call of the reference, in an order in which each finds what it needs, and its answer. */
const CALLS: readonly (readonly [call: string, args: readonly string[], answer: unknown])[] = [
  ['GET /5.0/monitorings', ['/monitorings'], { monitorings: [{ id: 1, title: 'Hotels' }] }],
  [
    'POST /5.0/monitorings',
    ['/monitorings', '--input', 'monitoring.json'],
    { id: 2, title: 'News', searches: [{ source: 'RSS' }] },
  ],
  ['GET /5.0/monitorings/{monitoring-id}', ['/monitorings/2'], { id: 2, title: 'News' }],
  [
    'POST /5.0/monitorings/{monitoring-id}/title',
    ['POST', '/monitorings/2/title', '-f', 'title=Old = new'],
    { title: 'Old = new' },
  ],
  [
    'POST /5.0/monitorings/{monitoring-id}/searches',
    ['/monitorings/2/searches', '--input', 'searches.json'],
    { searches: [{ source: 'RSS' }, { source: 'YTB' }] },
  ],
  [
    'DELETE /5.0/monitorings/{monitoring-id}/searches/{search-ids}',
    ['delete', '/monitorings/2/searches/2'],
    { searches: [{ source: 'YTB' }] },
  ],
  [
    'POST /5.0/monitorings/{monitoring-id}/documents',
    ['/monitorings/1/documents', '--input', 'documents.json'],
    { accepted: true, documents: 1 },
  ],
  ['POST /5.0/documents', ['POST', '/documents', ...FILTERS], { total: 2 }],
  ['GET /5.0/documents', ['documents', ...FILTERS], { documents: [{}, {}] }],
  [
    'POST /5.0/documents/feed',
    ['POST', '/documents/feed', '-f', 'monitorings=1'],
    { remaining: 0 },
  ],
  ['GET /5.0/documents/feed', ['/documents/feed?monitorings=1'], { documents: [{}, {}] }],
  ['POST /5.0/documents/{document-id}/context', ['POST', '/documents/1/context'], { total: 1 }],
  ['POST /5.0/authors', ['POST', '/authors', ...FILTERS], { count: 2 }],
  ['GET /5.0/authors', ['/authors', ...FILTERS], { count: 2 }],
  ['POST /5.0/indicators', ['POST', '/indicators', ...FILTERS], { indicators: expect.any(Array) }],
  ['GET /5.0/indicators', ['/indicators', ...FILTERS], { indicators: expect.any(Array) }],
  ['POST /5.0/chart', ['POST', '/chart', ...FILTERS], { chart: [{ documents: 2 }] }],
  ['GET /5.0/chart', ['/chart', ...FILTERS], { chart: [{ documents: 2 }] }],
  ['GET /4.0/monitorings', ['/monitorings'], { monitorings: [{ id: 1 }, { id: 2 }] }],
  ['GET /4.0/documents', ['/documents', ...FILTERS], { data: [{}, {}] }],
  ['GET /4.0/authors', ['/authors', ...FILTERS], { data: [{}, {}], total: 2 }],
  ['GET /4.0/indicators', ['/indicators', ...FILTERS], { indicators: expect.any(Array) }],
];

describe('docferry api', () => {
  it('makes every call of the reference, and prints its answer', async () => {
    const { legacyBaseUrl, ...sandbox } = await startSeeded([review(1)]);
    const search = { source: 'RSS', query: 'https://example.com/feed.xml' };
    const files = {
      'monitoring.json': { title: 'News', status: 'paused', searches: [search] },
      'searches.json': { searches: [{ source: 'YTB', query: 'hotel' }] },
      'documents.json': { documents: [review(2, { author: { sourceId: 'b', source: 'RVW' } })] },
    };
    for (const [name, content] of Object.entries(files)) put(cwd, name, JSON.stringify(content));
    const ofVersion = async (version: string, baseUrl: string) => {
      const calls = CALLS.filter(([call]) => call.includes(version));
      const lines = calls.map(([, args]) => ['api', ...args]);
      const all = await docferryEach(lines, { cwd, env: environmentOf({ ...sandbox, baseUrl }) });
      for (const [at, [call, , answer]] of calls.entries()) {
        expect(all[at], call).toMatchObject({ code: 0, stderr: '' });
        expect(JSON.parse(all[at]?.stdout ?? ''), call).toMatchObject(answer as object);
      }
    };
    await ofVersion('/5.0/', sandbox.baseUrl);
    await ofVersion('/4.0/', legacyBaseUrl);
  });

  it('is tested with every call that the API is described with', () => {
    const { paths } = parse(readFileSync(path.join(ROOT, 'schemas/openapi.yaml'), 'utf8')) as {
      readonly paths: Readonly<Record<string, object>>;
    };
    const described = Object.entries(paths).flatMap(([address, operations]) =>
      Object.keys(operations)
        .filter((method) => /^(get|post|delete)$/.test(method))
        .map((method) => `${method.toUpperCase()} ${address}`),
    );
    expect(CALLS.map(([call]) => call).toSorted()).toEqual(described.toSorted());
  });

  it('prints an answer of any shape, with control characters escaped', async () => {
    const answers = [{ a: { b: ['\u001b[2J', 2] } }, [[1, 2]], 'text'];
    const server = await startServer((_, response) =>
      json(response, 200, answers[server.requests.length - 1]),
    );
    const lines = answers.map(() => ['api', 'POST', '/chart']);
    const all = await docferryEach(lines, { cwd, env: environmentOf(server) });
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(all.map(({ stdout }) => JSON.parse(stdout))).toEqual(answers);
    expect(all.map(({ stdout }) => stdout).join()).not.toContain('\u001b');
  });

  it('sends the body from stdin unchanged', async () => {
    const server = await startServer((_, response) => json(response, 200, {}));
    const surroundings = { cwd, env: environmentOf(server), stdin: '{ "title": "Ñ" }\n' };
    const ended = await docferry(['api', '/monitorings/1/title', '--input', '-'], surroundings);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toMatchObject([{ method: 'POST', body: '{ "title": "Ñ" }\n' }]);
  });
});

describe('docferry api --paginate', () => {
  longTest('prints the items of all pages as JSON Lines, by offset', async () => {
    const { env, legacyBaseUrl, ...sandbox } = await startSeeded(reviews(230));
    const context = ['api', 'POST', '/documents/1/context', '--paginate'];
    const lines = [
      ...[
        [...DOCUMENTS, '--paginate'],
        ['api', '/documents', ...FILTERS, '--paginate'],
      ],
      ...[[...DOCUMENTS, '--paginate', '-f', 'offset=100'], context],
      ['api', '/authors', ...FILTERS, '--paginate'],
    ];
    const all = await docferryEach(lines, { cwd, env });
    const legacy = environmentOf({ ...sandbox, baseUrl: legacyBaseUrl });
    const byLegacy = await docferryEach([lines[1] ?? []], { cwd, env: legacy });
    const expected = Array.from({ length: 230 }, (_, at) => `r${230 - at}`);
    const [posted, got, later, thread, authors] = all.map(({ stdout }) => idsOf(stdout));
    expect(posted).toEqual(expected);
    expect(got).toEqual(expected);
    expect(later).toEqual(expected.slice(100));
    expect(thread).toEqual(['r1']);
    expect(authors).toEqual(['a1', 'a0']);
    expect(idsOf(byLegacy[0]?.stdout ?? '')).toEqual(expected);
    expect(new Set([...all, ...byLegacy].map(({ stderr }) => stderr))).toEqual(new Set(['']));
  });

  longTest('follows the cursor of the feed, and says where it continues', async () => {
    const sandbox = await startSeeded(reviews(230));
    const { env } = sandbox;
    const first = await docferryOnce(FEED, { cwd, env });
    expect(first.code).toBe(0);
    expect(idsOf(first.stdout)).toEqual(Array.from({ length: 230 }, (_, at) => `r${at + 1}`));
    const [, cursor = ''] = /continue .*: -f (cursor=\d{14}\.\d+)\n$/.exec(first.stderr) ?? [];
    await sandbox.capture(1, [review(231)]);
    const [next] = await docferryEach([[...FEED, '-f', cursor]], { cwd, env });
    expect(idsOf(next?.stdout ?? '')).toEqual(['r231']);
  });

  longTest('says where a feed continues that was cut off, by an error or a signal', async () => {
    const page = { documents: [{ id: 1, sourceId: 'a' }], remaining: 1, nextCursor: '20240501.1' };
    const server = await startServer((_, response) => {
      if (server.requests.length === 1) json(response, 200, page);
      else if (server.requests.length === 2) json(response, 400, { errors: [{ message: 'no' }] });
      // The third page takes for ever.
      else if (server.requests.length === 3) json(response, 200, page);
    });
    const env = environmentOf(server);
    const refused = await docferryOnce(FEED, { cwd, env });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cursor=20240501.1'),
    });
    expect(idsOf(refused.stdout)).toEqual(['a']);
    const { child, ended } = startDocferry(FEED, { cwd, env });
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(4);
    child.kill('SIGINT');
    const interrupted = await ended;
    expect(interrupted.code).toBe(130);
    expect(interrupted.stderr).toBe('To continue after these documents: -f cursor=20240501.1\n');
  });

  longTest('ends quietly when the reader of its output has seen enough', async () => {
    const { env } = await startSeeded(reviews(600));
    const { child, ended } = startDocferry([...DOCUMENTS, '--paginate'], { cwd, env });
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a call that fails', () => {
  it('ends with 2 and says what to change, before anything is sent', async () => {
    const server = await startServer((_, response) => json(response, 200, {}));
    const slips: readonly (readonly [string[], RegExp])[] = [
      [['PUT', '/monitorings/1'], /call is "PUT \/monitorings\/1"; expected a path, or GET, POST/],
      [['/../4.0/monitorings'], /expected one below the base URL/],
      [['GET', '/monitorings', '--input', 'a'], /--input is for POST: a GET takes --field/],
      [['/monitorings/{id}'], /path is "\/monitorings\/\{id\}"; expected one below/],
      [['/documents', '-f', 'monitorings'], /--field is "monitorings"; expected key=value/],
      [['/documents', '-f', 'offset=x', '--paginate'], /offset is NaN; expected an integer/],
      [['/monitorings', '--paginate'], /\/monitorings has no pages; those with pages are/],
      [['/monitorings', '--input', 'no.json'], /--input no.json can't be read \(it does not exist/],
    ];
    const lines = slips.map(([args]) => ['api', ...args]);
    const all = await docferryEach(lines, { cwd, env: environmentOf(server) });
    for (const [at, [args, message]] of slips.entries()) {
      const expected = { code: 2, stdout: '', stderr: expect.stringMatching(message) };
      expect(all[at], args.join(' ')).toMatchObject(expected);
    }
    expect(server.requests).toEqual([]);
  });

  it('shows what the service says, harmlessly, and ends with the code of its status', async () => {
    const codes = sample(Object.entries({ 400: 2, 422: 2, 429: 4, 503: 4 }));
    const server = await startServer(({ url = '' }, response) => {
      // Too long to wait for: the call ends at once.
      response.setHeader('retry-after', '3600');
      json(response, Number(url.slice(-3)), { errors: [{ message: 'No such\u001b[2J filter' }] });
    });
    const lines = codes.map(([status]) => ['api', `/documents?query=${status}`]);
    const all = await docferryEach(lines, { cwd, env: environmentOf(server) });
    for (const [at, [status, code]] of codes.entries()) {
      expect(all[at], status).toMatchObject({ code, stdout: '' });
      expect(all[at]?.stderr).toMatch(/No such.*\[2J filter/);
      expect(all[at]?.stderr).not.toContain('\u001b');
    }
  });
});
