import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/api/index.js';
import { collect } from '../helpers/collect.js';
import { json, type TestServer } from '../helpers/http-server.js';
import { openClient, openClientOn, rejection } from './open-client.js';

const query = { monitorings: 1, start: '2024-05-01', end: '2024-05-31' };

const withId = (id: number) => ({ id });
const ids = (length: number, from = 1) => Array.from({ length }, (_, at) => withId(from + at));

/** A server whose list has this many entries, in pages of this size, of which it says `total`. */
function paged(key: 'documents' | 'authors', there: number, size: number, total = there) {
  return openClient((_, response, body) => {
    const offset = Number(new URLSearchParams(body).get('offset') ?? 0);
    const page = ids(there, 1).slice(offset, offset + size);
    json(response, 200, { [key]: page, total, offset, count: page.length, max: 500 });
  });
}

function offsets({ requests }: TestServer): (string | null)[] {
  return requests.map(({ body }) => new URLSearchParams(body).get('offset'));
}

describe('documents.all', () => {
  it('ends at an empty page, whatever the total says', async () => {
    const { client, server } = await paged('documents', 4, 3, 100);
    expect(await collect(client.documents.all(query))).toHaveLength(4);
    expect(offsets(server)).toEqual(['0', '3', '4']);
  });

  it('asks for nothing before a document is wanted, and for no more than is wanted', async () => {
    const { client, server } = await paged('documents', 7, 3);
    const all = client.documents.all(query);
    expect(server.requests).toEqual([]);
    for await (const { id } of all) if (id === 3) break;
    expect(offsets(server)).toEqual(['0']);
  });

  it('ends with an error where the service ignores the offset', async () => {
    const { client, server } = await openClientOn([{ documents: ids(3), total: 9, offset: 0 }]);
    const error = await rejection(collect(client.documents.all(query)));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error.message).toContain('ignore the offset');
    expect(server.requests).toHaveLength(2);
  });

  it('goes on where documents arrive meanwhile, as many as a page has', async () => {
    const newestFirst = ids(12).reverse();
    let arrived = 6;
    const { client } = await openClient((_, response, body) => {
      const offset = Number(new URLSearchParams(body).get('offset'));
      const list = newestFirst.slice(-arrived);
      json(response, 200, {
        documents: list.slice(offset, offset + 3),
        total: list.length,
        offset,
      });
      arrived = Math.min(arrived + 3, 12);
    });
    const all = await collect(client.documents.all(query));
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });

  it('ends with an error where pages come again, though the total grows with the offset', async () => {
    const { client, server } = await openClient((_, response, body) => {
      const offset = Number(new URLSearchParams(body).get('offset'));
      const documents = ids(3, 1 + (offset % 9));
      json(response, 200, { documents, total: offset + 100, offset });
    });
    const error = await rejection(collect(client.documents.all(query)));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error.message).toContain('never end');
    expect(server.requests.length).toBeLessThanOrEqual(3 * 3);
  });
});
