import { afterAll, beforeAll, describe, expect, type TestContext } from 'vitest';
import {
  AuthenticationError,
  type Client,
  type Connection,
  createClient,
  cursorAt,
  type Document,
  type DocumentsQuery,
  type FeedPage,
} from '../../src/api/index.js';
import { collect } from '../helpers/collect.js';
import { conformsTo } from '../helpers/openapi.js';
import { basic } from '../helpers/start-sandbox.js';
import { rule } from './rule.js';
import { chooseTarget } from './target.js';

/**
 * What holds for any account, and changes nothing: it asks for lists and single monitorings, and
 * otherwise uses only the calls that filter. With the connection variables set it asks the service.
 */
const target = chooseTarget();
const DAY = 24 * 60 * 60_000;
/** Nothing is published into the past, so that every question about it has one answer. */
const PAST = { start: new Date(Date.now() - 90 * DAY), end: new Date(Date.now() - 2 * DAY) };

let connection: Connection;
let close: () => Promise<void>;
let client: Client;
let byGet: Client;
/** The one with most documents on its first page. */
let monitoring = 0;
let newest: readonly Document[] = [];

beforeAll(async () => {
  ({ connection, close } = await target.open());
  client = createClient(connection);
  byGet = createClient(connection, { filterMethod: 'GET' });
  for (const { id } of (await client.monitorings.list()).slice(0, 20)) {
    const { documents } = await client.documents.page({ monitorings: id, ...PAST });
    if (monitoring === 0 || documents.length > newest.length) {
      [monitoring, newest] = [id, documents];
    }
  }
  if (monitoring === 0)
    throw new Error('This user sees no monitoring, so there is nothing to ask.');
});
afterAll(async () => {
  await client.close();
  await byGet.close();
  await close();
});

/** Skips a case that would say nothing without documents. */
function needDocuments({ skip }: TestContext): void {
  if (newest.length === 0) skip('nothing was published in the last three months');
}

const past = () => ({ monitorings: monitoring, ...PAST });

/** An answer has to be as described, whatever the address of the service. */
function expectDescribed(method: string, path: string, json: unknown): void {
  expect(conformsTo(method, `/5.0${path}`, 200, json)).toEqual([]);
}

/** A question without a client; it must be one that changes nothing. */
async function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const { baseUrl, username, apiKey } = connection;
  const authorization = basic(username, apiKey);
  return fetch(baseUrl.replace(/\/+$/, '') + path, { headers: { authorization, ...headers } });
}

async function expectErrorObject(response: Response): Promise<void> {
  const body = (await response.json()) as { errors: unknown[] };
  expect(body.errors.length).toBeGreaterThan(0);
  for (const error of body.errors) expect(error).toMatchObject({ message: expect.any(String) });
}

const metric = ({ metrics }: Pick<Document, 'metrics'>, name: string): number =>
  metrics.find((each) => each.name === name)?.value ?? 0;

function expectDescending(values: readonly number[]): void {
  expect(values).toEqual(values.toSorted((a, b) => b - a));
}

describe(`read-only, of ${target.name}: monitorings`, () => {
  rule('read-only.list', 'each has an id, a title and a status', async () => {
    const monitorings = await client.monitorings.list();
    expectDescribed('GET', '/monitorings', { monitorings });
    expect(new Set(monitorings.map(({ id }) => id)).size).toBe(monitorings.length);
    for (const { status } of monitorings) expect(['active', 'paused']).toContain(status);
  });

  rule('read-only.get', 'one shows what the list says, and at least one search', async () => {
    for (const listed of (await client.monitorings.list()).slice(0, 3)) {
      const one = await client.monitorings.get(listed.id);
      expectDescribed('GET', `/monitorings/${listed.id}`, one);
      expect(one).toMatchObject(listed);
      expect(one.searches.length).toBeGreaterThan(0);
    }
  });
});

describe(`read-only, of ${target.name}: documents`, () => {
  rule('read-only.documents', 'a page is as described', async () => {
    const page = await client.documents.page(past());
    expectDescribed('POST', '/documents', page);
    expect(page.total).toBeGreaterThanOrEqual(page.documents.length);
    expect(page.offset).toBe(0);
  });

  rule('read-only.documents.order', 'the most recently published come first', (context) => {
    needDocuments(context);
    expectDescending(newest.map(({ published }) => Date.parse(published ?? '')));
  });

  rule('read-only.documents.window', 'all were published in the window', (context) => {
    needDocuments(context);
    for (const { published } of newest) {
      const time = Date.parse(published ?? '');
      expect(time).toBeGreaterThanOrEqual(PAST.start.getTime() - 60_000);
      expect(time).toBeLessThan(PAST.end.getTime() + 60_000);
    }
  });

  rule('read-only.get-filters', 'GET finds what POST finds', async () => {
    expect(await byGet.documents.page(past())).toEqual(await client.documents.page(past()));
  });

  rule('read-only.filters', 'each filter keeps only what it names', async () => {
    for (const sentiment of ['B', 'N', 'R'] as const) {
      const { documents } = await client.documents.page({ ...past(), sentiments: [sentiment] });
      for (const document of documents) expect(document.sentiment).toBe(sentiment);
    }
    const { documents } = await client.documents.page({ ...past(), viewSource: 'TWT' });
    for (const { source } of documents) expect(source).toBe('TWT');
    const verified = await client.documents.page({ ...past(), onlyVerifiedAuthors: true });
    for (const { author } of verified.documents) expect(author.isVerified).toBe(true);
  });
});

