import { describe, expect, it } from 'vitest';
import { demoWorld } from '../../../src/sandbox/demo/world.js';
import { AUTHOR_RANKINGS, DOC_RANKINGS } from '../../../src/service/rankings.js';
import { conformsTo } from '../../helpers/openapi.js';
import { type Answer, startTestSandbox, type TestSandbox } from '../../helpers/start-sandbox.js';

const NOW = new Date('2025-05-31T15:20:00Z');
const ALL = { monitorings: '1,2,3', start: '2025-01-31 00:00', end: '2025-05-31 00:00' };
const world = demoWorld(NOW);

describe('the demo world in a sandbox', () => {
  it('comes back whole, page after page and through the feed, as the API is described', async () => {
    const sandbox = await startWithWorld();
    const expected = [...world.documents, ...world.reviews]
      .flatMap(({ documents }): readonly { sourceId?: string }[] => documents)
      .map(({ sourceId }) => sourceId)
      .toSorted();

    const found: string[] = [];
    for (let offset = 0; offset < expected.length; offset += 100) {
      const page = await ask(sandbox, '/documents', { ...ALL, offset: String(offset) });
      expect(page.total).toBe(expected.length);
      found.push(...page.documents.map(sourceIdOf));
    }
    expect(found.toSorted()).toEqual(expected);

    const fed: string[] = [];
    let cursor: string | undefined;
    for (let remaining = 1; remaining > 0; ) {
      const filters = { monitorings: ALL.monitorings, ...(cursor && { cursor }) };
      const page = await ask(sandbox, '/documents/feed', filters);
      fed.push(...page.documents.map(sourceIdOf));
      remaining = page.remaining;
      cursor = page.nextCursor;
    }
    expect(fed.toSorted()).toEqual(expected);
  });

  it('has threads whose context is as deep as they are', async () => {
    const sandbox = await startWithWorld();
    const { documents } = await ask(sandbox, '/documents', { ...ALL, viewSource: 'FCP' });
    let deepest = 0;
    for (const { id } of documents.slice(0, 25)) {
      const page = await ask(sandbox, `/documents/${id}/context`, {});
      expect(page.documents[0].parentId).toBeNull();
      const levels = new Map<number, number>();
      for (const document of page.documents) {
        levels.set(document.id, (levels.get(document.parentId) ?? -1) + 1);
      }
      deepest = Math.max(deepest, ...levels.values());
    }
    expect(deepest).toBe(3);
  });

  it('answers every ranking, indicator and chart as the API is described', async () => {
    const sandbox = await startWithWorld();
    const networks = ['FCP', 'ITB', 'ITG', 'NTC', 'TWT', 'YTB'];
    for (const [ranking, sources] of Object.entries(DOC_RANKINGS)) {
      for (const viewSource of networks.filter((source) => isIn(sources, source))) {
        const filters = { ...ALL, viewSource, docRanking: ranking };
        expect((await ask(sandbox, '/documents', filters)).documents).not.toEqual([]);
      }
    }
    for (const [ranking, sources] of Object.entries(AUTHOR_RANKINGS)) {
      for (const viewSource of networks.filter((source) => isIn(sources, source))) {
        const filters = { ...ALL, viewSource, authorRanking: ranking };
        expect((await ask(sandbox, '/authors', filters)).authors).not.toEqual([]);
      }
    }
    const { indicators } = await ask(sandbox, '/indicators', { ...ALL, viewSource: 'TWT' });
    for (const { currentValue } of indicators) expect(currentValue).toBeGreaterThan(0);
    const { chart } = await ask(sandbox, '/chart', ALL);
    expect(chart.length).toBeGreaterThan(60);
  });

  it.each([
    { tags: 'rooms' },
    { tagExpression: 'food AND NOT rooms' },
    { authorTags: 'influencer' },
    { contributors: '11' },
    { onlyVerifiedAuthors: 'true', viewSource: 'TWT' },
    { onlyWithPersonalUrl: 'false' },
    { languages: 'cs', sentiments: 'R' },
    { authorAbout: 'coffee' },
    { query: 'tranvía OR tram' },
  ])('has some, but not all documents for %j', async (filter) => {
    const sandbox = await startWithWorld();
    const { total } = await ask(sandbox, '/documents', ALL);
    const some = await ask(sandbox, '/documents', { ...ALL, ...(filter as object) });
    expect(some.total).toBeGreaterThan(0);
    expect(some.total).toBeLessThan(total);
  });
});

async function startWithWorld(): Promise<TestSandbox> {
  const sandbox = await startTestSandbox();
  for (const monitoring of world.monitorings) {
    checked(
      'POST',
      '/monitorings',
      await sandbox.call('POST', '/monitorings', { json: monitoring }),
    );
  }
  for (const { monitoring, documents } of world.documents) {
    await sandbox.capture(monitoring + 1, documents);
  }
  for (const { monitoring, documents } of world.reviews) {
    const path = `/monitorings/${monitoring + 1}/documents`;
    checked('POST', path, await sandbox.call('POST', path, { json: { documents } }));
  }
  return sandbox;
}

async function ask(sandbox: TestSandbox, path: string, form: Record<string, string>) {
  return checked('POST', path, await sandbox.call('POST', path, { form }));
}

/** The body of an answer that is a success and as described. */
function checked(method: string, path: string, { status, body }: Answer): Answer['body'] {
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
  expect(conformsTo(method, `/5.0${path}`, status, body)).toEqual([]);
  return body;
}

function sourceIdOf(document: { sourceId: string }): string {
  return document.sourceId;
}

function isIn(list: readonly string[], item: string): boolean {
  return list.includes(item);
}
