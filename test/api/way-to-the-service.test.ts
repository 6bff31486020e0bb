import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connection, createClient } from '../../src/api/index.js';
import { OptionError } from '../../src/model/errors.js';
import { VERSION } from '../../src/model/version.js';
import { json, startServer } from '../helpers/http-server.js';
import { credentials, openClient, rejection } from './open-client.js';

const PEM = readFileSync(path.join(import.meta.dirname, 'self-signed.pem'), 'utf8');
const CERTIFICATE = PEM.slice(PEM.indexOf('-----BEGIN CERTIFICATE-----'));
const LIST = { monitorings: [{ id: 1, title: 'Hotels', status: 'active' }] };

/** Closes a server, and what is connected to it, when the test ends. */
async function listening(server: ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function clientOf(connection: Partial<Connection> & { readonly baseUrl: string }) {
  const client = createClient({ ...credentials, timeoutMs: 5_000, ...connection }, { retries: 0 });
  onTestFinished(() => client.close());
  return client;
}

/** Sets variables of the environment for the running test. */
function setEnvironment(variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
}

/** A service with a certificate that it signed itself, at a name that isn't this machine's own. */
async function secureService(does?: 'asks for a certificate') {
  const subjects: unknown[] = [];
  const certificate = { key: PEM, cert: PEM, ca: CERTIFICATE };
  const options = {
    ...certificate,
    requestCert: does === 'asks for a certificate',
    rejectUnauthorized: false,
  };
  const server = createSecureServer(options, (request, response) => {
    subjects.push((request.socket as { getPeerCertificate?(): unknown }).getPeerCertificate?.());
    json(response, 200, LIST);
  });
  return { baseUrl: `https://localhost.:${await listening(server)}/5.0`, subjects };
}

/** A proxy that opens tunnels, or answers a CONNECT with this. */
async function openProxy(refusal?: string) {
  const asked: { readonly to: string | undefined; readonly authorization: string | undefined }[] =
    [];
  const server = createServer();
  server.on('connect', ({ url, headers }: IncomingMessage, socket) => {
    asked.push({ to: url, authorization: headers['proxy-authorization'] });
    socket.on('error', () => {});
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    const port = Number(url?.split(':').at(-1));
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
  });
  return { address: `127.0.0.1:${await listening(server)}`, asked };
}

describe('a proxy', () => {
  it('is used where the environment names one, with its credentials', async () => {
    const { baseUrl } = await secureService();
    const proxy = await openProxy();
    setEnvironment({ HTTPS_PROXY: `http://us:secret@${proxy.address}` });
    const list = await clientOf({ baseUrl, ca: CERTIFICATE }).monitorings.list();
    expect(list).toEqual(LIST.monitorings);
    const authorization = `Basic ${Buffer.from('us:secret').toString('base64')}`;
    expect(proxy.asked).toEqual([{ to: new URL(baseUrl).host, authorization }]);
  });

  it('is left out for names in NO_PROXY, and for this machine itself', async () => {
    const proxy = await openProxy();
    const { baseUrl } = await startServer((_, response) => json(response, 200, LIST));
    setEnvironment({
      HTTP_PROXY: `http://${proxy.address}`,
      https_proxy: `http://${proxy.address}`,
      NO_PROXY: 'localhost.',
    });
    await clientOf({ baseUrl }).monitorings.list();
    const secure = await secureService();
    const direct = clientOf({ baseUrl: secure.baseUrl, ca: CERTIFICATE }).monitorings.list();
    // Only the proxy knows how to resolve the name.
    expect((await rejection(direct)).message).toMatch('ENOTFOUND');
    expect(proxy.asked).toEqual([]);
  });

  it('that refuses means that nothing was sent', async () => {
    const { baseUrl } = await secureService();
    const proxy = await openProxy('407 Proxy Authentication Required');
    setEnvironment({ HTTPS_PROXY: `http://${proxy.address}` });
    const client = clientOf({ baseUrl, ca: CERTIFICATE });
    const error = await rejection(client.importDocuments(1, [{ source: 'RVW' } as never]));
    expect(error).toMatchObject({ name: 'ServiceDownError', mayHaveBeenApplied: false });
    expect(error.message).toMatch(/407.*could not be sent|could not be sent.*407/);
  });

  it('that is no address is refused by the name of the variable', () => {
    setEnvironment({ HTTPS_PROXY: 'proxy.example.com:8080' });
    const open = (): unknown => clientOf({ baseUrl: 'https://api.example.com/5.0' });
    expect(open).toThrow(OptionError);
    expect(open).toThrow(/HTTPS_PROXY.*http:\/\/HOST:PORT/);
  });
});

describe('a dispatcher of the program', () => {
  it('makes the connections, with a client certificate for example, and stays open', async () => {
    const { baseUrl: outside, subjects } = await secureService('asks for a certificate');
    const baseUrl = outside.replace('localhost.', '127.0.0.1');
    const dispatcher = new Agent({ connect: { ca: CERTIFICATE, key: PEM, cert: PEM } });
    onTestFinished(() => dispatcher.close());
    const first = clientOf({ baseUrl, dispatcher });
    await first.monitorings.list();
    await first.close();
    await clientOf({ baseUrl, dispatcher }).monitorings.list();
    expect(subjects).toMatchObject([{ subject: { CN: 'localhost' } }, {}]);
  });

  it('takes no ca, which would have no effect', () => {
    const both = { dispatcher: new Agent(), ca: CERTIFICATE };
    expect(() => clientOf({ baseUrl: 'https://a.example/5.0', ...both })).toThrow(/dispatcher/);
  });
});

describe('a request', () => {
  it('says which docferry asks, and carries the headers of the connection', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const { baseUrl } = await startServer(({ headers }, response) => {
      seen.push(headers);
      json(response, 200, LIST);
    });
    await clientOf({ baseUrl }).monitorings.list();
    await clientOf({ baseUrl, headers: { 'X-Gateway-Key': 'abc' } }).monitorings.list();
    expect(seen[0]?.['user-agent']).toBe(`docferry/${VERSION}`);
    expect(seen[1]?.['x-gateway-key']).toBe('abc');
  });

  it.each([
    [{ Authorization: 'Bearer x' }, /headers: authorization/],
    [{ 'content-length': '3' }, /headers: content-length/],
    [{ 'a b': 'secret' }, /headers: "a b"/],
    [{ ok: 'sec\nret' }, /headers: "ok"/],
    [{ ok: 3 }, /headers: "ok"/],
  ])('takes no headers that are its own or no headers: %j', (headers, message) => {
    const open = (): unknown => clientOf({ baseUrl: 'https://a.example', headers } as never);
    expect(open).toThrow(OptionError);
    expect(open).toThrow(message);
    expect(open).not.toThrow(/sec/);
  });
});

const PACKED = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  identity: (bytes: Buffer) => bytes,
};

/** A client whose service answers with these bytes. */
async function answering(encoding: string, bytes: Buffer) {
  const answer = (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(bytes);
  };
  // The largest unpacks to 70 MiB, which takes a busy machine more than 5 seconds.
  const { client } = await openClient(answer, { timeoutMs: 50_000 });
  return client.monitorings.list();
}

describe('an answer', () => {
  it.each(Object.entries(PACKED))('compressed with %s is read', async (encoding, pack) => {
    const bytes = pack(Buffer.from(JSON.stringify(LIST)));
    expect(await answering(encoding, bytes)).toEqual(LIST.monitorings);
  });

  it.each([
    ['gzip', gzipSync(JSON.stringify(LIST)).subarray(0, 30), /can't be decompressed \(gzip\)/],
    ['gzip', gzipSync(Buffer.alloc(70 * 1024 ** 2)), /larger than 64 MiB/],
    ['zstd', Buffer.from('x'), /compressed as "zstd"/],
  ])('that can not be decompressed is none (%s)', async (encoding, bytes, message) => {
    await expect(answering(encoding, bytes)).rejects.toThrow(message);
  });
});