describe(`read-only, of ${target.name}: offset`, () => {
  rule('read-only.offset.skips', 'skips from the start of the same list', async (context) => {
    needDocuments(context);
    const { documents, offset } = await client.documents.page({ ...past(), offset: 1 });
    expect(offset).toBe(1);
    const overlap = Math.min(documents.length, newest.length - 1);
    const ids = newest.slice(1, overlap + 1).map(({ id }) => id);
    expect(documents.slice(0, overlap).map(({ id }) => id)).toEqual(ids);
  });
});

describe(`read-only, of ${target.name}: rankings`, () => {
  for (const [docRanking, viewSource] of [
    ['likes', 'FCP'],
    ['comments', 'YTB'],
    ['shares', 'TWT'],
    ['impressions', 'ITG'],
  ] as const) {
    rule('read-only.ranking', `${docRanking} of ${viewSource} descend`, async () => {
      const query = { ...past(), docRanking, viewSource } as DocumentsQuery;
      const { documents } = await client.documents.page(query);
      expectDescending(documents.map((document) => metric(document, docRanking)));
    });
  }
});

describe(`read-only, of ${target.name}: feed`, () => {
  /** The first pages: an account may have captured more than anybody wants to read. */
  async function firstPages(): Promise<FeedPage[]> {
    const pages: FeedPage[] = [];
    const cursor = cursorAt(PAST.start);
    for await (const page of client.feed({ monitorings: monitoring }, { cursor })) {
      pages.push(page);
      if (pages.length === 3) break;
    }
    return pages;
  }

  rule('read-only.feed', 'pages are as described, with up to 100 documents', async () => {
    for (const page of await firstPages()) {
      expectDescribed('POST', '/documents/feed', page);
      expect(page.documents.length).toBeLessThanOrEqual(100);
      expect(page.nextCursor).toMatch(/^\d{14}\.\d+$/);
    }
  });

  rule('read-only.feed.order', 'documents come by time of download, each once', async () => {
    const documents = (await firstPages()).flatMap((page) => page.documents);
    const times = documents.map(({ downloaded }) => Date.parse(downloaded ?? '') / 1000);
    expectDescending(times.map(Math.floor).toReversed());
    expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
  });
});

describe(`read-only, of ${target.name}: context`, () => {
  rule(
    'read-only.context',
    'it holds the document, publication first, parents before replies',
    async (context) => {
      needDocuments(context);
      const start = newest.find(({ parentSourceId }) => parentSourceId !== null) ?? newest[0]!;
      const documents = await collect(client.context.all(start.id));
      expect(documents[0]!.parentId).toBeNull();
      expect(documents.map(({ id }) => id)).toContain(start.id);
      const seen = new Set<number | null>([null]);
      for (const { id, parentId } of documents) {
        expect(seen).toContain(parentId);
        seen.add(id);
      }
      expectDescribed(
        ...(['POST', `/documents/${start.id}/context`] as const),
        await client.context.page(start.id),
      );
    },
  );
});

describe(`read-only, of ${target.name}: authors and figures`, () => {
  rule('read-only.authors', 'at most 200 are ranked, each once', async () => {
    const authors = await collect(client.authors.all(past()));
    expect(authors.length).toBeLessThanOrEqual(200);
    expect(new Set(authors.map(({ id }) => id)).size).toBe(authors.length);
    const page = await client.authors.page(past());
    expectDescribed('POST', '/authors', page);
    expect(page.count).toBe(page.authors.length);
  });

  rule('read-only.figures', 'indicators and chart answer, whatever they hold', async () => {
    const indicators = await client.indicators(past());
    expectDescribed('POST', '/indicators', indicators);
    expect(await client.chart(past())).toEqual(expect.any(Object));
  });
});

describe(`read-only, of ${target.name}: conventions`, () => {
  rule('read-only.credentials', 'wrong credentials are refused with the error object', async () => {
    const wrong = createClient({ ...connection, apiKey: 'a-wrong-key-123' });
    const error = await wrong.monitorings.list().catch((reason: unknown) => reason);
    await wrong.close();
    expect(error).toBeInstanceOf(AuthenticationError);
    expect((error as AuthenticationError).messages.length).toBeGreaterThan(0);
    expect((error as AuthenticationError).message).not.toContain('a-wrong-key-123');
    await expectErrorObject(await ask('/monitorings', { authorization: 'Basic eDp5' }));
  });

  rule('read-only.errors', 'what fails answers with the error object', async () => {
    for (const path of ['/monitorings/999999999', '/documents?monitorings=none', '/authors']) {
      const response = await ask(path);
      expect(response.ok).toBe(false);
      await expectErrorObject(response);
    }
  });
});
