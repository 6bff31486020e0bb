import fc from 'fast-check';
import { expect } from 'vitest';
import type { CapturedDocument } from '../../src/sandbox/index.js';
import { longTest, runs } from '../helpers/runs.js';
import {
  startTestSandbox,
  startWithMonitoring,
  type TestSandbox,
} from '../helpers/start-sandbox.js';
import { contextOf } from './oracle/context.js';
import { type Filled, fill } from './oracle/fill.js';
import type { Batch, Post } from './oracle/memory.js';
import { captured } from './oracle/plain.js';

/** Few names, so that orphans, circles, replies to oneself and repeated sourceIds are common. */
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
const second = fc.integer({ min: 0, max: 5 }).map((at) => `2024-05-31T10:00:0${at}Z`);

const reply = fc.record({
  source: fc.constantFrom('TWT', 'TWT', 'TWT', 'FCP'),
  sourceId: name,
  parentSourceId: fc.option(fc.oneof({ weight: 9, arbitrary: name }, fc.constant('')), { freq: 4 }),
  published: second,
});

const forests: fc.Arbitrary<Batch[]> = fc.array(
  fc
    .record({
      monitoring: fc.constantFrom(0, 0, 0, 1),
      replies: fc.array(reply, { minLength: 1, maxLength: 12, size: 'max' }),
    })
    .map(({ monitoring, replies }) => ({
      ...captured(...(replies as Partial<CapturedDocument>[])),
      monitoring,
    })),
  { minLength: 1, maxLength: 3 },
);

/** Trees that grow: every message replies to one before it, and none is repeated. */
const trees: fc.Arbitrary<Batch[]> = fc
  .array(fc.record({ below: fc.nat(1000), published: second }), { minLength: 2, maxLength: 30 })
  .map((replies) => [
    captured(
      ...replies.map(({ below, published }, index) => ({
        sourceId: `${index}`,
        parentSourceId: index === 0 ? null : `${below % index}`,
        published,
      })),
    ),
  ]);

longTest('the context of a message is its whole tree, depth first', async () => {
  const sandboxes = [await startTestSandbox(), await startTestSandbox({ pageSize: 4 })];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sandboxes),
      fc.oneof(forests, trees),
      async (sandbox, forest) => {
        const known = await fill(sandbox, forest);
        for (const post of known.posts) {
          expect(await answered(sandbox, known.idOf(post))).toEqual(expected(known, post));
        }
      },
    ),
    { numRuns: runs(30) },
  );
});

interface Context {
  readonly total: number;
  readonly documents: readonly { readonly id: number; readonly parentId: number | null }[];
}

function expected({ posts, idOf }: Filled, post: Post): Context {
  const relatives = contextOf(posts, post);
  return {
    total: relatives.length,
    documents: relatives.map((relative) => ({
      id: idOf(relative.post),
      parentId: relative.parent && idOf(relative.parent),
    })),
  };
}

/** Follows `offset` until a page comes back empty. */
async function answered({ call }: TestSandbox, id: number): Promise<Context> {
  const documents: Context['documents'][number][] = [];
  for (;;) {
    const form = { offset: String(documents.length) };
    const { body } = await call('POST', `/documents/${id}/context`, { form });
    expect(body.offset).toBe(documents.length);
    if (body.documents.length === 0) return { total: body.total, documents };
    for (const document of body.documents) {
      documents.push({ id: document.id, parentId: document.parentId });
    }
  }
}

// With the wrong index this would take minutes.
longTest('a chain of replies may be longer than any call stack', async () => {
  const sandbox = await startWithMonitoring({ pageSize: 12_000 });
  const chain = Array.from({ length: 12_000 }, (_, index) => ({
    sourceId: `${index}`,
    parentSourceId: index === 0 ? null : `${index - 1}`,
  }));
  await sandbox.capture(1, captured(...chain).documents);
  const { body } = await sandbox.call('POST', '/documents/12000/context', { form: {} });
  expect(body.documents.map(({ id }: { id: number }) => id)).toEqual(
    Array.from({ length: 12_000 }, (_, index) => index + 1),
  );
});
