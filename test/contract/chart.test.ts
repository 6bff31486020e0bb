import { describe, expect } from 'vitest';
import { message } from './message.js';
import { ALWAYS, rule } from './rule.js';
import { serviceWith } from './service.js';

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1);
  await sandbox.capture(1, [
    message('a', { published: '2024-05-01T23:59:59Z' }),
    message('b', { published: '2024-05-02T00:00:00Z' }),
    message('c', { published: '2024-05-02T12:00:00Z', source: 'NTC' }),
  ]);
});

const query = { monitorings: 1, ...ALWAYS };

describe('chart', () => {
  rule('chart.answers', 'it is a filtering endpoint that answers with JSON', async () => {
    expect(await service.client.chart(query)).toEqual(expect.any(Object));
    const form = { ...query, monitorings: '1' };
    expect((await service.call('POST', '/5.0/chart', { form })).status).toBe(200);
  });

  rule('chart.days', 'assumed: it counts the filtered documents of each day', async () => {
    expect(await service.client.chart(query)).toEqual({
      chart: [
        { date: '2024-05-01', documents: 1 },
        { date: '2024-05-02', documents: 2 },
      ],
    });
    expect(await service.client.chart({ ...query, viewSource: 'NTC' })).toEqual({
      chart: [{ date: '2024-05-02', documents: 1 }],
    });
  });
});
