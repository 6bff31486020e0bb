import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  createClient,
  createLegacyClient,
  NotFoundError,
  OptionError,
  ServiceDownError,
  ServiceError,
} from '../../src/api/index.js';
import { type Answer, json, startServer } from '../helpers/http-server.js';
import { credentials, openClient, openClientOn, rejection } from './open-client.js';

const query = { monitorings: 1, start: '2024-05-01', end: '2024-05-31' };
const refusal = { errors: [{ message: 'It is so.' }, { message: 'And so' }] };

/** How a call for monitoring 7 ends when the server answers like this. */
async function errorOn(answer: Answer): Promise<Error> {
  const { client } = await openClient(answer);
  return rejection(client.monitorings.get(7));
}

describe('what a call rejects with', () => {
  it.each([
    [400, ServiceError, 2],
    [401, AuthenticationError, 3],
    [403, AuthenticationError, 3],
    [404, NotFoundError, 3],
    [422, ServiceError, 2],
    [429, ServiceError, 4],
    [503, ServiceError, 4],
    // The reference does not show the status of errors: one with a success's is an error still.
    [200, ServiceError, 4],
  ])('is told by the status of the error object: %i', async (status, type, exitCode) => {
    const error = await errorOn((_, response) => json(response, status, refusal));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({
      name: type.name,
      status,
      exitCode,
      messages: ['It is so.', 'And so'],
    });
    expect(error.message).toMatch(
      new RegExp(
        `^GET http://127.0.0.1:\\d+/5.0/monitorings/7 was refused with ${status}: It is so; And so.`,
      ),
    );
  });

  it('says what came instead of JSON, cut short and safe to print', async () => {
    const page = `<html>\n<h1>Bad\u0007 \u202egateway</h1>${'x'.repeat(500)}`;
    const error = await errorOn((_, response) => {
      response.writeHead(502).end(page);
    });
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 502, messages: [], exitCode: 4 });
    expect(error.message).toContain(`its body isn't JSON: "<html> <h1>Bad gateway</h1>xxx`);
    expect(error.message).toContain('…"');
    expect(error.message.length).toBeLessThan(450);
  });

  it('asks for the base URL when the answer is not what the service gives', async () => {
    const answers: [unknown, string][] = [
      [{}, 'its "id" is not a whole number'],
      [[], 'it is not an object'],
      [{ id: 7, title: 't', status: 'active' }, 'its "searches" is not a list of objects'],
      [
        { id: 7, title: 't', status: 'active', searches: [1] },
        'its "searches" is not a list of objects',
      ],
    ];
    for (const [answer, wrong] of answers) {
      const error = await errorOn((_, response) => json(response, 200, answer));
      expect(error).toBeInstanceOf(ServiceError);
      expect(error.message).toContain(
        `not in the service's format: ${wrong}. Is the base URL right?`,
      );
    }
    const empty = await errorOn((_, response) => {
      response.end();
    });
    expect(empty.message).toContain('its body is empty. Is the base URL right?');
  });

  it('asks for the base URL, too, when something other than the service refuses the credentials', async () => {
    const login = await errorOn((_, response) => {
      response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
    });
    expect(login).toBeInstanceOf(AuthenticationError);
    expect(login.message).toMatch(/Check the user name and the API key\. Is the base URL right\?$/);
  });

  it.each([
    ['', '/5.0'],
    ['/4.0', '/5.0'],
    ['/v5.0', '/5.0'],
    ['/5', '/5.0'],
    ['/monitorings', '/5.0'],
    ['/5.0/monitorings/1', '/5.0'],
    ['/gateway', '/gateway/5.0'],
    ['/tenants/42/5.0/documents', '/tenants/42/5.0'],
    ['/tenants/42/5.0', undefined],
  ])('suggests where the version belongs in a base URL: %j', async (path, likely) => {
    const { baseUrl } = await startServer((_, response) => json(response, 401, refusal));
    const { origin } = new URL(baseUrl);
    await using client = createClient({ ...credentials, baseUrl: origin + path });
    const { message } = await rejection(client.monitorings.list());
    const suggestion = `The base URL ${origin}${path} doesn't end in the version, 5.0: is it ${origin}${likely}?`;
    expect(message).toContain(
      `Check the user name and the API key.${likely === undefined ? '' : ` ${suggestion}`}`,
    );
    if (likely === undefined) expect(message).not.toContain('base URL');
    await using legacy = createLegacyClient({ ...credentials, baseUrl: `${origin}/4.0` });
    expect((await rejection(legacy.monitorings())).message).not.toContain('base URL');
  });

  it('says that a change may have been applied when it got no answer, and of a question not', async () => {
    const { client } = await openClient((request) => {
      request.socket.destroy();
    });
    const search = { source: 'RSS', query: 'q' } as const;
    const calls: [Promise<unknown>, boolean][] = [
      [client.monitorings.create({ title: 't', status: 'paused', searches: [search] }), true],
      [client.monitorings.rename(1, 't'), true],
      [client.monitorings.addSearches(1, [search]), true],
      [client.monitorings.removeSearches(1, [2]), true],
      [client.importDocuments(1, [{ text: 't' }]), true],
      [client.monitorings.list(), false],
      [client.documents.page(query), false],
      [client.context.page(1), false],
    ];
    const errors = await Promise.all(calls.map(([call]) => rejection(call)));
    for (const error of errors) expect(error).toBeInstanceOf(ServiceDownError);
    const applied = errors.map((error) => (error as ServiceDownError).mayHaveBeenApplied);
    expect(applied).toEqual(calls.map(([, mayHaveBeenApplied]) => mayHaveBeenApplied));
  });

  it('is the reason of a signal, whether it was aborted before or meanwhile', async () => {
    const { client, server } = await openClient(() => {});
    const reason = new Error('enough');
    const before = client.monitorings.list({ signal: AbortSignal.abort(reason) });
    expect(await rejection(before)).toBe(reason);
    expect(server.requests).toEqual([]);
    const controller = new AbortController();
    const meanwhile = client.documents.page(query, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 30);
    expect(await rejection(meanwhile)).toBe(reason);
  });

  it('names the client when it was closed, and closing it again changes nothing', async () => {
    const { client } = await openClientOn([{ monitorings: [] }]);
    await client.monitorings.list();
    await Promise.all([client.close(), client.close()]);
    await client.close();
    const error = await rejection(client.monitorings.list());
    expect(error).toBeInstanceOf(ServiceDownError);
    expect(error.message).toContain('the client was closed');
  });
});

