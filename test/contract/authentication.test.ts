import { describe, expect } from 'vitest';
import {
  AuthenticationError,
  type Connection,
  createClient,
  createLegacyClient,
} from '../../src/api/index.js';
import type { RouteDeps } from '../../src/sandbox/answers.js';
import { createApp } from '../../src/sandbox/app.js';
import { resolveOptions } from '../../src/sandbox/options.js';
import { ALWAYS, expectRefusal, rule } from './rule.js';
import { serviceWith } from './service.js';

/** The calls of the reference, each filtering one with its GET for tests. */
const REFERENCE = [
  'GET /5.0/monitorings',
  'POST /5.0/monitorings',
  'GET /5.0/monitorings/:id',
  'POST /5.0/monitorings/:id/title',
  'POST /5.0/monitorings/:id/searches',
  'DELETE /5.0/monitorings/:id/searches/:searches',
  'POST /5.0/monitorings/:id/documents',
  ...['documents', 'documents/feed', 'authors', 'indicators', 'chart'].flatMap((name) => [
    `GET /5.0/${name}`,
    `POST /5.0/${name}`,
  ]),
  'POST /5.0/documents/:id/context',
  ...['monitorings', 'documents', 'authors', 'indicators'].map((name) => `GET /4.0/${name}`),
];

/** All routes that the sandbox has, found by making its application once more. */
const routes = createApp({ settings: resolveOptions({}), store: {} as RouteDeps['store'] })
  .routes.filter(({ method }) => method !== 'ALL')
  .map(({ method, path }) => `${method} ${path}`);

const service = serviceWith((sandbox) => sandbox.ensureMonitoring(1));

interface ErrorObject {
  readonly errors: readonly unknown[];
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** Values of the Authorization header that are not right; `undefined` sends none. */
function wrongHeaders(): Readonly<Record<string, string | undefined>> {
  const { username, apiKey } = service.sandbox;
  return {
    none: undefined,
    'a wrong key': `Basic ${encoded(`${username}:wrong`)}`,
    'a wrong user': `Basic ${encoded(`somebody@example.com:${apiKey}`)}`,
    'an empty key': `Basic ${encoded(`${username}:`)}`,
    'both the wrong way round': `Basic ${encoded(`${apiKey}:${username}`)}`,
    'no base64': `Basic ${username}:${apiKey}`,
    'another scheme': `Bearer ${apiKey}`,
  };
}

async function ask(route: string, headers: Record<string, string>): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  const origin = service.client.baseUrl.replace('/5.0', '');
  return fetch(origin + path.replaceAll(/:\w+/g, '1'), { method, headers });
}

describe('authentication / routes', () => {
  rule('authentication.routes', 'the sandbox has the calls of the reference', () => {
    expect(routes.toSorted()).toEqual(REFERENCE.toSorted());
  });

  for (const route of routes) {
    rule('authentication.refused', `${route} refuses missing and wrong credentials`, async () => {
      for (const [kind, authorization] of Object.entries(wrongHeaders())) {
        const response = await ask(route, authorization === undefined ? {} : { authorization });
        const refused = { status: response.status, body: (await response.json()) as ErrorObject };
        expect(refused.status, kind).toBe(401);
        expect(refused.body.errors, kind).toHaveLength(1);
        expectRefusal(refused as never);
      }
    });
  }
});

/** Calls of both clients, with a connection that is closed afterwards. */
const LIST: Readonly<Record<string, (connection: Connection) => Promise<unknown>>> = {
  '5.0': async (connection) => {
    const client = createClient(connection);
    return client.monitorings.list().finally(() => client.close());
  },
  '4.0': async (connection) => {
    const client = createLegacyClient(connection);
    return client.monitorings().finally(() => client.close());
  },
};

describe('authentication', () => {
  rule('authentication.header', 'it is Basic, with Base64 of user name, colon, key', async () => {
    await service.client.monitorings.list();
    await service.byGet.documents.page({ monitorings: 1, ...ALWAYS });
    await service.legacy.monitorings();
    const { username, apiKey } = service.sandbox;
    for (const { headers } of service.exchanges) {
      expect(headers.authorization).toBe(`Basic ${encoded(`${username}:${apiKey}`)}`);
    }
    expect(service.exchanges).toHaveLength(3);
  });

  rule('authentication.nothing-done', 'a refused call has done nothing', async () => {
    const body = JSON.stringify({ title: 'Stolen' });
    const headers = { authorization: 'Basic eDp5', 'content-type': 'application/json' };
    const call = { body, headers };
    expectRefusal(await service.call('POST', '/5.0/monitorings/1/title', call));
    expect((await service.client.monitorings.get(1)).title).not.toBe('Stolen');
  });

  for (const [version, list] of Object.entries(LIST)) {
    rule('authentication.client', `the client of ${version} throws, and tells no key`, async () => {
      const baseUrl = service.client.baseUrl.replace('5.0', version);
      const connection = { baseUrl, username: 'ana@example.com', apiKey: 'a-wrong-key-123' };
      const error = await list(connection).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(AuthenticationError);
      const { message, messages } = error as AuthenticationError;
      expect(messages[0]).toMatch(/authorization/i);
      expect(message + messages).not.toContain('a-wrong-key-123');
    });
  }
});
