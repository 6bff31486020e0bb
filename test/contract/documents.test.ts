import { describe, expect } from 'vitest';
import type { Document } from '../../src/api/index.js';
import type { CapturedDocument } from '../../src/sandbox/index.js';
import { message, metrics } from './message.js';
import { ALWAYS, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

const PLACE = { country: 'España', countryRegion: 'Sur', state: 'Andalucía', city: 'Sevilla' };
const COUNTRY = { country: 'France', countryRegion: null, state: null, city: null };

/** Every field that the reference names. */
const FULL = {
  source: 'NTC',
  parentSourceId: 'parent',
  title: 'Hôtel réouvert',
  text: 'Muy buena atención 👍\n¡Volveré!',
  imageUrl: 'https://img.example.com/1.jpg',
  url: 'https://news.example.com/1?a=b&c=d',
  language: 'es',
  sentiment: 'B',
  detectedLocations: ['country: España', 'city: Sevilla'],
  citedLocations: [PLACE, COUNTRY],
  lat: 37.389,
  lon: -5.984,
  published: '2024-05-03T10:30:00Z',
  downloaded: '2024-05-03T10:31:00Z',
  metrics: metrics({ likes: 3, comments: 2, shares: 1, views: 90 }),
  author: {
    source: 'TWT',
    sourceId: 'u-7',
    username: 'maria',
    name: 'María Ruiz',
    authorUrl: 'https://short.example.com/maria',
    imageUrl: 'https://img.example.com/maria.jpg',
    isVerified: true,
    personalUrl: 'https://maria.example.com',
    about: 'Escribo de viajes',
    declaredLocation: 'La luna',
    authorLocations: [COUNTRY],
    metrics: metrics({ followers: 900, following: 30, publications: 1200, lists: 4 }),
  },
} satisfies Partial<CapturedDocument>;

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1);
  await sandbox.ensureMonitoring(2);
  await sandbox.capture(1, [
    message('parent', { source: 'NTC', published: '2024-05-01T08:00:00Z' }),
    message('full', FULL),
    message('sparse', {
      published: '2024-05-02T00:00:00Z',
      sentiment: 'R',
      author: { source: 'TWT', sourceId: 'u-8', username: 'tom' },
    }),
  ]);
  await sandbox.capture(2, [
    message('neutral', { sentiment: 'N', published: '2024-05-04T00:00:00+02:00' }),
  ]);
});

const query = { monitorings: [1, 2], ...ALWAYS };

async function shown(key: string): Promise<Document> {
  const { documents } = await service.client.documents.page(query);
  return documents.find(({ sourceId }) => sourceId === key)!;
}

describe('documents', () => {
  rule('documents.output', 'the answer holds documents, total and offset', async () => {
    const page = await service.client.documents.page(query);
    expect(Object.keys(page).toSorted()).toEqual(['documents', 'offset', 'total']);
    expect(page.documents).toHaveLength(4);
    expect([page.total, page.offset]).toEqual([4, 0]);
  });

  rule('documents.total', 'total is the number that matches, not that of the page', async () => {
    const page = await service.client.documents.page({ ...query, sources: ['NTC'], offset: 1 });
    expect([page.documents.length, page.total]).toEqual([1, 2]);
  });

  rule('documents.order', 'the most recently published comes first', async () => {
    const { documents } = await service.client.documents.page(query);
    expect(keysOf(documents)).toEqual(['neutral', 'full', 'sparse', 'parent']);
  });
});

describe('documents / fields', () => {
  rule('documents.fields', 'each field is what was captured', async () => {
    const { published, downloaded, author, ...fields } = FULL;
    expect(await shown('full')).toMatchObject({ ...fields, sourceId: 'full' });
  });

  rule(
    'documents.fields.absent',
    'where nothing was captured, a field is in its type',
    async () => {
      expect(await shown('sparse')).toMatchObject({
        ...{ source: 'TWT', sourceId: 'sparse', parentSourceId: null, title: null },
        ...{ text: 'Text of sparse', imageUrl: null, sentiment: 'R', detectedLocations: [] },
        ...{ lat: null, lon: null, metrics: [] },
      });
    },
  );

  for (const field of ['published', 'downloaded'] as const) {
    rule('documents.field.times', `${field} is an ISO 8601 timestamp`, async () => {
      const minute = field === 'published' ? 30 : 31;
      expect(Date.parse((await shown('full'))[field]!)).toBe(Date.UTC(2024, 4, 3, 10, minute));
      expect((await shown('neutral'))[field]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
    });
  }
});

describe('documents / author', () => {
  rule('authors.fields', 'each field of the author is what the profile says', async () => {
    expect((await shown('full')).author).toMatchObject(FULL.author);
  });

  rule('authors.fields.absent', 'where it says nothing, a field is in its type', async () => {
    expect((await shown('sparse')).author).toMatchObject({
      ...{ source: 'TWT', sourceId: 'u-8', username: 'tom' },
      ...{ isVerified: false, declaredLocation: null },
    });
  });

  rule('authors.field.id', 'authors have ids of their own, unique on the platform', async () => {
    const { documents } = await service.client.documents.page(query);
    const ids = new Map(documents.map(({ author }) => [author.id, author.sourceId]));
    expect([...ids.values()].toSorted()).toEqual(['someone', 'someone', 'u-7', 'u-8']);
    for (const id of ids.keys()) expect(Number.isSafeInteger(id)).toBe(true);
  });
});
