import { answer, type Route, type RouteDeps, type SandboxContext } from '../answers.js';
import type { Operation } from '../faults/plan.js';
import type { DocumentFilter } from '../input/document-filter.js';
import {
  readContextCall,
  readFeedCall,
  readFiltersCall,
  readRankedCall,
} from '../input/documents-call.js';
import { readAddress, readForm, readId } from '../input/parameters.js';
import { countIndicators, drawChart } from '../queries/count-indicators.js';
import { findDocuments } from '../queries/find-documents.js';
import { rankAuthors } from '../queries/rank-authors.js';
import { readContext } from '../queries/read-context.js';
import { readFeed } from '../queries/read-feed.js';
import { Refusal } from '../refusal.js';
import type { Store } from '../store/database.js';
import { unknownMonitorings } from '../store/monitorings.js';

/** Finds what a filtering call asks for. */
export type Finder<Result = object> = (parameters: URLSearchParams) => Result;

/** Creates the filtering calls that 5.0 and 4.0 share. */
export function sharedFinders({ store, settings: { pageSize: limit } }: RouteDeps) {
  return {
    documents: ((parameters) => {
      const { filter, ...slice } = readRankedCall(parameters, 'docRanking');
      requireMonitorings(store, filter);
      return findDocuments(store, filter, { ...slice, limit });
    }) satisfies Finder,
    authors: ((parameters) => {
      const { filter, ...slice } = readRankedCall(parameters, 'authorRanking');
      requireMonitorings(store, filter);
      return rankAuthors(store, filter, { ...slice, limit });
    }) satisfies Finder,
    indicators: (parameters: URLSearchParams, version: '4.0' | '5.0') => {
      const filter = readFiltersCall(parameters);
      requireMonitorings(store, filter);
      return countIndicators(store, filter, version);
    },
  };
}

/**
 * Routes of the filtering calls of 5.0, as POST and (for tests) GET, and of the context of a
 * document.
 */
export function filteringRoutes(deps: RouteDeps): Route[] {
  const { store, settings } = deps;
  const { documents, authors, indicators } = sharedFinders(deps);
  return [
    filteringRoute('/documents', 'documents', documents),
    filteringRoute('/documents/feed', 'feed', (parameters) => {
      const { filter, cursor } = readFeedCall(parameters);
      requireMonitorings(store, filter);
      return readFeed(store, filter, cursor);
    }),
    filteringRoute('/authors', 'authors', authors),
    filteringRoute('/indicators', 'indicators', (parameters) => indicators(parameters, '5.0')),
    filteringRoute('/chart', 'chart', (parameters) => {
      const filter = readFiltersCall(parameters);
      requireMonitorings(store, filter);
      return drawChart(store, filter);
    }),
    {
      path: '/documents/:id/context',
      operation: 'context',
      methods: {
        POST: async (c) => {
          const id = documentId(c);
          const offset = readContextCall(await readPostForm(c));
          return answer(c, readContext(store, { id, offset, limit: settings.pageSize }));
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
      GET: async (c) => answer(c, find(readAddress(c))),
      POST: async (c) => answer(c, find(await readPostForm(c))),
    },
  };
}

/** Refuses unknown monitorings, which would otherwise look empty. */
function requireMonitorings(store: Store, { monitorings }: DocumentFilter): void {
  const unknown = unknownMonitorings(store, monitorings);
  if (unknown.length === 0) return;
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
