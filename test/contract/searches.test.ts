import { describe, expect } from 'vitest';
import {
  type Monitoring,
  type NewSearch,
  NotFoundError,
  ServiceError,
} from '../../src/api/index.js';
import { expectOptionError, expectRefusal, rule } from './rule.js';
import { serviceWith } from './service.js';

const SOURCES = [
  ...['FCP', 'GPC', 'ITB', 'NTC', 'RSS', 'TPA', 'TPD', 'TPR', 'TTK', 'TWT', 'YTB'],
] as const;
const LANGUAGES = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'] as const;

const service = serviceWith(async () => {});

const create = (...searches: unknown[]): Promise<Monitoring> =>
  service.client.monitorings.create({
    ...{ title: 'Any', status: 'active' },
    searches: searches as NewSearch[],
  });

const refuses = async (search: unknown): Promise<void> => {
  const json = { title: 'Any', status: 'active', searches: [search] };
  expectRefusal(await service.call('POST', '/5.0/monitorings', { json }));
};

describe('searches / source', () => {
  for (const source of SOURCES) {
    rule('searches.source', `${source} can be searched`, async () => {
      const { searches } = await create({ source, query: 'hotel' });
      expect(searches).toMatchObject([{ source, query: 'hotel' }]);
    });
  }

  for (const source of ['RVW', 'FCB', 'FCG', 'ITG', 'GNW', 'XYZ', 'twt', undefined]) {
    rule('searches.source.others', `${source} can not`, async () => {
      await refuses({ source, query: 'hotel' });
      await expectOptionError(create({ source, query: 'hotel' }), 'source');
    });
  }
});

describe('searches / query', () => {
  const queries = {
    FCP: 'https://pages.example.com/hotel?a=b',
    TWT: '"bon dia" AND hôtel',
    RSS: 'a\u0000b',
  };
  for (const [source, query] of Object.entries(queries)) {
    rule('searches.query', `that of ${source} comes back as it was sent`, async () => {
      const { searches } = await create({ source, query });
      expect(searches).toMatchObject([{ source, query }]);
    });
  }
});

describe('searches / language', () => {
  for (const source of ['NTC', 'TWT'] as const) {
    rule('searches.language', `counts for ${source}: each of the seven`, async () => {
      const { searches } = await create(
        ...LANGUAGES.map((language) => ({ source, query: 'hotel', language })),
      );
      expect(searches.map(({ language }) => language)).toEqual([
        ...['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'],
      ]);
    });

    rule(
      'searches.language.others',
      `another than the seven is refused for ${source}`,
      async () => {
        for (const language of ['it', 'EN', '']) {
          await refuses({ source, query: 'hotel', language });
          const byClient = create({ source, query: 'hotel', language });
          await expectOptionError(byClient, 'language');
        }
      },
    );
  }

  for (const source of ['FCP', 'GPC', 'ITB', 'RSS', 'TPA', 'TPD', 'TPR', 'TTK', 'YTB']) {
    rule('searches.language.ignored', `does not count for ${source}`, async () => {
      const { searches } = await create({ source, query: 'hotel', language: 'es' });
      expect(searches[0]).not.toHaveProperty('language');
    });
  }
});

describe('searches / includeComments', () => {
  for (const source of ['FCP', 'ITB', 'YTB'] as const) {
    rule('searches.include-comments', `counts for ${source}, true and false`, async () => {
      const { searches } = await create(
        { source, query: 'hotel', includeComments: true },
        { source, query: 'hotel', includeComments: false },
      );
      expect(searches.map(({ includeComments }) => includeComments)).toEqual([true, false]);
    });

    rule('searches.include-comments.boolean', `is a boolean for ${source}`, async () => {
      await refuses({ source, query: 'hotel', includeComments: 'yes' });
      const byClient = create({ source, query: 'hotel', includeComments: 'yes' });
      await expectOptionError(byClient, 'includeComments');
    });
  }

  for (const source of ['GPC', 'NTC', 'RSS', 'TPA', 'TPD', 'TPR', 'TTK', 'TWT']) {
    rule('searches.include-comments.ignored', `does not count for ${source}`, async () => {
      const { searches } = await create({ source, query: 'hotel', includeComments: true });
      expect(searches[0]).not.toHaveProperty('includeComments');
    });
  }
});

