import { describe, expect } from 'vitest';
import type { Author, AuthorsQuery } from '../../src/api/index.js';
import type { CapturedDocument } from '../../src/sandbox/index.js';
import { collect } from '../helpers/collect.js';
import { AVAILABLE, CODES, INTERACTIONS_OF_AUTHORS } from './availability.js';
import { message, metrics } from './message.js';
import { ALWAYS, expectOptionError, expectRefusal, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

type Post = Readonly<Record<string, number>>;

/**
 * Four authors on every network. Sums order them in another way than single posts do, and
 * followers in another than sums of followers would.
 */
const POSTS: Readonly<Record<string, { followers: number; posts: readonly Post[] }>> = {
  ana: {
    followers: 100,
    posts: [
      { likes: 10, comments: 7, shares: 1, impressions: 10 },
      { likes: 10, comments: 7, shares: 1, impressions: 10 },
      { likes: 10, comments: 7, shares: 1, impressions: 10 },
    ],
  },
  ben: { followers: 250, posts: [{ likes: 25, comments: 1, shares: 20, impressions: 20 }] },
  cleo: {
    followers: 200,
    posts: [
      { likes: 1, comments: 9, shares: 9, impressions: 20 },
      { likes: 1, comments: 9, shares: 9, impressions: 25 },
    ],
  },
  dan: {
    followers: 150,
    posts: Array(4).fill({ likes: 2, comments: 1, shares: 6, impressions: 1 }),
  },
};

const ORDERS: Readonly<Record<string, string>> = {
  interactions: 'ana ben cleo dan',
  likes: 'ana ben dan cleo',
  comments: 'ana cleo dan ben',
  shares: 'dan ben cleo ana',
  impressions: 'cleo ana ben dan',
  followers: 'ben cleo dan ana',
};

/** 205 authors of 2 posts each in monitoring 2. */
const CROWD = Array.from({ length: 205 }, (_, at) => `crowd ${at}`);

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1);
  await sandbox.ensureMonitoring(2);
  await sandbox.capture(1, CODES.flatMap(postsOf));
  await sandbox.capture(
    2,
    CROWD.flatMap((sourceId) =>
      ['x', 'y'].map((post) =>
        message(`${sourceId} ${post}`, { author: { sourceId }, metrics: metrics({ likes: 1 }) }),
      ),
    ),
  );
});

function postsOf(source: (typeof CODES)[number]): CapturedDocument[] {
  return Object.entries(POSTS).flatMap(([sourceId, { followers, posts }]) =>
    posts.map((values, day) =>
      message(`${sourceId} ${day}`, {
        source,
        // Most of what the most active one writes is of another sentiment.
        sentiment: sourceId === 'dan' && day > 0 ? 'B' : 'R',
        published: `2024-05-0${day + 1}T00:00:00Z`,
        metrics: metrics(values),
        author: { source, sourceId, metrics: metrics({ followers }) },
      }),
    ),
  );
}

const query = { monitorings: 1, ...ALWAYS, viewSource: 'TWT' } as const;
const order = (authors: readonly Author[]): string => keysOf(authors).join(' ');

const ask = (authorRanking: string, viewSource: string): Promise<string> =>
  service.client.authors
    .page({ ...query, authorRanking, viewSource } as AuthorsQuery)
    .then(({ authors }) => order(authors));

const refuses = async (ranking: string, restriction: Record<string, string>): Promise<void> => {
  const form = { monitorings: '1', ...ALWAYS, authorRanking: ranking, ...restriction };
  expectRefusal(await service.call('POST', '/5.0/authors', { form }));
  const byClient = service.client.authors.page({ ...form, monitorings: 1 } as never);
  await expectOptionError(byClient, ranking);
};

