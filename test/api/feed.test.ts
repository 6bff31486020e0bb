import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/api/index.js';
import { collect } from '../helpers/collect.js';
import type { TestServer } from '../helpers/http-server.js';
import { openClientOn, rejection } from './open-client.js';

/** A page that ends at this minute of a day. */
function page(minute: number, remaining: number, documents = 1) {
  return {
    documents: Array.from({ length: documents }, (_, at) => ({ id: minute * 100 + at })),
    remaining,
    nextCursor: cursor(minute),
  };
}

function cursor(minute: number): string {
  return `202405010000${String(minute).padStart(2, '0')}.${minute}`;
}

function sent({ requests }: TestServer): Record<string, string>[] {
  return requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
}

describe('feed', () => {
  it('sends the filters that it was given first, though the caller changes them', async () => {
    const { client, server } = await openClientOn([page(1, 1), page(2, 0)]);
    const query = { monitorings: 7, query: 'first' };
    const pages = client.feed(query);
    await pages.next();
    query.query = 'second';
    await collect(pages);
    expect(sent(server).map((form) => form['query'])).toEqual(['first', 'first']);
  });

  it.each([
    ['says that more remains without giving it', [page(1, 5, 0), page(1, 5, 0)]],
    ['gives the same page for ever', [page(1, 5), page(1, 5)]],
  ])('ends with an error where the service %s', async (_, answers) => {
    const { client, server } = await openClientOn(answers);
    const error = await rejection(collect(client.feed({ monitorings: 7 })));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error.message).toContain(cursor(1));
    expect(server.requests).toHaveLength(2);
  });

  it('ends with an error where its cursors go round in a circle', async () => {
    const round = [2, 3, 4].map((minute) => page(minute, 5));
    const { client, server } = await openClientOn([page(1, 5), ...Array(5).fill(round).flat()]);
    const error = await rejection(collect(client.feed({ monitorings: 7 })));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error.message).toContain('same cursor again');
    expect(server.requests.length).toBeLessThanOrEqual(1 + 3 * 3);
  });
});
