import http from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import {
  basic,
  messages,
  startTestSandbox,
  startWithMonitoring,
} from '../helpers/start-sandbox.js';
import { ALWAYS, review, SEARCH } from './documents.js';

test('credentials may hold any character, and the scheme any case', async () => {
  const { call } = await startTestSandbox({ username: 'zoë@localhost', apiKey: 'a:b:ñ 😀' });
  const headers = { authorization: basic('zoë@localhost', 'a:b:ñ 😀').replace('Basic', 'bAsIc') };
  expect((await call('GET', '/monitorings', { headers })).status).toBe(200);
});

test('each sandbox has a key of its own unless one is given', async () => {
  const one = await startTestSandbox();
  const two = await startTestSandbox();
  expect(one.username).toBe('sandbox@localhost');
  expect(one.apiKey).toMatch(/^[\w-]{20,}$/);
  expect(one.apiKey).not.toBe(two.apiKey);
});

test.each([
  ['DELETE', '/monitorings', 'GET, POST'],
  ['PUT', '/documents', 'GET, POST'],
  ['OPTIONS', '/documents', 'GET, POST'],
])('%s %s answers 405 and names what is allowed', async (method, path, allowed) => {
  const { call } = await startTestSandbox();
  const refused = await call(method, path);
  expect(refused.status).toBe(405);
  expect(refused.headers.get('allow')).toBe(allowed);
  expect(messages(refused)).toHaveLength(1);
});

test('content types may carry parameters and any case', async () => {
  const { call } = await startTestSandbox();
  const json = { title: 't', status: 'active', searches: [SEARCH] };
  const headers = { 'content-type': 'Application/JSON; Charset="UTF-8"' };
  const { status, body } = await call('POST', '/monitorings', { json, headers });
  expect(status).toBe(200);
  const form = { monitorings: String(body.id), ...ALWAYS };
  const type = { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' };
  expect((await call('POST', '/documents', { form, headers: type })).status).toBe(200);
});

test('a parameter is given once, and not in the address of a POST', async () => {
  const sandbox = await startWithMonitoring();
  const form = { monitorings: '1', ...ALWAYS };
  const body = `${new URLSearchParams(form)}&monitorings=2`;
  const twice = await sandbox.call('POST', '/documents', { body });
  expect([twice.status, messages(twice)]).toEqual([400, ['monitorings is given more than once.']]);
  const apart = await sandbox.call('POST', '/documents?sources=TWT', { form });
  expect([apart.status, messages(apart)]).toEqual([400, [expect.stringMatching(/^sources: /)]]);
});

test('a body that is too large answers 413, whether or not its length is announced', async () => {
  const sandbox = await startWithMonitoring({ maxBodyBytes: 1000 });
  const json = { documents: [review('r-1', { text: 'x'.repeat(1000) })] };
  const announced = await sandbox.call('POST', '/monitorings/1/documents', { json });
  expect([announced.status, messages(announced)]).toEqual([
    413,
    ['The body is larger than 1000 bytes.'],
  ]);
  expect(await sendInPieces(sandbox, 200_000, 50)).toEqual({
    status: 413,
    body: { errors: [{ message: 'The body is larger than 1000 bytes.' }] },
  });
});

/** Posts `count` pieces of `size` bytes without a Content-Length. */
function sendInPieces(
  { baseUrl, username, apiKey }: { baseUrl: string; username: string; apiKey: string },
  size: number,
  count: number,
): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${baseUrl}/monitorings/1/documents`, {
      method: 'POST',
      headers: {
        authorization: basic(username, apiKey),
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      },
    });
    request.on('error', reject);
    request.on('response', async (response) => {
      resolve({ status: response.statusCode, body: await json(response) });
    });
    for (let i = 0; i < count; i += 1) request.write(Buffer.alloc(size, 0x20));
    request.end();
  });
}
