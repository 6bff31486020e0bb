import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AuthorsPage } from '../../src/service/resources.js';
import { runs } from '../helpers/runs.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { ask, type Question, questions, rankingFor } from './oracle/asking.js';
import { chartOf, indicatorsOf, rankPeople, rankPosts } from './oracle/figures.js';
import { type Filled, fill } from './oracle/fill.js';
import { FOUND } from './oracle/found.js';
import { type Asked, select } from './oracle/select.js';
import { shownAs, withoutIds } from './oracle/shown.js';
import { worlds } from './oracle/worlds.js';

test('documents, authors, indicators and chart are those of a plain filter over the list', async () => {
  const sandbox = await startTestSandbox({ pageSize: 1000 });
  const matches: number[] = [];
  await fc.assert(
    fc.asyncProperty(
      worlds(),
      fc.array(questions, { minLength: 1, maxLength: 12, size: 'max' }),
      async (world, asked) => {
        const known = await fill(sandbox, world);
        expect(known.shown.map(withoutIds)).toEqual(
          known.posts.map((post) => shownAs(post, known.monitorings[post.monitoring]!)),
        );
        for (const question of asked) matches.push(await compare(sandbox, known, question));
      },
    ),
    { numRuns: runs(40), examples: FOUND },
  );
  // A property that seldom finds anything proves little.
  const found = matches.filter((count) => count > 0);
  expect(found.length / matches.length).toBeGreaterThan(0.4);
});

/** Asks the sandbox and the oracle; answers how many documents matched. */
async function compare(sandbox: TestSandbox, known: Filled, question: Question): Promise<number> {
  const asked = ask(question, known.posts);
  const form = known.formOf(asked);
  const chosen = select(known.posts, asked);
  const [documents, authors, indicators, chart] = await Promise.all([
    documentsOf(sandbox, form, rankingFor(question, asked, 'documents')),
    authorsOf(sandbox, form, rankingFor(question, asked, 'authors')),
    sandbox.call('POST', '/indicators', { form }),
    sandbox.call('POST', '/chart', { form }),
  ]);
  expect({ form, documents, authors, indicators: indicators.body, chart: chart.body }).toEqual({
    form,
    ...expected(known, question, asked),
    indicators: { indicators: indicatorsOf(known.posts, asked) },
    chart: { chart: chartOf(chosen) },
  });
  return chosen.length;
}

interface Found {
  readonly ids: readonly number[];
  readonly total: number;
}

function expected(
  { posts, people, idOf, authorIdOf }: Filled,
  question: Question,
  asked: Asked,
): { documents: Found; authors: Found } {
  const chosen = select(posts, asked);
  const total = chosen.length;
  const documents = rankPosts(chosen, rankingFor(question, asked, 'documents'));
  const authors = rankPeople(chosen, rankingFor(question, asked, 'authors'), people);
  return {
    documents: { ids: documents.map(idOf), total },
    authors: { ids: authors.map(authorIdOf), total },
  };
}

async function documentsOf(
  { call }: TestSandbox,
  form: Record<string, string>,
  docRanking: string | undefined,
): Promise<Found> {
  const ranked = { ...form, ...(docRanking && { docRanking }) };
  const { status, body } = await call('POST', '/documents', { form: ranked });
  expect([status, body.errors]).toEqual([200, undefined]);
  return { ids: body.documents.map(({ id }: { id: number }) => id), total: body.total };
}

async function authorsOf(
  { call }: TestSandbox,
  form: Record<string, string>,
  authorRanking: string | undefined,
): Promise<Found> {
  const ranked = { ...form, ...(authorRanking && { authorRanking }) };
  const { status, body } = await call('POST', '/authors', { form: ranked });
  expect([status, body.errors]).toEqual([200, undefined]);
  const { authors, total, count } = body as AuthorsPage;
  expect(count).toBe(authors.length);
  return { ids: authors.map(({ id }) => id), total };
}
