import { describe, expect } from 'vitest';
import type { ContextPage } from '../../src/api/index.js';
import type { CapturedDocument } from '../../src/sandbox/index.js';
import { collect } from '../helpers/collect.js';
import { message } from './message.js';
import { ALWAYS, expectRefusal, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

/** Key, what it replies to, and its minute; captured in this order, which is none of the rules'. */
const THREAD: readonly [key: string, parent: string | null, minute: number][] = [
  ['pub', null, 0],
  ['c2', 'pub', 20],
  ['c1', 'pub', 10],
  ['c3', 'pub', 15],
  ['r12', 'c1', 40],
  ['r11', 'c1', 30],
  ['r21', 'c2', 25],
  ['r121', 'r12', 50],
];

/** Depth first, siblings by `published`. */
const IN_ORDER = ['pub', 'c1', 'r11', 'r12', 'r121', 'c3', 'c2', 'r21'];
const PARENTS = [null, 'pub', 'c1', 'c1', 'r12', 'pub', 'pub', 'c2'];

const service = serviceWith(
  async (sandbox) => {
    await sandbox.ensureMonitoring(1);
    await sandbox.capture(1, [
      ...THREAD.map(([key, parentSourceId, minute]) =>
        message(key, { source: 'FCP', parentSourceId, published: at(minute) }),
      ),
      message('alone', { source: 'FCP' }),
    ]);
  },
  { pageSize: 20 },
);

function at(minute: number): CapturedDocument['published'] {
  return `2024-05-01T10:${String(minute).padStart(2, '0')}:00Z`;
}

async function idOf(key: string): Promise<number> {
  const { documents } = await service.client.documents.page({ monitorings: 1, ...ALWAYS });
  return documents.find(({ sourceId }) => sourceId === key)!.id;
}

const contextOf = async (key: string): Promise<ContextPage> =>
  service.client.context.page(await idOf(key));

describe('context', () => {
  rule('context.output', 'the answer holds documents, total, max and offset', async () => {
    const page = await contextOf('pub');
    expect(Object.keys(page).toSorted()).toEqual(['documents', 'max', 'offset', 'total']);
    expect([page.total, page.offset]).toEqual([8, 0]);
  });

  const starts = { publication: 'pub', comment: 'c2', reply: 'r11', 'reply to a reply': 'r121' };
  for (const [kind, key] of Object.entries(starts)) {
    rule('context.of', `that of a ${kind} is the whole thread`, async () => {
      expect(keysOf((await contextOf(key)).documents)).toEqual(IN_ORDER);
    });
  }

  rule('context.documents', 'its documents are those of POST /documents', async () => {
    const { documents } = await service.client.documents.page({ monitorings: 1, ...ALWAYS });
    const page = await contextOf('pub');
    for (const { parentId: _, ...document } of page.documents) {
      expect(documents).toContainEqual(document);
    }
  });

  rule('context.missing', 'of a document that is not there it is an error', async () => {
    expectRefusal(await service.call('POST', '/5.0/documents/999999/context'));
    expectRefusal(await service.call('POST', '/5.0/documents/first/context'));
  });
});

describe('context / ordering', () => {
  rule('context.rule-4', 'rule 4: parentId is the id of what is replied to', async () => {
    const { documents } = await contextOf('pub');
    const keys = new Map(documents.map(({ id, sourceId }) => [id, sourceId]));
    expect(documents.map(({ parentId }) => parentId && keys.get(parentId))).toEqual(PARENTS);
  });
});

describe('context / offset', () => {
  rule('context.offset', 'skips along the same order', async () => {
    const page = await service.client.context.page(await idOf('pub'), { offset: 3 });
    expect(keysOf(page.documents)).toEqual(IN_ORDER.slice(3));
    expect([page.total, page.offset]).toEqual([8, 3]);
  });

  rule('context.offset.beyond', 'beyond the total there is an empty list', async () => {
    const page = await service.client.context.page(await idOf('pub'), { offset: 9 });
    expect(page).toMatchObject({ documents: [], total: 8, offset: 9 });
  });

  rule('context.offset.integer', 'it is an integer, at least 0', async () => {
    const path = `/5.0/documents/${await idOf('pub')}/context`;
    expectRefusal(await service.call('POST', path, { form: { offset: '-1' } }));
  });
});

describe('context / pages', () => {
  const REPLIES = Array.from({ length: 45 }, (_, second) => `reply ${second}`);

  rule('context.pages', 'a long thread comes page after page, each document once', async () => {
    await service.sandbox.ensureMonitoring(2);
    await service.sandbox.capture(2, [
      message('long', { source: 'FCP' }),
      ...REPLIES.map((key, second) =>
        message(key, {
          source: 'FCP',
          parentSourceId: 'long',
          published: `2024-05-02T00:00:${String(second).padStart(2, '0')}Z`,
        }),
      ),
    ]);
    const found = await service.client.documents.page({
      ...{ monitorings: 2, ...ALWAYS, end: '2024-05-01 23:59' },
    });
    const all = await collect(service.client.context.all(found.documents[0]!.id));
    expect(keysOf(all)).toEqual(['long', ...REPLIES]);
    expect(service.exchanges.filter(({ url }) => url.endsWith('/context')).length).toBeGreaterThan(
      1,
    );
  });
});
