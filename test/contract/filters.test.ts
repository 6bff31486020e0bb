import { describe, expect } from 'vitest';
import type { Client, Filters } from '../../src/api/index.js';
import { captureFilterWorld } from './filter-world.js';
import { ALWAYS, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

const ids = new Map<string, number>();
const service = serviceWith(captureFilterWorld);
const everything = { monitorings: [1, 2], ...ALWAYS } as const;

/** The platform's id of an author, by username. */
async function authorId(username: string): Promise<number> {
  if (ids.size === 0) {
    const { documents } = await service.client.documents.page(everything);
    for (const { author } of documents) ids.set(author.username!, author.id);
  }
  return ids.get(username)!;
}

interface Case {
  readonly id: string;
  readonly says: string;
  /** Beside monitoring 1 and a window that holds all of it. */
  readonly query: Partial<Filters> | (() => Promise<Partial<Filters>>);
  /** Keys of the messages that match, the newest first. */
  readonly found: string;
  /** The feed has no window. */
  readonly feed?: false;
}

const WINDOW_CASES: readonly Case[] = [
  { id: 'filters.monitorings', says: 'one monitoring', query: {}, found: 'd c b a' },
  {
    ...{ id: 'filters.monitorings.several', says: 'several monitorings' },
    ...{ query: { monitorings: [2, 1] }, found: 'g f e d c b a' },
  },
  {
    ...{ id: 'filters.start', says: 'published at start: included', feed: false },
    ...{ query: { start: '2024-05-02 10:00' }, found: 'd c b' },
  },
  {
    ...{ id: 'filters.start.before', says: 'published before start: not', feed: false },
    ...{ query: { start: '2024-05-02 10:01' }, found: 'd c' },
  },
  {
    ...{ id: 'filters.end', says: 'published at end: included', feed: false },
    ...{ query: { end: '2024-05-02 10:00' }, found: 'b a' },
  },
  {
    ...{ id: 'filters.end.after', says: 'published after end: not', feed: false },
    ...{ query: { end: '2024-05-02 09:59' }, found: 'a' },
  },
  {
    ...{ id: 'filters.clock', says: 'hours are those of a 24-hour clock', feed: false },
    ...{ query: { start: '2024-05-04 22:29', end: '2024-05-04 22:31' }, found: 'd' },
  },
  {
    ...{ id: 'filters.window.reversed', says: 'start is after end: nothing', feed: false },
    ...{ query: { start: '2024-05-09 00:00', end: '2024-05-01 00:00' }, found: '' },
  },
];

const MESSAGE_CASES: readonly Case[] = [
  {
    ...{ id: 'filters.sources', says: 'sources: several networks' },
    ...{ query: { sources: ['TWT', 'NTC'] }, found: 'c a' },
  },
  {
    ...{ id: 'filters.viewSource', says: 'viewSource: one network' },
    ...{ query: { viewSource: 'YTB' }, found: 'd' },
  },
  {
    ...{ id: 'filters.query.word', says: 'query: a word' },
    ...{ query: { query: 'breakfast' }, found: 'c a' },
  },
  {
    ...{ id: 'filters.query.phrase', says: 'query: a phrase' },
    ...{ query: { query: '"room service"' }, found: 'b' },
  },
  {
    ...{ id: 'filters.query.and', says: 'query: AND' },
    ...{ query: { query: 'breakfast AND room' }, found: 'c' },
  },
  {
    ...{ id: 'filters.query.operators', says: 'query, assumed: OR, NOT and parentheses' },
    ...{ query: { query: '(breakfast OR service) NOT (late OR café)' }, found: 'a' },
  },
  {
    ...{ id: 'filters.sentiments.several', says: 'sentiments: several' },
    ...{ query: { sentiments: ['N', 'R'] }, found: 'c b' },
  },
  {
    ...{ id: 'filters.languages.several', says: 'languages: several' },
    ...{ query: { languages: ['es', 'fr', 'nl'] }, found: 'd a' },
  },
  {
    ...{ id: 'filters.contributors.several', says: 'contributors: posts that any reviewed' },
    ...{ query: { contributors: [8, 9] }, found: 'c b' },
  },
];

const TAG_CASES: readonly Case[] = [
  {
    ...{ id: 'filters.tags', says: 'tags: at least one of them' },
    ...{ query: { tags: ['20', '30'] }, found: 'c b' },
  },
  {
    ...{ id: 'filters.ignoreTags', says: 'ignoreTags: none of them' },
    ...{ query: { ignoreTags: ['20', '30'] }, found: 'd a' },
  },
  {
    ...{ id: 'filters.tags.both', says: 'tags and ignoreTags: both hold' },
    ...{ query: { tags: ['10'], ignoreTags: ['20'] }, found: 'a' },
  },
  {
    ...{ id: 'filters.tagExpression', says: 'tagExpression: an expression over tags' },
    ...{ query: { tagExpression: '10 AND 20' }, found: 'b' },
  },
  {
    ...{ id: 'filters.tagExpression.tags', says: 'tagExpression: tags is ignored' },
    ...{ query: { tagExpression: '30', tags: ['10'] }, found: 'c' },
  },
  {
    ...{ id: 'filters.tagExpression.ignoreTags', says: 'tagExpression: ignoreTags, too' },
    ...{ query: { tagExpression: '30', ignoreTags: ['30'] }, found: 'c' },
  },
];

const AUTHOR_CASES: readonly Case[] = [
  {
    ...{ id: 'filters.authorName.words', says: 'authorName: all of its words' },
    ...{ query: { authorName: 'Dora Ruiz' }, found: 'd' },
  },
  {
    ...{ id: 'filters.authorAbout.words', says: 'authorAbout: all of its words' },
    ...{ query: { authorAbout: 'Sevilla travel' }, found: 'a' },
  },
  {
    ...{ id: 'filters.authors.several', says: 'authors: several ids' },
    query: async () => ({ authors: [await authorId('ana'), await authorId('ben')] }),
    found: 'b a',
  },
  {
    ...{ id: 'filters.authorTags.several', says: 'authorTags: any of them' },
    ...{ query: { authorTags: ['press', 'vip'] }, found: 'd a' },
  },
  {
    ...{ id: 'filters.onlyVerifiedAuthors.true', says: 'onlyVerifiedAuthors=true: verified' },
    ...{ query: { onlyVerifiedAuthors: true }, found: 'a' },
  },
  {
    ...{ id: 'filters.onlyVerifiedAuthors.false', says: 'onlyVerifiedAuthors=false: the others' },
    ...{ query: { onlyVerifiedAuthors: false }, found: 'd c b' },
  },
  {
    ...{ id: 'filters.onlyWithPersonalUrl.true', says: 'onlyWithPersonalUrl=true: with one' },
    ...{ query: { onlyWithPersonalUrl: true }, found: 'c a' },
  },
  {
    ...{ id: 'filters.onlyWithPersonalUrl.false', says: 'onlyWithPersonalUrl=false: without' },
    ...{ query: { onlyWithPersonalUrl: false }, found: 'd b' },
  },
];

const COMBINED_CASES: readonly Case[] = [
  {
    ...{ id: 'filters.combined', says: 'results satisfy all filters at once' },
    query: { sources: ['TWT', 'FCP', 'NTC'], sentiments: ['B', 'N'], query: 'room' },
    found: 'b',
  },
  {
    ...{ id: 'filters.combined.all', says: 'all of them at once' },
    query: async () => ({
      ...{ start: '2024-05-01 00:00', end: '2024-05-01 23:59', sources: ['TWT', 'NTC'] },
      ...{ viewSource: 'TWT', query: 'breakfast', authorName: 'ana', authorAbout: 'travel' },
      ...{ sentiments: ['B'], languages: ['es'], tags: ['10'], ignoreTags: ['20'] },
      ...{ authors: [await authorId('ana')], authorTags: ['press'], onlyVerifiedAuthors: true },
      ...{ onlyWithPersonalUrl: true, contributors: [7] },
    }),
    ...{ found: 'a', feed: false },
  },
];

const CASES = [...WINDOW_CASES, ...MESSAGE_CASES, ...TAG_CASES, ...AUTHOR_CASES, ...COMBINED_CASES];

/** Every filtering endpoint has to select the same messages. */
async function expectFound(client: Client, query: Filters, { found, feed }: Case): Promise<void> {
  const keys = found === '' ? [] : found.split(' ');
  const page = await client.documents.page(query);
  expect(keysOf(page.documents)).toEqual(keys);
  expect(page.total).toBe(keys.length);
  expect((await client.authors.page(query)).total).toBe(keys.length);
  expect((await client.indicators(query)).indicators).toContainEqual(
    expect.objectContaining({ name: 'posts', currentValue: keys.length }),
  );
  const { chart } = (await client.chart({ ...query })) as { chart: { documents: number }[] };
  expect(chart.reduce((sum, { documents }) => sum + documents, 0)).toBe(keys.length);
  if (feed === false) return;
  const { start: _, end: __, ...unbounded } = query;
  for await (const { documents } of client.feed(unbounded)) {
    expect(keysOf(documents).toSorted()).toEqual(keys.toSorted());
  }
}

describe('filters', () => {
  for (const row of CASES) {
    rule(row.id, row.says, async () => {
      const more = typeof row.query === 'function' ? await row.query() : row.query;
      const query = { monitorings: 1, ...ALWAYS, ...more };
      await expectFound(service.client, query, row);
      await expectFound(service.byGet, query, row);
    });
  }

  rule('filters.omitted', 'one that is omitted restricts nothing', async () => {
    const page = await service.client.documents.page(everything);
    expect(keysOf(page.documents)).toEqual(['g', 'f', 'e', 'd', 'c', 'b', 'a']);
  });
});

describe('filters / methods', () => {
  for (const [method, client] of [
    ['POST', () => service.client],
    ['GET', () => service.byGet],
  ] as const) {
    rule('filters.methods', `all five take ${method}`, async () => {
      const query = { monitorings: 1, ...ALWAYS };
      await expectFound(client(), query, CASES[0]!);
      const asked = service.exchanges.map((asked) => `${asked.method} ${asked.url.split('?')[0]}`);
      expect(asked).toEqual([
        ...['/5.0/documents', '/5.0/authors', '/5.0/indicators', '/5.0/chart'].map(
          (path) => `${method} ${path}`,
        ),
        `${method} /5.0/documents/feed`,
      ]);
    });
  }
});
