import { describe, expect, it } from 'vitest';
import { OptionError, ServiceError } from '../../src/api/index.js';
import { openClientOn, rejection } from './open-client.js';

const query = { monitorings: 7, start: '2024-05-01', end: '2024-05-31' };

describe('indicators', () => {
  it('gives every indicator, known or not', async () => {
    const answer = { indicators: [{ name: 'novel', currentValue: 1, previousValue: 2 }] };
    const { client, server } = await openClientOn([answer]);
    expect(await client.indicators({ ...query, viewSource: 'TWT' })).toEqual(answer);
    expect(server.requests[0]).toMatchObject({
      url: '/5.0/indicators',
      body: 'monitorings=7&start=2024-05-01+00%3A00&end=2024-05-31+23%3A59&viewSource=TWT',
    });
  });

  it('rejects an answer without them', async () => {
    const { client } = await openClientOn([{ indicators: {} }]);
    expect(await rejection(client.indicators(query))).toBeInstanceOf(ServiceError);
  });

  it('takes no ranking', async () => {
    const { client } = await openClientOn([{ indicators: [] }]);
    const wrong = { ...query, docRanking: 'likes' };
    expect(await rejection(client.indicators(wrong))).toBeInstanceOf(OptionError);
  });
});

describe('chart', () => {
  it.each([{ series: [1] }, [1, 2], null, 7])(
    'gives any answer as it comes: %j',
    async (answer) => {
      const { client, server } = await openClientOn([answer]);
      expect(await client.chart({ ...query, type: 'pie', top: 5 })).toEqual(answer);
      expect(server.requests[0]?.body).toMatch(/&type=pie&top=5$/);
    },
  );

  it('checks filters all the same', async () => {
    const { client } = await openClientOn([{}]);
    const wrong = { ...query, sentiments: ['G' as 'B'] };
    expect(await rejection(client.chart(wrong))).toBeInstanceOf(OptionError);
  });

  it('warns of tags, which an expression puts aside', async () => {
    const { client, warnings } = await openClientOn([{}]);
    await client.chart({ ...query, tags: ['a'], tagExpression: 'a AND b' });
    expect(warnings).toEqual(['tags: ignored by the service, since tagExpression is given.']);
  });
});
