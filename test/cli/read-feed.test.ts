import { describe, expect, it } from 'vitest';
import type { FeedPage } from '../../src/api/index.js';
import { type ReadingOptions, readFeed } from '../../src/cli/commands/read-feed.js';

/** Ten documents on three pages, as the service gives them. */
async function* pages(): AsyncGenerator<FeedPage> {
  for (const [at, size] of [4, 4, 2].entries()) {
    const documents = Array.from({ length: size }, (_, nth) => ({ id: 4 * at + nth + 1 }));
    const remaining = [6, 2, 0][at] ?? 0;
    yield { documents, remaining, nextCursor: `${at + 1}.0` } as unknown as FeedPage;
  }
}

async function read(options: ReadingOptions) {
  const reading = readFeed(pages(), options);
  const ids: number[] = [];
  for await (const batch of reading.batches) ids.push(...batch.map(({ id }) => id));
  return { ids, notices: reading.notices() };
}

describe('readFeed', () => {
  it('reads everything, and says where to continue', async () => {
    const { ids, notices } = await read({});
    expect(ids).toHaveLength(10);
    expect(notices).toEqual(['To continue: --cursor 3.0']);
  });

  it('ends at its limit, in the middle of a page, which no cursor can point to', async () => {
    const { ids, notices } = await read({ limit: 6 });
    expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
    expect(notices).toEqual(['6 documents; 4 more remain.']);
  });

  it('keeps pages whole where somebody remembers how far it went', async () => {
    const saved: string[] = [];
    const { ids, notices } = await read({ limit: 6, save: (cursor) => saved.push(cursor) });
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(saved).toEqual(['1.0', '2.0']);
    expect(notices).toEqual(['8 documents; 2 more remain.']);
  });

  it('remembers a page only after the next one is wanted', async () => {
    const saved: string[] = [];
    const { batches } = readFeed(pages(), { save: (cursor) => saved.push(cursor) });
    const iterator = batches[Symbol.asyncIterator]();
    await iterator.next();
    expect(saved).toEqual([]);
    await iterator.next();
    expect(saved).toEqual(['1.0']);
    await iterator.return?.();
    expect(saved).toEqual(['1.0']);
  });

  it('takes an end from outside for no failure, but any other end for one', async () => {
    const controller = new AbortController();
    async function* broken(): AsyncGenerator<FeedPage> {
      yield* pages();
      throw new Error('broken');
    }
    const all = async (options: ReadingOptions) => {
      for await (const _ of readFeed(broken(), options).batches);
    };
    await expect(all({ signal: controller.signal })).rejects.toThrow('broken');
    controller.abort();
    await all({ signal: controller.signal });
  });
});
