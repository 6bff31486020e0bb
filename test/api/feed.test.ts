import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type FeedPage, OptionError, ServiceError } from '../../src/api/index.js';
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

const nextCursors = (pages: readonly FeedPage[]) => pages.map(({ nextCursor }) => nextCursor);

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

  it('follows on when told to, and gives only pages with documents then', async () => {
    const polls = [page(1, 1), page(2, 0, 0), page(2, 0, 0), page(3, 1), page(4, 0), page(4, 0, 0)];
    const { client, server } = await openClientOn([...polls, page(5, 0)]);
    const pages: FeedPage[] = [];
    for await (const one of client.feed({ monitorings: 7 }, { follow: true, intervalMs: 1 })) {
      pages.push(one);
      if (one.nextCursor === cursor(5)) break;
    }
    expect(nextCursors(pages)).toEqual([1, 2, 3, 4, 5].map(cursor));
    expect(server.requests).toHaveLength(7);
  });

  it('stops waiting at once when it is aborted, with the reason', async () => {
    const { client, server } = await openClientOn([page(1, 0)]);
    const controller = new AbortController();
    const { signal } = controller;
    const pages = client.feed({ monitorings: 7 }, { follow: true, intervalMs: 600_000, signal });
    await pages.next();
    const waiting = rejection(pages.next());
    setTimeout(() => controller.abort(new Error('enough')), 30);
    expect(await waiting).toBe(signal.reason);
    expect(server.requests).toHaveLength(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
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

  it('ends with an error where its cursors go round in a circle, also while following', async () => {
    for (const follow of [false, true]) {
      const remaining = follow ? 0 : 5;
      const round = [2, 3, 4].map((minute) => page(minute, remaining));
      const { client, server } = await openClientOn([page(1, 5), ...Array(5).fill(round).flat()]);
      const pages = client.feed({ monitorings: 7 }, { follow, intervalMs: 1 });
      const error = await rejection(collect(pages));
      expect(error).toBeInstanceOf(ServiceError);
      expect(error.message).toContain('same cursor again');
      expect(server.requests.length).toBeLessThanOrEqual(1 + 3 * 3);
    }
  });

  it.each([
    [{ intervalMs: 0 }, /^intervalMs is 0; /],
    [{ intervalMs: 2 ** 31 }, /^intervalMs is 2147483648; /],
    [{ intervalMs: Number.NaN }, /^intervalMs is NaN; /],
  ])('refuses %o before it asks', async (options, message) => {
    const { client, server } = await openClientOn([page(1, 0)]);
    const error = await rejection(collect(client.feed({ monitorings: 7 }, options)));
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toMatch(message);
    expect(server.requests).toEqual([]);
  });
});
