import { describe, expect } from 'vitest';
import { NotFoundError, ServiceError } from '../../src/api/index.js';
import type { Call } from '../helpers/start-sandbox.js';
import { ALWAYS, expectRefusal, rule } from './rule.js';
import { serviceWith } from './service.js';

const service = serviceWith((sandbox) => sandbox.ensureMonitoring(1), {
  maxBodyBytes: 10_000,
  maxDocuments: 5,
});

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const TAKE_JSON = [
  '/5.0/monitorings',
  '/5.0/monitorings/1/title',
  '/5.0/monitorings/1/searches',
  '/5.0/monitorings/1/documents',
];
const FILTERING = ['/5.0/documents', '/5.0/documents/feed', '/5.0/authors', '/5.0/indicators'];

interface Failure {
  readonly id: string;
  readonly says: string;
  readonly method: string;
  readonly path: string;
  readonly call?: Call;
}

const NOWHERE: readonly Failure[] = [
  ...[
    ...['/', '/5.0', '/monitorings', '/5.1/monitorings', '/4.0', '/5.0/', '/5.0/nowhere'],
    ...['/5.0/monitorings/', '/5.0/Monitorings', '/5.0/monitorings/1/status'],
    ...['/5.0/documents/1', '/5.0/authors/1', '/5.0/events', '/5.0//monitorings'],
  ].map((path) => ({
    ...{ id: 'errors.unknown-route', says: `there is nothing at ${path}` },
    ...{ method: 'GET', path },
  })),
  ...(
    [
      ['PUT', '/5.0/monitorings/1'],
      ['DELETE', '/5.0/monitorings/1'],
      ['PATCH', '/5.0/monitorings/1'],
      ['GET', '/5.0/monitorings/1/title'],
      ['GET', '/5.0/monitorings/1/documents'],
      ['GET', '/5.0/documents/1/context'],
      ['PUT', '/5.0/documents'],
      ['POST', '/4.0/documents'],
    ] as const
  ).map(([method, path]) => ({
    ...{ id: 'errors.method', says: `there is no ${method} ${path}` },
    ...{ method, path },
  })),
  ...['0', '01', '-1', '1.0', 'one', '999999', '99999999999999999999', '%00', '1%2C2'].map(
    (given) => ({
      ...{ id: 'errors.unknown-id', says: `there is no monitoring ${given}` },
      ...{ method: 'GET', path: `/5.0/monitorings/${given}` },
    }),
  ),
  {
    ...{ id: 'errors.unknown-filter-id', says: 'a filter names no unknown monitoring' },
    ...{ method: 'POST', path: '/5.0/documents' },
    call: { form: { monitorings: '1,999999', ...ALWAYS } },
  },
];

const MALFORMED: readonly Failure[] = [
  ...TAKE_JSON.flatMap((path) =>
    ['', '{"title":', 'title=x', '[1,2]', 'null', '"text"', '12', '{"a":1}{'].map((body) => ({
      ...{ id: 'errors.malformed-json', says: `${path} can't use the body ${body || '(none)'}` },
      ...{ method: 'POST', path, call: { body, headers: JSON_TYPE } },
    })),
  ),
  ...TAKE_JSON.map((path) => ({
    ...{ id: 'errors.encoding', says: `${path} can't use a body that is not UTF-8` },
    ...{ method: 'POST', path },
    call: { body: new Uint8Array([0x7b, 0xff, 0x7d]), headers: JSON_TYPE },
  })),
  ...[...FILTERING, '/5.0/chart'].flatMap((path) => [
    {
      ...{ id: 'errors.malformed-form', says: `${path} can't use broken percent-encoding` },
      ...{ method: 'POST', path, call: { body: 'monitorings=%', headers: FORM_TYPE } },
    },
    {
      ...{ id: 'errors.json-for-form', says: `${path} can't use JSON` },
      ...{ method: 'POST', path, call: { body: '{"monitorings":[1]}', headers: JSON_TYPE } },
    },
  ]),
  {
    ...{ id: 'errors.compressed', says: "a compressed body can't be used" },
    ...{ method: 'POST', path: '/5.0/monitorings' },
    call: { json: {}, headers: { 'content-encoding': 'gzip' } },
  },
  {
    ...{ id: 'errors.too-large', says: 'a body can be too large' },
    ...{ method: 'POST', path: '/5.0/monitorings' },
    call: { json: { title: 'x'.repeat(20_000) } },
  },
  {
    ...{ id: 'errors.too-many', says: 'an import can hold too many documents' },
    ...{ method: 'POST', path: '/5.0/monitorings/1/documents' },
    call: { json: { documents: Array(6).fill({ source: 'RVW', sourceId: 'a', text: 'b' }) } },
  },
];

describe('errors', () => {
  for (const { id, says, method, path, call } of [...NOWHERE, ...MALFORMED]) {
    rule(id, says, async () => {
      const refused = await service.call(method, path, call);
      expectRefusal(refused);
      expect(refused.headers.get('content-type')).toMatch(/^application\/json/);
      // A message is for people: nothing of the program stands in it.
      expect(refused.text).not.toMatch(/node_modules|\.js:|\.ts:|SQLITE|at \w+ \(/);
    });
  }

  rule('errors.list', 'the list holds every error that was detected', async () => {
    const form = { monitorings: 'x', start: 'x', end: 'x', offset: 'x', viewSource: 'x' };
    const { body } = await service.call('POST', '/5.0/documents', { form });
    const messages: string[] = body.errors.map(({ message }: { message: string }) => message);
    for (const name of Object.keys(form)) {
      expect(messages.filter((message) => message.startsWith(name))).toHaveLength(1);
    }
    const json = { title: '', status: 'off', searches: [] };
    const created = await service.call('POST', '/5.0/monitorings', { json });
    expect(created.body.errors).toHaveLength(3);
  });

  rule('errors.status', 'assumed: the status tells errors from answers', async () => {
    const refused = await service.call('GET', '/5.0/monitorings/999999');
    expect(refused.status).toBe(404);
    const form = { monitorings: '1' };
    expect((await service.call('POST', '/5.0/documents', { form })).status).toBe(400);
  });

  rule('errors.client', 'the client throws what the service said', async () => {
    const missing = service.client.monitorings.get(999_999);
    await expect(missing).rejects.toThrow(NotFoundError);
    await expect(missing).rejects.toMatchObject({ status: 404, messages: [expect.any(String)] });
    const last = await service.client.monitorings.get(1);
    const emptied = service.client.monitorings.removeSearches(1, [last.searches[0]!.id]);
    await expect(emptied).rejects.toThrow(ServiceError);
    await expect(emptied).rejects.toMatchObject({ messages: [expect.any(String)] });
  });
});
