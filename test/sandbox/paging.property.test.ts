import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longTest, runs } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { ALWAYS } from './documents.js';
import { ask, questions, rankingFor } from './oracle/asking.js';
import { rankPeople, rankPosts } from './oracle/figures.js';
import { allPages, fill } from './oracle/fill.js';
import { select } from './oracle/select.js';
import { worlds } from './oracle/worlds.js';

const PAGE_SIZES = [1, 2, 3, 5, 7, 100];

test('pages of any size, one after the other, hold everything once and in order', async () => {
  const sandboxes = await Promise.all(PAGE_SIZES.map((pageSize) => startTestSandbox({ pageSize })));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sandboxes),
      worlds(4),
      questions,
      async (sandbox, world, question) => {
        const known = await fill(sandbox, world);
        const asked = ask(question, known.posts);
        const chosen = select(known.posts, asked);
        const docRanking = rankingFor(question, asked, 'documents');
        const authorRanking = rankingFor(question, asked, 'authors');
        const form = known.formOf(asked);
        const documents = await allPages<{ id: number }>(sandbox, 'documents', {
          ...form,
          ...(docRanking && { docRanking }),
        });
        const authors = await allPages<{ id: number }>(sandbox, 'authors', {
          ...form,
          ...(authorRanking && { authorRanking }),
        });
        expect(documents.map(({ id }) => id)).toEqual(
          rankPosts(chosen, docRanking).map(known.idOf),
        );
        expect(authors.map(({ id }) => id)).toEqual(
          rankPeople(chosen, authorRanking, known.people).map(known.authorIdOf),
        );
      },
    ),
    { numRuns: runs(30) },
  );
});

longTest('any offset skips as many as it says, and counts them all', async () => {
  const sandboxes = await Promise.all(PAGE_SIZES.map((pageSize) => startTestSandbox({ pageSize })));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(PAGE_SIZES.length - 1),
      worlds(4),
      fc.array(
        fc.oneof(
          fc.nat(40),
          fc.maxSafeNat().map((big) => big % 1e15),
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      async (size, world, offsets) => {
        const sandbox = sandboxes[size]!;
        const { monitorings, posts, idOf } = await fill(sandbox, world);
        const all = rankPosts(posts, undefined).map(idOf);
        for (const offset of offsets) {
          const form = { monitorings: monitorings.join(), ...ALWAYS, offset: String(offset) };
          const { body } = await sandbox.call('POST', '/documents', { form });
          expect({
            ...body,
            documents: body.documents.map(({ id }: { id: number }) => id),
          }).toEqual({
            documents: all.slice(offset, offset + PAGE_SIZES[size]!),
            total: all.length,
            offset,
          });
        }
      },
    ),
    { numRuns: runs(15) },
  );
});
