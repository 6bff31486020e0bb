import { describe, expect, it } from 'vitest';
import { type createClient, ServiceError } from '../../src/api/index.js';
import { json } from '../helpers/http-server.js';
import { openClient, rejection } from './open-client.js';

/** Values that end in an exception where they are taken for text or a number. */
const HOSTILE: readonly unknown[] = [
  { toString: 1 },
  [[{ toString: 1 }]],
  { valueOf: null },
  null,
  -1,
  1e300,
  'x',
];
const query = { monitorings: 1, start: '2024-05-01', end: '2024-05-31' };

describe('an answer whose values are not what they should be', () => {
  /** A good answer of each kind, and who asks for it. */
  const ANSWERS: readonly [
    object,
    (client: ReturnType<typeof createClient>) => Promise<unknown>,
  ][] = [
    [{ documents: [{ id: 1 }], total: 1, offset: 0 }, (client) => client.documents.page(query)],
    [
      { documents: [{ id: 1 }], remaining: 0, nextCursor: '20240531183000.0' },
      (client) => client.feed(query).next(),
    ],
    [
      { documents: [{ id: 1, parentId: null }], total: 1, offset: 0 },
      (client) => client.context.page(1),
    ],
    [{ authors: [{ id: 1 }], total: 1 }, (client) => client.authors.page(query)],
    [{ indicators: [{ name: 'posts' }] }, (client) => client.indicators(query)],
    [{ id: 1, title: 't', status: 'active', searches: [] }, (client) => client.monitorings.get(1)],
    [{ monitorings: [{ id: 1, title: 't', status: 's' }] }, (client) => client.monitorings.list()],
    [
      { accepted: true, documents: 1 },
      (client) => client.importDocuments(1, [{ sourceId: 'a' } as never]),
    ],
  ];

  it.each(ANSWERS)('is a ServiceError, for each field of %j', async (good, ask) => {
    let answer: object = good;
    const { client } = await openClient((_, response) => json(response, 200, answer));
    await ask(client);
    for (const field of Object.keys(good).filter((name) => name !== 'offset')) {
      for (const value of HOSTILE) {
        // A negative id, and any text, could be.
        if (field === 'id' && value === -1) continue;
        if (value === 'x' && typeof good[field as never] === 'string') continue;
        answer = { ...good, [field]: value };
        const error = await rejection(ask(client));
        expect(error, JSON.stringify(answer)).toBeInstanceOf(ServiceError);
      }
    }
  });
});
