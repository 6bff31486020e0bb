import { answer, answerText, type Route, type RouteDeps, type SandboxContext } from '../answers.js';
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

/** What answers a filtering call, given its parameters; a text is the answer's JSON. */
export type Find<Result = unknown> = (parameters: URLSearchParams) => Promise<Result>;

/** The filtering calls that 5.0 and 4.0 have in common; documents come as JSON. */
export function findsOf({ engine, settings: { pageSize: limit } }: RouteDeps) {
  return {
    documents: (async (parameters) => {
      const { filter, ranking, offset } = readRankedCall(parameters, 'docRanking');
      return engine.run('findDocuments', await refuseUnknown(engine, filter), {
        ranking,
        offset,
        limit,
      });
    }) satisfies Find,
    authors: (async (parameters) => {
      const { filter, ranking, offset } = readRankedCall(parameters, 'authorRanking');
      return engine.run('rankAuthors', await refuseUnknown(engine, filter), {
        ranking,
        offset,
        limit,
      });
    }) satisfies Find,
    indicators: async (parameters: URLSearchParams, version: '4.0' | '5.0') =>
      engine.run(
        'countIndicators',
        await refuseUnknown(engine, readFiltersCall(parameters)),
        version,
      ),
  };
}

/** The filtering calls of 5.0, each as POST and, for tests, as GET; and the context of a document. */
export function filteringRoutes(deps: RouteDeps): Route[] {
  const { engine, settings } = deps;
  const { documents, authors, indicators } = findsOf(deps);
  return [
    filteringRoute('/documents', 'documents', documents),
    filteringRoute('/documents/feed', 'feed', async (parameters) => {
      const { filter, cursor } = readFeedCall(parameters);
      return engine.run('readFeed', await refuseUnknown(engine, filter), cursor);
    }),
    filteringRoute('/authors', 'authors', authors),
    filteringRoute('/indicators', 'indicators', (parameters) => indicators(parameters, '5.0')),
    filteringRoute('/chart', 'chart', async (parameters) =>
      engine.run('drawChart', await refuseUnknown(engine, readFiltersCall(parameters))),
    ),
    {
      path: '/documents/:id/context',
      operation: 'context',
      methods: {
        POST: async (c) => {
          const id = documentId(c);
          const offset = readContextCall(await formOf(c));
          return answer(
            c,
            await engine.run('readContext', { id, offset, limit: settings.pageSize }),
          );
        },
      },
    },
  ];
}

function filteringRoute(path: string, operation: Operation, find: Find): Route {
  return {
    path,
    operation,
    methods: {
      GET: async (c) => answerFound(c, await find(readAddress(c))),
      POST: async (c) => answerFound(c, await find(await formOf(c))),
    },
  };
}

function answerFound(c: SandboxContext, found: unknown): Response {
  return typeof found === 'string' ? answerText(c, found) : answer(c, found);
}

/** A wrong id must not look like a monitoring without documents. */
async function refuseUnknown(
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

/** The parameters of a POST. One in the wrong place must not be passed over. */
async function formOf(c: SandboxContext): Promise<URLSearchParams> {
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
