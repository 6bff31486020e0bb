import { describe, expect } from 'vitest';
import type { Document } from '../../src/api/index.js';
import { message, metrics } from './message.js';
import { ALWAYS, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

const PLACE = { country: 'España', countryRegion: 'Sur', state: 'Andalucía', city: 'Sevilla' };
const COUNTRY = { country: 'France', countryRegion: null, state: null, city: null };

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1);
  await sandbox.ensureMonitoring(2);
  await sandbox.capture(1, [
    message('parent', { source: 'NTC', published: '2024-05-01T08:00:00Z' }),
    message('full', {
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
    }),
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

  rule('documents.id', 'ids are unique on the platform, across monitorings', async () => {
    const { documents } = await service.client.documents.page(query);
    expect(new Set(documents.map(({ id }) => id)).size).toBe(4);
    for (const { id } of documents) expect(Number.isSafeInteger(id)).toBe(true);
  });
});

/** Each field of a document: what it is where it was captured, and where it was not. */
const FIELDS = [
  { id: 'documents.field.source', field: 'source', full: 'NTC', sparse: 'TWT' },
  { id: 'documents.field.sourceId', field: 'sourceId', full: 'full', sparse: 'sparse' },
  {
    ...{ id: 'documents.field.parentSourceId', field: 'parentSourceId' },
    ...{ full: 'parent', sparse: null },
  },
  { id: 'documents.field.title', field: 'title', full: 'Hôtel réouvert', sparse: null },
  {
    ...{ id: 'documents.field.text', field: 'text' },
    ...{ full: 'Muy buena atención 👍\n¡Volveré!', sparse: 'Text of sparse' },
  },
  {
    ...{ id: 'documents.field.imageUrl', field: 'imageUrl' },
    ...{ full: 'https://img.example.com/1.jpg', sparse: null },
  },
  {
    ...{ id: 'documents.field.url', field: 'url' },
    full: 'https://news.example.com/1?a=b&c=d',
  },
  { id: 'documents.field.language', field: 'language', full: 'es' },
  { id: 'documents.field.sentiment', field: 'sentiment', full: 'B', sparse: 'R' },
  {
    ...{ id: 'documents.field.detectedLocations', field: 'detectedLocations' },
    ...{ full: ['country: España', 'city: Sevilla'], sparse: [] },
  },
  {
    ...{ id: 'documents.field.citedLocations', field: 'citedLocations' },
    full: [
      { country: 'España', countryRegion: 'Sur', state: 'Andalucía', city: 'Sevilla' },
      { country: 'France', countryRegion: null, state: null, city: null },
    ],
  },
  { id: 'documents.field.lat', field: 'lat', full: 37.389, sparse: null },
  { id: 'documents.field.lon', field: 'lon', full: -5.984, sparse: null },
];

describe('documents / fields', () => {
  for (const { id, field, ...expected } of FIELDS) {
    rule(id, `${field} is what was captured, and in its type where nothing was`, async () => {
      expect((await shown('full'))[field]).toEqual(expected.full);
      const { sparse } = expected as { sparse?: unknown };
      if (sparse !== undefined) expect((await shown('sparse'))[field]).toEqual(sparse);
    });
  }

  rule('documents.field.sentiment.codes', 'sentiment is B, N or R', async () => {
    const { documents } = await service.client.documents.page(query);
    expect(new Set(documents.map(({ sentiment }) => sentiment ?? 'N'))).toEqual(
      new Set(['B', 'N', 'R']),
    );
  });

  for (const field of ['published', 'downloaded'] as const) {
    rule('documents.field.times', `${field} is an ISO 8601 timestamp`, async () => {
      const minute = field === 'published' ? 30 : 31;
      expect(Date.parse((await shown('full'))[field]!)).toBe(Date.UTC(2024, 4, 3, 10, minute));
      expect((await shown('neutral'))[field]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
    });
  }

  rule('documents.field.metrics', 'metrics are names with numbers, known and new', async () => {
    expect((await shown('full')).metrics).toEqual([
      { name: 'likes', value: 3 },
      { name: 'comments', value: 2 },
      { name: 'shares', value: 1 },
      { name: 'views', value: 90 },
    ]);
  });

  rule('documents.field.metrics.absent', 'a metric that does not apply is absent', async () => {
    expect((await shown('sparse')).metrics).toEqual([]);
  });
});

/** Each field of an author, and what it is where a profile says nothing. */
const AUTHOR_FIELDS = [
  { id: 'authors.field.source', field: 'source', full: 'TWT', sparse: 'TWT' },
  { id: 'authors.field.sourceId', field: 'sourceId', full: 'u-7', sparse: 'u-8' },
  { id: 'authors.field.username', field: 'username', full: 'maria', sparse: 'tom' },
  { id: 'authors.field.name', field: 'name', full: 'María Ruiz' },
  {
    ...{ id: 'authors.field.authorUrl', field: 'authorUrl' },
    full: 'https://short.example.com/maria',
  },
  {
    ...{ id: 'authors.field.imageUrl', field: 'imageUrl' },
    full: 'https://img.example.com/maria.jpg',
  },
  { id: 'authors.field.isVerified', field: 'isVerified', full: true, sparse: false },
  {
    ...{ id: 'authors.field.personalUrl', field: 'personalUrl' },
    full: 'https://maria.example.com',
  },
  { id: 'authors.field.about', field: 'about', full: 'Escribo de viajes' },
  {
    ...{ id: 'authors.field.declaredLocation', field: 'declaredLocation' },
    ...{ full: 'La luna', sparse: null },
  },
  {
    ...{ id: 'authors.field.authorLocations', field: 'authorLocations' },
    full: [{ country: 'France', countryRegion: null, state: null, city: null }],
  },
  {
    ...{ id: 'authors.field.metrics', field: 'metrics' },
    full: [
      { name: 'followers', value: 900 },
      { name: 'following', value: 30 },
      { name: 'publications', value: 1200 },
      { name: 'lists', value: 4 },
    ],
  },
];

describe('documents / author', () => {
  for (const { id, field, ...expected } of AUTHOR_FIELDS) {
    rule(id, `the author's ${field} is what the profile says`, async () => {
      expect((await shown('full')).author[field]).toEqual(expected.full);
      const { sparse } = expected as { sparse?: unknown };
      if (sparse !== undefined) expect((await shown('sparse')).author[field]).toEqual(sparse);
    });
  }

  rule('authors.field.id', 'authors have ids of their own, unique on the platform', async () => {
    const { documents } = await service.client.documents.page(query);
    const ids = new Map(documents.map(({ author }) => [author.id, author.sourceId]));
    expect([...ids.values()].toSorted()).toEqual(['someone', 'someone', 'u-7', 'u-8']);
    for (const id of ids.keys()) expect(Number.isSafeInteger(id)).toBe(true);
  });
});
