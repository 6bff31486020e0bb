import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { dropCredentials } from '../../src/cli/commands/mapping/studio.js';
import { startStudio } from '../../src/studio/start-studio.js';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING, openStudio, REVIEWS } from './open-studio.js';

describe('the studio answers only its own page:', () => {
  it('listens on 127.0.0.1 and on no other address', async () => {
    const { port } = await openStudio();
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, address }) => family === 'IPv4' && address !== '127.0.0.1')
      .map(({ address }) => address);
    expect(await connects('127.0.0.1', port)).toBe(true);
    for (const address of others) expect(await connects(address, port), address).toBe(false);
    expect(await connects('::1', port)).toBe(false);
  });

  it('refuses a Host that is not this machine with the port', async () => {
    const { ask, port } = await openStudio();
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
    ]) {
      for (const place of ['/', '/app.js', '/api/stamp']) {
        expect(await ask(place, { headers: { host } })).toMatchObject({ status: 403 });
      }
    }
    const known = await ask('/api/stamp', { headers: { host: `localhost:${port}` } });
    expect(known.status).toBe(200);
  });

  it('refuses a foreign Origin', async () => {
    const { ask, origin } = await openStudio();
    for (const foreign of ['https://evil.example', 'null', origin.replace(/\d+$/, '1')]) {
      expect(await ask('/api/stamp', { headers: { origin: foreign } })).toMatchObject({
        status: 403,
      });
    }
    expect(await ask('/api/stamp', { headers: { origin } })).toMatchObject({ status: 200 });
  });

  it('refuses a foreign Sec-Fetch-Site, also for the page itself', async () => {
    const { ask } = await openStudio();
    for (const site of ['cross-site', 'same-site']) {
      for (const place of ['/', '/api/stamp']) {
        const headers = { 'sec-fetch-site': site };
        expect(await ask(place, { headers })).toMatchObject({ status: 403 });
      }
    }
    for (const site of ['same-origin', 'none']) {
      const answer = await ask('/api/stamp', { headers: { 'sec-fetch-site': site } });
      expect(answer.status).toBe(200);
    }
  });

  it('allows no other origin by CORS, not even when asked beforehand', async () => {
    const { ask, origin } = await openStudio();
    const headers = { origin, 'access-control-request-method': 'PUT' };
    const asked = [
      await ask('/api/mapping', { method: 'OPTIONS', headers }),
      await ask('/api/stamp', { headers: { origin } }),
    ];
    for (const answer of asked) {
      const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
      expect(names).toEqual([]);
    }
  });

  it('answers 401 without the token, or with a different one, and sets no cookie', async () => {
    const { ask, token } = await openStudio();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const wrong = [undefined, '', 'Bearer', `Bearer ${token}x`, `Basic ${token}`, token];
    for (const authorization of wrong) {
      for (const place of ['/api/stamp', '/api/none']) {
        const answer = await ask(place, { headers: { authorization } });
        expect(answer).toMatchObject({
          status: 401,
          json: { message: expect.stringMatching(/token/) },
        });
      }
    }
    expect(
      await ask(`/api/stamp?token=${token}`, { headers: { authorization: undefined } }),
    ).toMatchObject({ status: 401 });
    expect((await ask('/api/stamp')).headers['set-cookie']).toBeUndefined();
  });

  it('gives its token in the fragment of the address alone, a different one each time', async () => {
    const folder = newFolder();
    const file = put(folder, 'reviews.csv', REVIEWS);
    const tokens = new Set<string>();
    for (let start = 0; start < 3; start += 1) {
      const studio = await startStudio({ file, commandLine: () => '' });
      const { hash, search, pathname } = new URL(studio.url);
      expect([search, pathname]).toEqual(['', '/']);
      tokens.add(hash);
      await studio.close();
    }
    expect(tokens.size).toBe(3);
  });

  it('serves a page of at most 300 kB, which names nothing elsewhere', async () => {
    const { ask } = await openStudio();
    const parts = await Promise.all(['/', '/app.js', '/app.css'].map((place) => ask(place)));
    const bytes = parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeGreaterThan(30_000);
    expect(bytes).toBeLessThanOrEqual(300_000);
    const addresses = parts.flatMap(({ text }) => text.match(/https?:\/\/[^\s"'`)]+/g) ?? []);
    // Its own address is part of a message and of a check.
    const own = /^http:\/\/(?:www\.w3\.org\/|\(?127)/;
    expect(addresses.filter((one) => !own.test(one))).toEqual([]);
  });

  it('sends strict headers with every answer', async () => {
    const { ask } = await openStudio();
    for (const place of ['/', '/app.js', '/api/stamp', '/api/none']) {
      const { headers } = await ask(place);
      expect(headers['content-security-policy'], place).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    }
  });

  it('reaches no file by an address', async () => {
    const { ask } = await openStudio();
    const places = ['/reviews.csv', '/../package.json', '/%2e%2e/package.json', '/app.js/..%2f..'];
    for (const place of [...places, '/api/stamp/../../etc/passwd', '//etc/passwd', '/index.html']) {
      expect((await ask(place)).status, place).toBe(404);
    }
  });

  it('takes no name of a file from a request', async () => {
    const { ask, folder, mapping } = await openStudio();
    const body = {
      text: MAPPING,
      name: 'other.yaml',
      file: '/tmp/other.yaml',
      path: ['../other.yaml'],
    };
    const headers = { 'if-none-match': '*' };
    expect(await ask('/api/mapping', { method: 'PUT', body, headers })).toMatchObject({
      status: 200,
    });
    expect(readdirSync(folder).toSorted()).toEqual(['reviews.csv', 'reviews.mapping.yaml']);
    expect(readFileSync(mapping, 'utf8')).toBe(MAPPING);
  });

  it('refuses bodies of more than 1 MB, with and without their length', async () => {
    const { ask, mapping } = await openStudio();
    const body = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    const headers = { 'if-none-match': '*' };
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    for (const given of [headers, chunked]) {
      const answer = await ask('/api/mapping', { method: 'PUT', body, headers: given });
      expect(answer).toMatchObject({
        status: 413,
        json: { message: expect.stringMatching(/1 MB/) },
      });
    }
    expect(existsSync(mapping)).toBe(false);
  });

  it('refuses bodies that are no JSON objects', async () => {
    const { ask } = await openStudio();
    const plain = { 'content-type': 'text/plain' };
    const post = (body: unknown, headers = {}) =>
      ask('/api/evaluate', { method: 'POST', body, headers });
    expect(await post({ text: MAPPING }, plain)).toMatchObject({ status: 415 });
    expect(await post('{')).toMatchObject({ status: 400 });
    expect(await post('null')).toMatchObject({ status: 400 });
  });

  it('refuses bodies that lack something, or have it otherwise, and says what it must be', async () => {
    const { ask } = await openStudio();
    const wrong = [
      ['evaluate', {}, 'text must be a string'],
      ['edit', { text: MAPPING, changes: [{ path: 'document' }] }, 'changes must be a list of'],
      ['values', { text: MAPPING }, 'column must be a string'],
      ['propose', { text: MAPPING, path: ['document', 'text'] }, 'columns must be a list'],
      ['records', { text: MAPPING, limit: -1 }, 'limit must be a whole number'],
      ['validate', { text: 7 }, 'text must be a string'],
      ['try', { text: MAPPING, path: ['document'], rule: null }, 'rule must be a rule'],
      ['interrupt', {}, 'job must be a string'],
    ] as const;
    for (const [name, body, words] of wrong) {
      const answer = await ask(`/api/${name}`, { method: 'POST', body });
      const message = expect.stringContaining(`In the body of the request, ${words}`);
      expect(answer, name).toMatchObject({ status: 400, json: { message } });
    }
    const body = { text: MAPPING, path: ['document', 'text'], rule: { from: 5 } };
    const tried = await ask('/api/try', { method: 'POST', body });
    expect(tried).toMatchObject({ status: 422, json: { mistakes: [expect.anything()] } });
  });

  it('keeps no credentials in its process', () => {
    const env = {
      DOCFERRY_API_KEY: 'k',
      DOCFERRY_API_KEY_FILE: 'f',
      DOCFERRY_STATE: 's',
      HOME: '/',
    };
    dropCredentials(env);
    expect(env).toEqual({ HOME: '/' });
  });
});

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });
}
