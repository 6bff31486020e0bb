import { readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import tls, { type SecureContextOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { checkConnection } from '../../src/api/transport/connection.js';
import {
  type Call,
  openTransport,
  type Transport,
} from '../../src/api/transport/http-transport.js';
import { OptionError } from '../../src/model/errors.js';
import { json, startServer } from '../helpers/http-server.js';

const credentials = { username: 'ana@example.com', apiKey: 'kéy' };
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function transportTo(baseUrl: string, timeoutMs = 5_000): Transport {
  const transport = openTransport({ baseUrl, ...credentials, timeoutMs });
  opened.push(transport);
  return transport;
}

const PEM = readFileSync(path.join(import.meta.dirname, 'self-signed.pem'), 'utf8');
const CERTIFICATE = PEM.slice(PEM.indexOf('-----BEGIN CERTIFICATE-----'));

/** A server with a certificate that it signed itself. */
async function secureServer(options: SecureContextOptions = {}) {
  let asked = 0;
  const secure = createSecureServer({ key: PEM, cert: PEM, ...options }, (_, response) => {
    asked += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => secure.listen(0, resolve));
  opened.push({ close: async () => void secure.close() });
  const { port } = secure.address() as AddressInfo;
  return { baseUrl: `https://127.0.0.1:${port}/5.0`, asked: () => asked };
}

const post: Call = {
  method: 'POST',
  path: '/monitorings/1/documents',
  body: {
    type: 'application/json',
    pieces: [Buffer.from('{"documents":['), Buffer.from('"é"'), Buffer.from(']}')],
  },
};

describe('openTransport', () => {
  it('sends credentials as Basic authentication in UTF-8 and the body pieces as one body', async () => {
    const seen: Record<string, unknown> = {};
    const { baseUrl, requests } = await startServer((request, response) => {
      Object.assign(seen, request.headers);
      json(response, 200, { accepted: true, documents: 1 });
    });
    const exchange = await transportTo(baseUrl).send(post);
    expect(exchange).toEqual({
      kind: 'answer',
      status: 200,
      json: { accepted: true, documents: 1 },
    });
    const expected = `Basic ${Buffer.from('ana@example.com:kéy').toString('base64')}`;
    expect(seen['authorization']).toBe(expected);
    expect(seen['content-type']).toBe('application/json');
    expect(seen['content-length']).toBe(String(Buffer.byteLength(requests[0]?.body ?? '')));
    expect(requests).toEqual([
      { method: 'POST', url: '/5.0/monitorings/1/documents', body: '{"documents":["é"]}' },
    ]);
  });

  it('says not-sent for a refused connection and for a name that does not exist', async () => {
    const closed = await startServer(() => {});
    await closed.close();
    const refused = await transportTo(closed.baseUrl).send(post);
    expect(refused).toMatchObject({
      kind: 'not-sent',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    const unknown = await transportTo('https://no-such-host.invalid/5.0').send(post);
    expect(unknown.kind).toBe('not-sent');
  });

  it('checks certificates even where the environment says not to', async () => {
    const secure = await secureServer();
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect((await transportTo(secure.baseUrl).send(post)).kind).toBe('not-sent');
      expect(secure.asked()).toBe(0);
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('trusts a private authority that it is given, for the names it signed', async () => {
    const secure = await secureServer();
    const transport = openTransport({ baseUrl: secure.baseUrl, ...credentials, ca: CERTIFICATE });
    opened.push(transport);
    expect(await transport.send(post)).toEqual({ kind: 'answer', status: 200, json: {} });
    const otherName = secure.baseUrl.replace('127.0.0.1', '127.0.0.2');
    const misled = openTransport({ baseUrl: otherName, ...credentials, ca: CERTIFICATE });
    opened.push(misled);
    expect((await misled.send(post)).kind).toBe('not-sent');
    expect(secure.asked()).toBe(1);
  });

  it('speaks no TLS older than 1.2, even where the process would', async () => {
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const secure = await secureServer({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers });
    const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
    Object.assign(tls, { DEFAULT_MIN_VERSION: 'TLSv1', DEFAULT_CIPHERS: ciphers });
    try {
      const transport = openTransport({ baseUrl: secure.baseUrl, ...credentials, ca: CERTIFICATE });
      opened.push(transport);
      expect((await transport.send(post)).kind).toBe('not-sent');
      expect(secure.asked()).toBe(0);
    } finally {
      Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS });
    }
  });
});

describe('checkConnection', () => {
  const connection = { baseUrl: 'https://api.example.com/5.0/', ...credentials };

  it('gives the base URL back without slashes at its end', () => {
    expect(checkConnection(connection).baseUrl).toBe('https://api.example.com/5.0');
  });

  it.each(['http://localhost:8080/5.0', 'http://127.0.0.1:1/5.0', 'http://[::1]:1/5.0'])(
    'takes plain HTTP on this machine: %s',
    (baseUrl) => {
      expect(checkConnection({ ...connection, baseUrl }).baseUrl).toBe(baseUrl);
    },
  );

  it.each([
    ['plain HTTP elsewhere', { baseUrl: 'http://api.example.com/5.0' }, /HTTPS/],
    ['a name that only starts like loopback', { baseUrl: 'http://127.0.0.1.example.com' }, /HTTPS/],
    ['no address', { baseUrl: 'api' }, /isn't a URL/],
    ['a key in the address', { baseUrl: 'https://a:b@api.example.com' }, /instead/],
    ['no user name', { username: '' }, /user name/],
    ['a colon in the user name', { username: 'a:b' }, /colon/],
    ['no key', { apiKey: '' }, /API key/],
    ['an authority that is no certificate', { ca: 'my-ca.pem' }, /\(ca\) can't be read/],
    ['a timeout of nothing', { timeoutMs: 0 }, /timeout is 0/],
  ])('refuses %s, and never names the key', (_, change, message) => {
    const check = () => checkConnection({ ...connection, ...change });
    expect(check).toThrow(OptionError);
    expect(check).toThrow(message);
    expect(check).not.toThrow(/kéy/);
  });
});
