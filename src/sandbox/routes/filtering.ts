import { answer, answerText, type SandboxContext } from '../answers.js';
import type { Operation } from '../faults/plan.js';
import type { DocumentFilter } from '../input/document-filter.js';
import {
  readContextCall,
  readFeedCall,
  readFiltersCall,
  readRankedCall,
} from '../input/documents-call.js';
import { readAddress, readForm, readId } from '../input/parameters.js';
import { Refusal } from '../refusal.js';
import type { Route, RouteDeps } from './route.js';

/** Answers a filtering call; a string is the serialised JSON of the response. */
export type Finder<Result = unknown> = (parameters: URLSearchParams) => Promise<Result>;

/**
 * Creates the filtering calls that 5.0 and 4.0 share; documents are returned as serialised JSON.
 */
export function sharedFinders({ engine, settings: { pageSize: limit } }: RouteDeps) {
  return {
    documents: (async (parameters) => {
      const { filter, ranking, offset } = readRankedCall(parameters, 'docRanking');
      return engine.run('findDocuments', await requireMonitorings(engine, filter), {
        ranking,
        offset,
        limit,
      });
    }) satisfies Finder,
    authors: (async (parameters) => {
      const { filter, ranking, offset } = readRankedCall(parameters, 'authorRanking');
      return engine.run('rankAuthors', await requireMonitorings(engine, filter), {
        ranking,
        offset,
        limit,
      });
    }) satisfies Finder,
    indicators: async (parameters: URLSearchParams, version: '4.0' | '5.0') =>
      engine.run(
        'countIndicators',
        await requireMonitorings(engine, readFiltersCall(parameters)),
        version,
      ),
  };
}

/**
 * Routes of the filtering calls of 5.0, as POST and (for tests) GET, and of the context of a
 * document.
 */
export function filteringRoutes(deps: RouteDeps): Route[] {
  const { engine, settings } = deps;
  const { documents, authors, indicators } = sharedFinders(deps);
  return [
    filteringRoute('/documents', 'documents', documents),
    filteringRoute('/documents/feed', 'feed', async (parameters) => {
      const { filter, cursor } = readFeedCall(parameters);
      return engine.run('readFeed', await requireMonitorings(engine, filter), cursor);
    }),
    filteringRoute('/authors', 'authors', authors),
    filteringRoute('/indicators', 'indicators', (parameters) => indicators(parameters, '5.0')),
    filteringRoute('/chart', 'chart', async (parameters) =>
      engine.run('drawChart', await requireMonitorings(engine, readFiltersCall(parameters))),
    ),
    {
      path: '/documents/:id/context',
      operation: 'context',
      methods: {
        POST: async (c) => {
          const id = documentId(c);
          const offset = readContextCall(await readPostForm(c));
          return answer(
            c,
            await engine.run('readContext', { id, offset, limit: settings.pageSize }),
          );
        },
      },
    },
  ];
}

function filteringRoute(path: string, operation: Operation, find: Finder): Route {
  return {
    path,
    operation,
    methods: {
      GET: async (c) => answerFound(c, await find(readAddress(c))),
      POST: async (c) => answerFound(c, await find(await readPostForm(c))),
    },
  };
}

function answerFound(c: SandboxContext, found: unknown): Response {
  return typeof found === 'string' ? answerText(c, found) : answer(c, found);
}

/** Refuses unknown monitorings, which would otherwise look empty. */
async function requireMonitorings(
  engine: RouteDeps['engine'],
  filter: DocumentFilter,
): Promise<DocumentFilter> {
  const unknown = await engine.run('unknownMonitorings', filter.monitorings);
  if (unknown.length === 0) return filter;
  throw new Refusal(
    'notFound',
    unknown.map((id) => `There is no monitoring ${id}.`),
  );
}

/**
 * Reads the form body of a POST. Refuses parameters in the URL, which would otherwise be ignored.
 */
async function readPostForm(c: SandboxContext): Promise<URLSearchParams> {
  const misplaced = [...new Set(readAddress(c).keys())];
  if (misplaced.length === 0) return readForm(c);
  const messages = misplaced.map(
    (name) => `${name.slice(0, 40)}: a POST takes its parameters from the body.`,
  );
  throw new Refusal('invalid', messages);
}

function documentId(c: SandboxContext): number {
  const given = c.req.param('id') ?? '';
  const id = readId(given);
  if (id === null) throw new Refusal('notFound', `There is no document ${given.slice(0, 40)}.`);
  return id;
}
