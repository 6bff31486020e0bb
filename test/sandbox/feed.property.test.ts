import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeedPage } from '../../src/service/resources.js';
import { runs } from '../helpers/runs.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { ask, type Question, questions } from './oracle/asking.js';
import { cursorOf, feedOf } from './oracle/feed.js';
import { type Filled, fill } from './oracle/fill.js';
import type { Batch, Post } from './oracle/memory.js';
import { captured, plainQuestion } from './oracle/plain.js';
import { select } from './oracle/select.js';
import { worlds } from './oracle/worlds.js';

/** Worlds with more documents than a page of the feed holds. */
const crowds = fc
  .tuple(worlds(4), fc.constantFrom(1, 1, 5, 12))
  .map(([world, times]) =>
    world.map(
      (batch) => ({ ...batch, documents: Array(times).fill(batch.documents).flat() }) as Batch,
    ),
  );

test('the feed holds everything once, by time of download, and goes on from any cursor', async () => {
  const sandbox = await startTestSandbox();
  await fc.assert(
    fc.asyncProperty(crowds, questions, fc.nat(1000), async (world, question, anywhere) => {
      const known = await fill(sandbox, world);
      const { expected, form } = asked(known, question);
      const ids = expected.map(known.idOf);

      const pages = await walk(sandbox, form);
      expect(pages.flatMap(idsOf)).toEqual(ids);
      expect(pages.map(({ remaining }) => remaining)).toEqual(
        pages.map((_, index) => Math.max(0, ids.length - 100 * (index + 1))),
      );
      for (const [index, { nextCursor }] of pages.entries()) {
        const rest = await walk(sandbox, { ...form, cursor: nextCursor });
        expect(rest.flatMap(idsOf)).toEqual(ids.slice(100 * (index + 1)));
      }

      const post = known.posts[anywhere % known.posts.length]!;
      const since = { ...form, cursor: cursorOf(post.downloaded) };
      expect((await walk(sandbox, since)).flatMap(idsOf)).toEqual(
        expected.filter(({ downloaded }) => downloaded >= post.downloaded).map(known.idOf),
      );
      const behind = { ...form, cursor: cursorOf(post.downloaded, known.idOf(post)) };
      expect((await walk(sandbox, behind)).flatMap(idsOf)).toEqual(
        expected.filter((other) => isBehind(other, post)).map(known.idOf),
      );
    }),
    {
      numRuns: runs(20),
      examples: [
        // What was downloaded before 1970 was not in the feed.
        [[captured({ downloaded: '1969-12-31T23:59:58Z' })], plainQuestion(), 0],
      ],
    },
  );
});

test('what is imported while the feed is read comes once, unless it was downloaded earlier', async () => {
  const sandbox = await startTestSandbox();
  let monitoring = 0;
  const steps = fc.array(
    fc.record({
      documents: fc.integer({ min: 1, max: 160 }),
      laterBy: fc.constantFrom(0, 0, 0, 1, 3600),
      pages: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (imports) => {
      monitoring += 1;
      await sandbox.ensureMonitoring(monitoring);
      const sent: string[] = [];
      const seen: string[] = [];
      let cursor: string | undefined;
      let downloaded = Date.parse('2024-05-31T10:00:00Z');
      for (const { documents, laterBy, pages } of imports) {
        downloaded += laterBy * 1000;
        const at = new Date(downloaded).toISOString();
        const batch = captured(
          ...Array.from({ length: documents }, (_, index) => ({
            sourceId: `${sent.length + index}`,
            downloaded: at,
          })),
        );
        await sandbox.capture(monitoring, batch.documents);
        sent.push(...batch.documents.map(({ sourceId }) => sourceId));
        for (let page = 0; page < pages; page += 1) {
          const form = { monitorings: `${monitoring}`, ...(cursor && { cursor }) };
          const { documents: found, nextCursor } = await read(sandbox, form);
          seen.push(...found.map(({ sourceId }) => sourceId));
          cursor = nextCursor;
        }
      }
      const form = { monitorings: `${monitoring}`, ...(cursor && { cursor }) };
      const rest = (await walk(sandbox, form)).flatMap(({ documents }) => documents);
      seen.push(...rest.map(({ sourceId }) => sourceId));
      expect(seen).toEqual(sent);
    }),
    { numRuns: runs(15) },
  );
});

/** The posts that the feed is to hold, in order, and the form that asks for them. */
function asked(
  known: Filled,
  question: Question,
): { expected: Post[]; form: Record<string, string> } {
  const filters = ask(question, known.posts);
  const { start, end, ...form } = known.formOf(filters);
  const always = { ...filters, start: '0000-01-01 00:00', end: '9999-12-31 23:59' };
  // The feed takes a window and does not heed it.
  const window = question.flags[0] ? { start: start!, end: end! } : {};
  return { expected: feedOf(select(known.posts, always)), form: { ...form, ...window } };
}

function isBehind(other: Post, post: Post): boolean {
  return (
    other.downloaded > post.downloaded ||
    (other.downloaded === post.downloaded && other.position > post.position)
  );
}

/** Reads on until nothing remains. */
async function walk(sandbox: TestSandbox, form: Record<string, string>): Promise<FeedPage[]> {
  const pages: FeedPage[] = [];
  for (let at = form; ; at = { ...form, cursor: pages.at(-1)!.nextCursor }) {
    pages.push(await read(sandbox, at));
    if (pages.at(-1)!.remaining === 0) return pages;
  }
}

async function read({ call }: TestSandbox, form: Record<string, string>): Promise<FeedPage> {
  const { status, body } = await call('POST', '/documents/feed', { form });
  expect([status, body.errors]).toEqual([200, undefined]);
  return body;
}

function idsOf({ documents }: FeedPage): number[] {
  return documents.map(({ id }) => id);
}
