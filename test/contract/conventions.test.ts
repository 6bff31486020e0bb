import { describe, expect } from 'vitest';
import { createClient, OptionError } from '../../src/api/index.js';
import type { Call } from '../helpers/start-sandbox.js';
import { message } from './message.js';
import { ALWAYS, expectRefusal, rule } from './rule.js';
import { serviceWith } from './service.js';

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1);
  await sandbox.capture(1, [message('a'), message('b', { parentSourceId: 'a' })]);
});

const form = { monitorings: '1', ...ALWAYS };
const address = new URLSearchParams(form).toString();
const searches = [{ source: 'RSS', query: 'https://news.example.com/feed' }];

/** Every call of the reference, with what it needs to be answered. */
const CALLS: readonly (readonly [method: string, path: string, call?: Call])[] = [
  ['GET', '/5.0/monitorings'],
  ['POST', '/5.0/monitorings', { json: { title: 'Any', status: 'paused', searches } }],
  ['GET', '/5.0/monitorings/1'],
  ['POST', '/5.0/monitorings/1/title', { json: { title: 'Hôtels' } }],
  ['POST', '/5.0/monitorings/1/searches', { json: { searches } }],
  [
    'POST',
    '/5.0/monitorings/1/documents',
    { json: { documents: [{ source: 'RVW', sourceId: 'r', text: 'x' }] } },
  ],
  ...['documents', 'documents/feed', 'authors', 'indicators', 'chart'].flatMap(
    (name) =>
      [
        ['POST', `/5.0/${name}`, { form }],
        ['GET', `/5.0/${name}?${address}`],
      ] as const,
  ),
  ['POST', '/5.0/documents/1/context'],
  ['GET', '/4.0/monitorings'],
  ['GET', `/4.0/documents?${address}`],
  ['GET', `/4.0/authors?${address}`],
  ['GET', `/4.0/indicators?${address}`],
];

const shown = (path: string): string => path.split('?')[0]!;

describe('conventions', () => {
  for (const [method, path, call] of CALLS) {
    rule('conventions.compact', `${method} ${shown(path)} answers compact JSON`, async () => {
      const { status, headers, text, body } = await service.call(method, path, call);
      expect([status, text]).toEqual([200, JSON.stringify(body)]);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    });

    rule('conventions.pretty', `${method} ${shown(path)} formats it for ?pretty`, async () => {
      const pretty = `${path}${path.includes('?') ? '&' : '?'}pretty`;
      const { status, text, body } = await service.call(method, pretty, call);
      expect(status).toBe(200);
      expect(text.split('\n').length).toBeGreaterThan(2);
      expect(text.trimEnd()).toBe(JSON.stringify(body, null, 2));
    });
  }

  rule('conventions.pretty.delete', 'DELETE formats its answer, too', async () => {
    const made = await service.client.monitorings.create({
      ...{ title: 'Any', status: 'active' },
      searches: ['a', 'b'].map((query) => ({ source: 'RSS', query })),
    });
    const path = `/5.0/monitorings/${made.id}/searches/${made.searches[0]!.id}?pretty`;
    const { status, text } = await service.call('DELETE', path);
    expect([status, text]).toEqual([200, expect.stringContaining('\n  "searches": [\n')]);
  });

  rule('conventions.pretty.errors', 'errors are formatted, too', async () => {
    const refused = await service.call('GET', '/5.0/monitorings/999999?pretty');
    expectRefusal(refused);
    expect(refused.text).toContain('\n  "errors": [\n');
  });

  rule('conventions.browser', 'a GET with nothing but Basic credentials is answered', async () => {
    const { username, apiKey } = service.sandbox;
    const authorization = `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`;
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const path = `${service.client.baseUrl}/documents?${address}&pretty`;
    const response = await fetch(path, { headers: { authorization, accept } });
    expect(response.status).toBe(200);
  });

  rule('conventions.browser.asks', 'without credentials a browser is told to ask', async () => {
    const response = await fetch(`${service.client.baseUrl}/monitorings`);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
    await response.text();
  });

  rule('conventions.https', 'the client refuses to send a key without HTTPS', () => {
    const connection = { username: 'ana@example.com', apiKey: 'key' };
    for (const baseUrl of ['http://api.example.com/5.0', 'http://192.0.2.7/5.0']) {
      expect(() => createClient({ ...connection, baseUrl })).toThrow(OptionError);
    }
    expect(() =>
      createClient({ ...connection, baseUrl: 'https://api.example.com/5.0' }),
    ).not.toThrow();
  });
});
