import { describe, expect, it } from 'vitest';
import { openClientOn } from './open-client.js';

const query = { monitorings: 7, start: '2024-05-01', end: '2024-05-31' };

describe('chart', () => {
  it.each([{ series: [1] }, [1, 2], null, 7])(
    'gives any answer as it comes: %j',
    async (answer) => {
      const { client, server } = await openClientOn([answer]);
      expect(await client.chart({ ...query, type: 'pie', top: 5 })).toEqual(answer);
      expect(server.requests[0]?.body).toMatch(/&type=pie&top=5$/);
    },
  );
});
