import { describe, expect } from 'vitest';
import type { FeedPage } from '../../src/api/index.js';
import { collect } from '../helpers/collect.js';
import { message } from './message.js';
import { ALWAYS, expectOptionError, expectRefusal, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

/** 250 messages: each was published a day before the one before it, and downloaded a minute after. */
const KEYS = Array.from({ length: 250 }, (_, at) => `m${at}`);
const FIRST = Date.UTC(2024, 4, 1);
const MINUTE = 60_000;

const iso = (time: number): string => new Date(time).toISOString();

const service = serviceWith(async (sandbox) => {
  for (const id of [1, 2, 3]) await sandbox.ensureMonitoring(id);
  const captured = KEYS.map((key, at) =>
    message(key, {
      source: at % 5 === 0 ? 'NTC' : 'TWT',
      published: iso(FIRST - at * 24 * 60 * MINUTE),
      downloaded: iso(FIRST + at * MINUTE),
    }),
  );
  // The order of capture says nothing about the time of download.
  await sandbox.capture(1, captured.toReversed());
});

const pages = (query: object = {}, cursor?: string): Promise<FeedPage[]> =>
  collect(service.client.feed({ monitorings: 1, ...query }, cursor ? { cursor } : {}));

const keysOn = (list: readonly FeedPage[]): unknown[] =>
  list.flatMap(({ documents }) => keysOf(documents));

const first = async (): Promise<FeedPage> => (await pages())[0]!;

describe('feed', () => {
  rule('feed.required', 'monitorings is all it needs, and it needs that', async () => {
    const form = { monitorings: '1' };
    expect((await service.call('POST', '/5.0/documents/feed', { form })).status).toBe(200);
    expectRefusal(await service.call('POST', '/5.0/documents/feed', { form: { ...ALWAYS } }));
    expectRefusal(await service.call('POST', '/5.0/documents/feed'));
  });

  rule('feed.window', 'start and end are ignored', async () => {
    const nothing = { start: '2001-01-01 00:00', end: '2001-01-02 00:00' };
    expect(await pages(nothing)).toEqual(await pages());
  });

  rule('feed.filters', 'optional filters restrict it', async () => {
    const found = await pages({ viewSource: 'NTC' });
    expect(keysOn(found)).toEqual(KEYS.filter((_, at) => at % 5 === 0));
    expect(found[0]).toMatchObject({ remaining: 0 });
  });

  rule('feed.most', 'a page holds up to 100', async () => {
    const lengths = (await pages()).map(({ documents }) => documents.length);
    expect(lengths).toEqual([100, 100, 50]);
  });

  rule('feed.empty', 'of nothing it is one page, without documents', async () => {
    const [page, ...rest] = await pages({ monitorings: 2 });
    expect(rest).toEqual([]);
    expect(page).toMatchObject({ documents: [], remaining: 0 });
    expect(page!.nextCursor).toEqual(expect.any(String));
  });
});

describe('feed / rule 1', () => {
  rule('feed.rule-1.format', 'documents have the format of POST /documents', async () => {
    const { documents } = await service.client.documents.page({ monitorings: 1, ...ALWAYS });
    expect(documents.slice(0, 100)).toEqual((await first()).documents);
  });
});

describe('feed / rule 2', () => {
  rule('feed.rule-2.all', 'cursor by cursor every document comes once', async () => {
    expect(keysOn(await pages())).toEqual(KEYS);
    const sent = service.exchanges.map(({ body }) => new URLSearchParams(body).get('cursor'));
    const given = service.exchanges.map(({ answer }) => JSON.parse(answer).nextCursor);
    expect(sent).toEqual([null, ...given.slice(0, -1)]);
  });
});

describe('feed / rule 3', () => {
  rule('feed.rule-3', 'remaining counts what can still be had', async () => {
    expect((await pages()).map(({ remaining }) => remaining)).toEqual([150, 50, 0]);
    expect((await pages({ viewSource: 'TWT' })).map(({ remaining }) => remaining)).toEqual([
      100, 0,
    ]);
  });

  rule('feed.rule-3.stored', 'a stored cursor gives only what is new', async () => {
    const query = { monitorings: 3 };
    const late = FIRST + 10_000 * MINUTE;
    const at = (key: string, time: number) =>
      message(key, { downloaded: iso(time), published: iso(FIRST) });
    await service.sandbox.capture(3, [at('old', late)]);
    const [{ nextCursor: stored, remaining } = { nextCursor: '', remaining: -1 }] =
      await pages(query);
    expect(remaining).toBe(0);
    expect((await pages(query, stored))[0]).toMatchObject({ documents: [], remaining: 0 });
    await service.sandbox.capture(3, [at('new', late + MINUTE), at('same second', late)]);
    expect(keysOn(await pages(query, stored))).toEqual(['same second', 'new']);
  });
});

describe('feed / rule 4', () => {
  rule('feed.rule-4', 'filters are sent again unchanged', async () => {
    await pages({ viewSource: 'TWT', languages: ['es', 'en'], query: 'text' });
    await pages({ viewSource: 'TWT', query: 'text' });
    const sent = service.exchanges.map(({ body }) => {
      const parameters = new URLSearchParams(body);
      parameters.delete('cursor');
      return parameters.toString();
    });
    expect(sent).toEqual([
      'monitorings=1&viewSource=TWT&languages=es%2Cen&query=text',
      'monitorings=1&viewSource=TWT&query=text',
      'monitorings=1&viewSource=TWT&query=text',
    ]);
  });
});

describe('feed / rule 5', () => {
  rule('feed.rule-5', 'a cursor is a time of download in GMT and a number', async () => {
    const cursors = (await pages()).map(({ nextCursor }) => nextCursor);
    const times = cursors.map((cursor) => /^(\d{14})\.\d+$/.exec(cursor)?.[1]);
    expect(times).toEqual(['20240501013900', '20240501031900', '20240501040900']);
  });

  for (const cursor of ['yesterday', '20240501.0', '20240501000000', '2024-05-01 00:00.0', '']) {
    rule('feed.rule-5.others', `"${cursor}" is no cursor`, async () => {
      const form = { monitorings: '1', cursor };
      expectRefusal(await service.call('POST', '/5.0/documents/feed', { form }));
      const byClient = collect(service.client.feed({ monitorings: 1 }, { cursor }));
      await expectOptionError(byClient, 'cursor');
    });
  }
});

describe('feed / rule 6', () => {
  rule('feed.rule-6', 'a cursor with 0 behind the time starts at that moment', async () => {
    const found = await pages({}, '20240501040000.0');
    expect(keysOn(found)).toEqual(KEYS.slice(240));
    expect(keysOn(await pages({}, '20240501040001.0'))).toEqual(KEYS.slice(241));
  });
});
