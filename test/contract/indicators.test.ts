import { describe, expect } from 'vitest';
import { message, metrics } from './message.js';
import { ALWAYS, expectRefusal, rule } from './rule.js';
import { serviceWith } from './service.js';

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1);
  await sandbox.capture(1, [
    message('may', {
      published: '2024-05-20T12:00:00Z',
      metrics: metrics({ likes: 6, comments: 2, shares: 4, impressions: 100 }),
    }),
    message('june 1', {
      published: '2024-06-01T12:00:00Z',
      metrics: metrics({ likes: 10, comments: 1, shares: 1, impressions: 50 }),
    }),
    message('june 2', {
      published: '2024-06-02T12:00:00Z',
      metrics: metrics({ likes: 20, comments: 5, shares: 3, impressions: 150 }),
    }),
    message('news', { source: 'NTC', published: '2024-06-02T13:00:00Z' }),
  ]);
});

const JUNE = { monitorings: 1, start: '2024-06-01 00:00', end: '2024-06-30 23:59' } as const;

async function figures(query: object): Promise<Record<string, [number, number]>> {
  const { indicators } = await service.client.indicators({ ...JUNE, ...query });
  return Object.fromEntries(
    indicators.map(({ name, currentValue, previousValue }) => [
      name,
      [currentValue, previousValue],
    ]),
  );
}

describe('indicators', () => {
  rule('indicators.filters', 'they are those of the filtered documents', async () => {
    expect(await figures({})).toMatchObject({ posts: [3, 1] });
    expect(await figures({ sources: ['NTC'] })).toMatchObject({ posts: [1, 0] });
  });

  rule('indicators.view-source', 'viewSource selects which there are', async () => {
    const ofTwt = Object.keys(await figures({ viewSource: 'TWT' }));
    const ofAll = Object.keys(await figures({}));
    expect(ofTwt).toEqual(expect.arrayContaining(['posts', 'replication', 'postImpressions']));
    expect(ofAll).not.toContain('postImpressions');
    const bySources = Object.keys(await figures({ sources: ['TWT'] }));
    expect(bySources).toEqual(ofAll);
  });

  rule('indicators.shape', 'assumed: the shape is that of 4.0', async () => {
    const answer = await service.client.indicators({ ...JUNE, viewSource: 'TWT' });
    expect(Object.keys(answer)).toEqual(['indicators']);
    for (const indicator of answer.indicators) {
      expect(indicator).toEqual({
        name: expect.any(String),
        currentValue: expect.any(Number),
        previousValue: expect.any(Number),
      });
    }
  });

  rule('indicators.values', 'assumed: what each one counts, and the period before', async () => {
    expect(await figures({ viewSource: 'TWT' })).toEqual({
      posts: [2, 1],
      replication: [4, 4],
      avgReplicationPerPost: [2, 4],
      overallEngagement: [40, 12],
      wgtAvgEngagementPerPost: [20, 12],
      postImpressions: [200, 100],
      avgImpressionsPerPost: [100, 100],
    });
  });

  rule('indicators.paging', 'offset and rankings are none of its parameters', async () => {
    const form = { ...JUNE, monitorings: '1', offset: '1' };
    expectRefusal(await service.call('POST', '/5.0/indicators', { form }));
    expectRefusal(
      await service.call('POST', '/5.0/indicators', {
        form: { monitorings: '1', ...ALWAYS, docRanking: 'interactions' },
      }),
    );
  });
});
