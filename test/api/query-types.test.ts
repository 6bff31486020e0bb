import { describe, expect, it } from 'vitest';
import {
  type AuthorsQuery,
  createClient,
  type DocumentsQuery,
  type FeedQuery,
  type Filters,
  OptionError,
} from '../../src/api/index.js';
import { rejection } from './open-client.js';

/**
 * What TypeScript refuses is marked, and `npm run types` fails if it does not; that the same is
 * refused at run time, before anything is sent, is what the tests see.
 */
const base: Filters = { monitorings: 7, start: '2024-05-01', end: '2024-05-31' };

// Nothing listens there: a call that is sent rejects with another error.
const client = createClient(
  { baseUrl: 'http://127.0.0.1:9/5.0', username: 'ana@example.com', apiKey: 'k' },
  { onWarning: () => {} },
);

const refusedDocuments: [string, DocumentsQuery][] = [
  // @ts-expect-error likes need a viewSource
  ['docRanking', { ...base, docRanking: 'likes' }],
  // @ts-expect-error comments are not ranked for TWT
  ['docRanking', { ...base, docRanking: 'comments', viewSource: 'TWT' }],
  // @ts-expect-error there is no such ranking
  ['docRanking', { ...base, docRanking: 'newest' }],
  // @ts-expect-error there is no such source
  ['viewSource', { ...base, viewSource: 'XXX' }],
  // @ts-expect-error there is no such filter
  ['source', { ...base, source: 'TWT' }],
  // @ts-expect-error start is required
  ['start', { monitorings: 7, end: '2024-05-31' }],
  // @ts-expect-error tags are text
  ['tags', { ...base, tags: [1] }],
  ['offset', { ...base, offset: -1 }],
  ['offset', { ...base, offset: 1.5 }],
];

const refusedAuthors: [string, AuthorsQuery][] = [
  // @ts-expect-error every ranking of authors needs a viewSource
  ['authorRanking', { ...base, authorRanking: 'interactions' }],
  // @ts-expect-error docRanking is for documents
  ['docRanking', { ...base, docRanking: 'interactions' }],
];

const takenDocuments: DocumentsQuery[] = [
  base,
  { ...base, docRanking: 'interactions' },
  { ...base, docRanking: 'interactions', viewSource: 'RSS' },
  { ...base, docRanking: 'likes', viewSource: 'NTC', offset: 0 },
  { ...base, viewSource: 'GPL' },
];

const takenAuthors: AuthorsQuery[] = [
  base,
  { ...base, viewSource: 'RSS' },
  { ...base, authorRanking: 'interactions', viewSource: 'TWT' },
];

const takenFeed: FeedQuery[] = [{ monitorings: [7] }, { ...base, languages: ['es'] }];

describe('queries', () => {
  it.each(refusedDocuments)(
    'are refused for their %s before documents are asked',
    async (name, query) => {
      const error = await rejection(client.documents.page(query));
      expect(error).toBeInstanceOf(OptionError);
      expect(error.message).toMatch(new RegExp(`^(?:There is no filter ")?${name}\\b`));
      expect(await rejection(client.documents.all(query).next())).toEqual(error);
    },
  );

  it.each(refusedAuthors)(
    'are refused for their %s before authors are asked',
    async (name, query) => {
      const error = await rejection(client.authors.page(query));
      expect(error).toBeInstanceOf(OptionError);
      expect(error.message).toMatch(new RegExp(`^(?:There is no filter ")?${name}\\b`));
    },
  );

  it('are sent with every ranking that their viewSource allows', async () => {
    const calls = [
      ...takenDocuments.map((query) => client.documents.page(query)),
      ...takenAuthors.map((query) => client.authors.page(query)),
      ...takenFeed.map((query) => client.feed(query).next()),
    ];
    for (const call of calls) expect((await rejection(call)).name).toBe('ServiceDownError');
  });

  it('say which sources a ranking has', async () => {
    const ranking = 'comments' as 'interactions';
    const error = await rejection(client.documents.page({ ...base, docRanking: ranking }));
    expect(error.message).toBe(
      'docRanking comments needs a viewSource of FCP, FCB, FCG, ITG, ITB, YTB, NTC, and there is none.',
    );
  });
});
