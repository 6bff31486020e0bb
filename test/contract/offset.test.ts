import { describe, expect } from 'vitest';
import { collect } from '../helpers/collect.js';
import { message } from './message.js';
import { ALWAYS, expectOptionError, expectRefusal, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

/** Seven publications, the oldest first; two are of another network. Pages hold three. */
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const NEWEST_FIRST = ['g', 'f', 'e', 'd', 'c', 'b', 'a'];
const query = { monitorings: 1, ...ALWAYS };

const service = serviceWith(
  async (sandbox) => {
    await sandbox.ensureMonitoring(1);
    await sandbox.capture(
      1,
      KEYS.map((key, day) =>
        message(key, {
          published: `2024-05-0${day + 1}T00:00:00Z`,
          source: key === 'b' || key === 'f' ? 'NTC' : 'TWT',
        }),
      ),
    );
  },
  { pageSize: 3 },
);

describe('offset', () => {
  rule('offset.consecutive', 'consecutive pages hold every message once', async () => {
    const seen: unknown[] = [];
    for (let at = 0; at < 7; at = seen.length) {
      const page = await service.client.documents.page({ ...query, offset: at });
      expect(page.total).toBe(7);
      seen.push(...keysOf(page.documents));
    }
    expect(seen).toEqual(NEWEST_FIRST);
    expect(keysOf(await collect(service.client.documents.all(query)))).toEqual(NEWEST_FIRST);
  });

  rule('offset.filtered', 'only messages that match the filters are skipped', async () => {
    const page = await service.client.documents.page({ ...query, sources: ['NTC'], offset: 1 });
    expect(keysOf(page.documents)).toEqual(['b']);
    expect([page.total, page.offset]).toEqual([2, 1]);
  });

  rule('offset.zero', 'offset=0 is the same as none', async () => {
    const omitted = await service.client.documents.page(query);
    expect(keysOf(omitted.documents)).toEqual(['g', 'f', 'e']);
    expect(await service.client.documents.page({ ...query, offset: 0 })).toEqual(omitted);
    expect(omitted.offset).toBe(0);
  });

  for (const offset of [8, 1_000_000]) {
    rule('offset.beyond', `offset ${offset} of 7 gives an empty list`, async () => {
      const page = await service.client.documents.page({ ...query, offset });
      expect(page).toMatchObject({ documents: [], total: 7, offset });
    });
  }

  for (const [offset, number] of Object.entries({
    '-1': -1,
    '1.5': 1.5,
    two: Number.NaN,
    '': null,
  })) {
    rule('offset.integer', `offset "${offset}" is refused: it is an integer ≥ 0`, async () => {
      const form = { monitorings: '1', ...ALWAYS, offset };
      expectRefusal(await service.call('POST', '/5.0/documents', { form }));
      const byClient = service.client.documents.page({ ...query, offset: number as never });
      await expectOptionError(byClient, 'offset');
    });
  }
});