describe('authors', () => {
  rule('authors.output', 'the answer holds authors, total, offset and count', async () => {
    const page = await service.client.authors.page(query);
    expect(Object.keys(page).toSorted()).toEqual(['authors', 'count', 'offset', 'total']);
    expect([page.count, page.offset]).toEqual([page.authors.length, 0]);
  });

  rule('authors.same', 'an author is the one that the documents show', async () => {
    const { documents } = await service.client.documents.page({ ...query, docRanking: 'likes' });
    const { authors } = await service.client.authors.page({ ...query, authorRanking: 'followers' });
    const shown = { ...documents[0]!.author };
    expect(shown.sourceId).toBe('ben');
    expect(shown).toMatchObject(authors[0]!);
  });

  rule('authors.total', 'total is the number of messages that match', async () => {
    expect((await service.client.authors.page(query)).total).toBe(10);
    const fewer = { ...query, start: '2024-05-02 00:00' };
    expect((await service.client.authors.page(fewer)).total).toBe(6);
  });

  rule('authors.order', 'those with most publications come first', async () => {
    const { authors } = await service.client.authors.page(query);
    expect(order(authors)).toBe('dan ana cleo ben');
  });

  rule('authors.order.filtered', 'only publications that match the filters count', async () => {
    const { authors } = await service.client.authors.page({ ...query, sentiments: ['R'] });
    expect(order(authors)).toMatch(/^ana cleo /);
  });

  rule('authors.offset', 'offset skips authors as it skips documents', async () => {
    const { authors } = await service.client.authors.page({ ...query, offset: 2 });
    expect(order(authors)).toBe('cleo ben');
    const zero = await service.client.authors.page({ ...query, offset: 0 });
    expect(zero).toEqual(await service.client.authors.page(query));
    const beyond = await service.client.authors.page({ ...query, offset: 11 });
    expect(beyond).toMatchObject({ authors: [], count: 0, total: 10, offset: 11 });
    const form = { monitorings: '1', ...ALWAYS, offset: '-1' };
    expectRefusal(await service.call('POST', '/5.0/authors', { form }));
  });
});

const available: typeof AVAILABLE = { ...AVAILABLE, interactions: INTERACTIONS_OF_AUTHORS };

describe('authors / authorRanking', () => {
  for (const [ranking, sources] of Object.entries(available)) {
    for (const viewSource of sources) {
      const sentence = `${ranking}: available for viewSource ${viewSource}, descending`;
      rule('authors.ranking.available', sentence, async () => {
        expect(await ask(ranking, viewSource)).toBe(ORDERS[ranking]);
      });
    }
  }

  rule('authors.ranking.filtered', 'totals are those of the filtered posts', async () => {
    const window = { start: '2024-05-01 00:00', end: '2024-05-01 23:59' };
    const ranked = { ...query, ...window, authorRanking: 'likes' } as const;
    const { authors } = await service.client.authors.page(ranked);
    expect(order(authors)).toBe('ben ana dan cleo');
  });
});

/** The service refuses them, and so does the client before it asks. */
describe('authors / authorRanking refused', () => {
  for (const [ranking, sources] of Object.entries(available)) {
    for (const viewSource of [undefined, ...CODES.filter((code) => !sources.includes(code))]) {
      rule('authors.ranking.refused', `${ranking}: not for viewSource ${viewSource}`, () =>
        refuses(ranking, viewSource === undefined ? {} : { viewSource }),
      );
    }
  }

  for (const [ranking, [source = '']] of Object.entries(available)) {
    rule('authors.ranking.sources', `${ranking}: sources=${source} does not enable it`, () =>
      refuses(ranking, { sources: source }),
    );
  }

  rule('authors.ranking.unknown', 'another ranking is refused', () =>
    refuses('beauty', { viewSource: 'TWT' }),
  );
});

describe('authors / at most 200', () => {
  for (const authorRanking of [undefined, 'likes'] as const) {
    const ranked = { monitorings: 2, ...ALWAYS, viewSource: 'TWT', authorRanking } as const;

    rule('authors.most', `of 205 authors 200 are ranked (${authorRanking})`, async () => {
      const all = await collect(service.client.authors.all(ranked as AuthorsQuery));
      expect(new Set(keysOf(all)).size).toBe(200);
      expect(all).toHaveLength(200);
    });

    rule('authors.most.beyond', `behind them there is nothing (${authorRanking})`, async () => {
      const page = await service.client.authors.page({ ...ranked, offset: 200 } as AuthorsQuery);
      expect(page).toMatchObject({ authors: [], count: 0, total: 410, offset: 200 });
      const last = await service.client.authors.page({ ...ranked, offset: 190 } as AuthorsQuery);
      expect(last.count).toBe(10);
    });
  }
});