describe('credentials', () => {
  const { username, apiKey } = credentials;
  const pair = `${username}:${apiKey}`;
  const base64 = Buffer.from(pair).toString('base64');
  const secrets = [apiKey, pair, base64, encodeURIComponent(apiKey)];
  const echo = `Bearer ${apiKey}, ${pair}, Basic ${base64}, ?key=${encodeURIComponent(apiKey)}`;

  function expectNoSecret(error: Error): void {
    const texts = [
      inspect(error, { depth: null, showHidden: true }),
      JSON.stringify(error),
      String(error.stack),
      String(error.cause),
    ];
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
  }

  it.each<[string, Answer]>([
    [
      'an error object',
      (_, response) => json(response, 400, { errors: [{ message: `Bad ${echo}` }] }),
    ],
    [
      'a page that is cut within the key',
      (_, response) => {
        response.writeHead(500).end(`${'x'.repeat(192)} ${echo}`);
      },
    ],
    [
      'a redirect with the key in it',
      (_, response) => {
        const location = `http://${username}:${encodeURIComponent(apiKey)}@127.0.0.1/`;
        response.writeHead(307, { location }).end();
      },
    ],
    [
      'something else than HTTP',
      (request) => {
        request.socket.end(`${echo}\r\n\r\n`);
      },
    ],
  ])('are in no error, even if the service sends them back in %s', async (_, answer) => {
    const { client } = await openClient(answer);
    expectNoSecret(await rejection(client.monitorings.list()));
    expectNoSecret(await rejection(client.importDocuments(1, [{ text: 't' }])));
  });

  it('are in no error of a client that can not be opened', () => {
    const connections = [
      { baseUrl: `https//${pair}@example.com`, ...credentials },
      { baseUrl: `https://${username}:${encodeURIComponent(apiKey)}@example.com`, ...credentials },
      { baseUrl: 'https://example.com', username: pair, apiKey },
      { baseUrl: 'https://example.com', ...credentials, ca: 'none' },
    ];
    for (const connection of connections) {
      try {
        createClient(connection);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(OptionError);
        expectNoSecret(error as Error);
      }
    }
  });
});

describe('createClient', () => {
  it.each([
    [{ connections: 0 }, /^connections is 0/],
    [{ filterMethod: 'PUT' as 'GET' }, /^filterMethod is "PUT"/],
  ])('refuses %o', (options, message) => {
    const connection = { baseUrl: 'https://example.com/5.0', ...credentials };
    expect(() => createClient(connection, options)).toThrow(OptionError);
    expect(() => createClient(connection, options)).toThrow(message);
  });
});