describe('searches', () => {
  rule('searches.id', 'the server assigns each a positive integer of its own', async () => {
    const one = await create({ source: 'RSS', query: 'a' }, { source: 'RSS', query: 'a' });
    const two = await create({ source: 'RSS', query: 'a' });
    const ids = [...one.searches, ...two.searches].map(({ id }) => id);
    for (const id of ids) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    expect(new Set(ids).size).toBe(3);
  });

  for (const status of ['active', 'paused'] as const) {
    rule('searches.last-processed', `of an ${status} monitoring starts as null`, async () => {
      const { client } = service;
      const searches = [{ source: 'RSS', query: 'a' }] as const;
      const { id } = await client.monitorings.create({ title: 'Any', status, searches });
      const grown = await client.monitorings.addSearches(id, searches);
      expect(grown.searches.map(({ lastProcessed }) => lastProcessed)).toEqual([null, null]);
    });
  }
});

describe('searches / add', () => {
  rule('searches.add', 'adds to those that are there, which stay as they are', async () => {
    const made = await create({ source: 'TWT', query: 'a', language: 'es' });
    const grown = await service.client.monitorings.addSearches(made.id, [
      { source: 'FCP', query: 'https://pages.example.com/a', includeComments: true },
      { source: 'TWT', query: 'a', language: 'es' },
    ]);
    const [kept, ...added] = grown.searches;
    expect(kept).toEqual(made.searches[0]);
    expect(added).toEqual([
      {
        ...{ id: expect.any(Number), source: 'FCP', query: 'https://pages.example.com/a' },
        ...{ includeComments: true, lastProcessed: null },
      },
      {
        ...{ id: expect.any(Number), source: 'TWT', query: 'a' },
        ...{ language: 'es', lastProcessed: null },
      },
    ]);
    expect(new Set(grown.searches.map(({ id }) => id)).size).toBe(3);
    expect(grown).toMatchObject({ id: made.id, title: 'Any', status: 'active' });
    expect(await service.client.monitorings.get(made.id)).toEqual(grown);
  });
});

describe('searches / remove', () => {
  const four = ['a', 'b', 'c', 'd'].map((query) => ({ source: 'RSS', query }));

  rule('searches.remove.one', 'takes one away', async () => {
    const made = await create(...four);
    const [a, b, c, d] = made.searches;
    const left = await service.client.monitorings.removeSearches(made.id, [b!.id]);
    expect(left).toEqual({ ...made, searches: [a, c, d] });
  });

  rule('searches.remove.several', 'takes several away, with commas between', async () => {
    const made = await create(...four);
    const [a, b, c, d] = made.searches;
    const path = `/5.0/monitorings/${made.id}/searches/${a!.id},${d!.id}`;
    const { status, body } = await service.call('DELETE', path);
    expect([status, body]).toEqual([200, { ...made, searches: [b, c] }]);
    expect(await service.client.monitorings.get(made.id)).toEqual(body);
  });

  rule('searches.remove.last', 'leaves at least one', async () => {
    const made = await create(...four);
    const all = made.searches.map(({ id }) => id);
    await expect(service.client.monitorings.removeSearches(made.id, all)).rejects.toThrow(
      ServiceError,
    );
    expect(await service.client.monitorings.get(made.id)).toEqual(made);
  });

  rule('searches.remove.missing', 'of one that is not there takes none away', async () => {
    const made = await create(...four);
    const ids = [made.searches[0]!.id, 999_999];
    await expect(service.client.monitorings.removeSearches(made.id, ids)).rejects.toThrow(
      NotFoundError,
    );
    expect(await service.client.monitorings.get(made.id)).toEqual(made);
  });
});
