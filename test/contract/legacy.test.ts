import { describe, expect } from 'vitest';
import { message, metrics } from './message.js';
import { ALWAYS, expectRefusal, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

const NEWS = {
  source: 'NTC',
  parentSourceId: 'elsewhere',
  title: 'Reopened',
  text: 'The hotel is open again',
  imageUrl: 'https://img.example.com/1.jpg',
  url: 'https://news.example.com/1',
  language: 'en',
  published: '2024-05-02T10:00:00Z',
  downloaded: '2024-05-02T10:05:00Z',
} as const;
/** Its author, but for the name. */
const DAILY = {
  source: 'NTC',
  sourceId: 'u-1',
  username: 'daily',
  authorUrl: 'https://news.example.com',
  imageUrl: 'https://img.example.com/daily.jpg',
} as const;

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1, 'Hotels');
  await sandbox.capture(1, [
    message('news', {
      ...NEWS,
      metrics: metrics({ likes: 3, comments: 2, shares: 1 }),
      author: {
        ...{ ...DAILY, name: 'The Daily' },
        metrics: metrics({ followers: 900, following: 30, publications: 1200 }),
      },
    }),
    message('bare', {
      published: '2024-05-01T10:00:00Z',
      author: { source: 'TWT', sourceId: 'b' },
    }),
    message('bare too', {
      ...{ published: '2024-04-01T10:00:00Z', author: { source: 'TWT', sourceId: 'b' } },
      metrics: metrics({ likes: 10, impressions: 5 }),
    }),
  ]);
});

const query = { monitorings: 1, ...ALWAYS };
const ask = (name: string, more: Record<string, string> = {}) =>
  service.call(
    'GET',
    `/4.0/${name}?${new URLSearchParams({ ...query, monitorings: '1', ...more })}`,
  );

describe('legacy 4.0 / monitorings', () => {
  rule('legacy.monitorings', 'the list shows id and title, no more', async () => {
    expect(await service.legacy.monitorings()).toEqual([{ id: 1, title: 'Hotels' }]);
    expect((await service.call('GET', '/4.0/monitorings')).body).toEqual({
      monitorings: [{ id: 1, title: 'Hotels' }],
    });
  });
});

describe('legacy 4.0 / documents', () => {
  rule('legacy.documents', 'documents stand in data, metrics are fields', async () => {
    const answer = await service.legacy.documents(query);
    expect(Object.keys(answer)).toEqual(['data']);
    expect(answer.data[0]).toEqual({
      ...{ ...NEWS, id: expect.any(Number), sourceId: 'news' },
      ...{ likes: 3, comments: 2, shares: 1 },
      author: {
        ...{ ...DAILY, id: expect.any(Number), name: 'The Daily' },
        ...{ followers: 900, following: 30, posts: 1200 },
      },
    });
  });

  rule('legacy.documents.comments', 'comments may be null', async () => {
    const { data } = await service.legacy.documents({ ...query, viewSource: 'TWT' });
    expect(data.map(({ comments }) => comments)).toEqual([null, null]);
  });

  rule(
    'legacy.documents.order',
    'assumed: order, rankings and offset are those of 5.0',
    async () => {
      expect(keysOf((await service.legacy.documents(query)).data)).toEqual([
        ...['news', 'bare', 'bare too'],
      ]);
      const ranked = { ...query, viewSource: 'TWT', docRanking: 'likes' } as const;
      expect(keysOf((await service.legacy.documents(ranked)).data)).toEqual(['bare too', 'bare']);
      const rest = await service.legacy.documents({ ...query, offset: 2 });
      expect(keysOf(rest.data)).toEqual(['bare too']);
    },
  );
});

describe('legacy 4.0 / authors', () => {
  rule('legacy.authors', 'authors stand in data, beside total, offset and count', async () => {
    const answer = await service.legacy.authors(query);
    expect(Object.keys(answer).toSorted()).toEqual(['count', 'data', 'offset', 'total']);
    expect(answer).toMatchObject({ total: 3, offset: 0, count: 2 });
    expect(keysOf(answer.data)).toEqual(['b', 'u-1']);
    expect(answer.data[1]).toEqual({
      ...{ ...DAILY, id: expect.any(Number), fullname: 'The Daily' },
      indicators: { followers: 900, following: 30, publications: 1200 },
    });
  });
});

describe('legacy 4.0 / indicators', () => {
  rule('legacy.indicators.names', 'the seven names of the example are there', async () => {
    const { indicators } = await service.legacy.indicators(query);
    expect(indicators.map(({ name }) => name)).toEqual([
      'posts',
      'replication',
      'avgReplicationPerPost',
      'overallEngagement',
      'wgtAvgEngagementPerPost',
      'postImpressions',
      'avgImpressionsPerPost',
    ]);
    expect(indicators[0]).toEqual({ name: 'posts', currentValue: 3, previousValue: 0 });
  });

  rule('legacy.indicators.previous', 'assumed: the period before is as long', async () => {
    const may = { ...query, start: '2024-04-20 00:00', end: '2024-05-10 00:00' };
    const { indicators } = await service.legacy.indicators(may);
    expect(indicators[0]).toEqual({ name: 'posts', currentValue: 2, previousValue: 1 });
  });
});

describe('legacy 4.0', () => {
  for (const name of ['documents', 'authors', 'indicators']) {
    rule('legacy.filters', `${name} takes the filters of the address`, async () => {
      const all = JSON.stringify((await ask(name)).body);
      const restricted = await ask(name, { viewSource: 'NTC', languages: 'en,es', query: 'open' });
      expect(restricted.status).toBe(200);
      expect(JSON.stringify(restricted.body)).not.toBe(all);
      expectRefusal(await ask(name, { languages: 'xx' }));
      expectRefusal(await service.call('GET', `/4.0/${name}`));
    });
  }

  const missing = [
    ...['GET /4.0/monitorings/1', 'POST /4.0/monitorings', 'POST /4.0/documents/feed'],
    ...['GET /4.0/chart', 'POST /4.0/documents/1/context', 'POST /4.0/monitorings/1/documents'],
  ];
  for (const call of missing) {
    rule('legacy.missing', `${call} is a feature of 5.0 only`, async () => {
      const [method = '', path = ''] = call.split(' ');
      expectRefusal(await service.call(method, path));
    });
  }

  rule(
    'legacy.unauthorized',
    'the message for wrong credentials is no longer than in 5.0',
    async () => {
      const headers = { authorization: 'Basic eDp5' };
      const old = await service.call('GET', '/4.0/monitorings', { headers });
      const current = await service.call('GET', '/5.0/monitorings', { headers });
      expectRefusal(old);
      expect(old.body.errors[0].message.length).toBeLessThan(current.body.errors[0].message.length);
    },
  );
});
