import fc from 'fast-check';
import { expect } from 'vitest';
import type { CapturedDocument } from '../../src/sandbox/index.js';
import { longTest, runs } from '../helpers/runs.js';
import {
  startTestSandbox,
  startWithMonitoring,
  type TestSandbox,
} from '../helpers/start-sandbox.js';
import { ALWAYS, captured } from './documents.js';

/** Few names, so that orphans, circles, replies to oneself and repeated sourceIds are common. */
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
const second = fc.integer({ min: 0, max: 5 }).map((at) => `2024-05-31T10:00:0${at}Z`);

const reply = fc.record({
  source: fc.constantFrom('TWT', 'TWT', 'TWT', 'FCP'),
  sourceId: name,
  parentSourceId: fc.option(fc.oneof({ weight: 9, arbitrary: name }, fc.constant('')), { freq: 4 }),
  published: second,
}) as fc.Arbitrary<Partial<CapturedDocument>>;

const forests = fc.array(reply, { minLength: 1, maxLength: 30, size: 'max' });

/** Trees that grow: every message replies to one before it, and none is repeated. */
const trees = fc
  .array(fc.record({ below: fc.nat(1000), published: second }), { minLength: 2, maxLength: 30 })
  .map((replies) =>
    replies.map(({ below, published }, index) => ({
      sourceId: `${index}`,
      parentSourceId: index === 0 ? null : `${below % index}`,
      published,
    })),
  );

longTest('the context of a message is its whole tree, depth first', async () => {
  const sandboxes = [
    await startTestSandbox({ pageSize: 100 }),
    await startTestSandbox({ pageSize: 4 }),
  ];
  let monitoring = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sandboxes),
      fc.oneof(forests, trees),
      async (sandbox, forest) => {
        monitoring += 2;
        const documents = captured(...forest);
        const posts = await capture(sandbox, monitoring, documents);
        // The same messages in another monitoring are none of their relatives.
        await capture(sandbox, monitoring + 1, documents);
        for (const post of posts) {
          expect(await answered(sandbox, post.id)).toEqual(contextOf(posts, post));
        }
      },
    ),
    { numRuns: runs(30) },
  );
});

interface Post extends CapturedDocument {
  readonly id: number;
}

interface Relative {
  readonly id: number;
  readonly parentId: number | null;
}

/** Captures documents; gives them with their ids, in the order of arrival. */
async function capture(
  sandbox: TestSandbox,
  monitoring: number,
  documents: readonly CapturedDocument[],
): Promise<readonly Post[]> {
  await sandbox.ensureMonitoring(monitoring);
  await sandbox.capture(monitoring, documents);
  const ids: number[] = [];
  while (ids.length < documents.length) {
    const form = { monitorings: `${monitoring}`, ...ALWAYS, offset: `${ids.length}` };
    const { body } = await sandbox.call('POST', '/documents', { form });
    ids.push(...body.documents.map(({ id }: Post) => id));
  }
  ids.sort((a, b) => a - b);
  return documents.map((document, index) => ({ ...document, id: ids[index] as number }));
}

/**
 * The whole tree that a post belongs to, depth first. A reply whose parent is not there is a
 * publication, in a circle the first one is; the first of several posts with one sourceId has the
 * replies.
 */
function contextOf(posts: readonly Post[], of: Post): readonly Relative[] {
  const parents = new Map(
    posts.map((post) => [
      post,
      posts.find(
        ({ source, sourceId }) => source === post.source && sourceId === post.parentSourceId,
      ),
    ]),
  );
  const root = rootOf(parents, of);
  // Where a circle is cut, the publication has no parent.
  parents.set(root, undefined);
  const below = (parent: Post): readonly Relative[] =>
    posts
      .filter((post) => parents.get(post) === parent)
      .toSorted((a, b) => a.published.localeCompare(b.published) || a.id - b.id)
      .flatMap((post) => [{ id: post.id, parentId: parent.id }, ...below(post)]);
  return [{ id: root.id, parentId: null }, ...below(root)];
}

function rootOf(parents: ReadonlyMap<Post, Post | undefined>, of: Post): Post {
  const line = [of];
  for (;;) {
    const parent = parents.get(line.at(-1) as Post);
    if (parent === undefined) return line.at(-1) as Post;
    if (line.includes(parent)) {
      const circle = line.slice(line.indexOf(parent));
      return circle.reduce((first, post) => (post.id < first.id ? post : first));
    }
    line.push(parent);
  }
}

/** Follows `offset` until a page comes back empty. */
async function answered({ call }: TestSandbox, id: number): Promise<readonly Relative[]> {
  const relatives: Relative[] = [];
  for (;;) {
    const form = { offset: String(relatives.length) };
    const { body } = await call('POST', `/documents/${id}/context`, { form });
    expect(body.offset).toBe(relatives.length);
    if (body.documents.length === 0) {
      expect(body.total).toBe(relatives.length);
      return relatives;
    }
    relatives.push(...body.documents.map(({ id, parentId }: Relative) => ({ id, parentId })));
  }
}

// With the wrong index this would take minutes.
longTest('a chain of replies may be longer than any call stack', async () => {
  const sandbox = await startWithMonitoring({ pageSize: 12_000 });
  const chain = Array.from({ length: 12_000 }, (_, index) => ({
    sourceId: `${index}`,
    parentSourceId: index === 0 ? null : `${index - 1}`,
  }));
  await sandbox.capture(1, captured(...chain));
  const { body } = await sandbox.call('POST', '/documents/12000/context', { form: {} });
  expect(body.documents.map(({ id }: { id: number }) => id)).toEqual(
    Array.from({ length: 12_000 }, (_, index) => index + 1),
  );
});
