import type { Monitoring } from '../../service/resources.js';
import { answer, type Route, type RouteDeps, type SandboxContext } from '../answers.js';
import { importFaultsOf } from '../faults/inject-faults.js';
import {
  checkImport,
  checkNewMonitoring,
  checkNewSearches,
  checkNewTitle,
} from '../input/bodies.js';
import { readId, readJson } from '../input/parameters.js';
import { Refusal } from '../refusal.js';
import { addDocuments } from '../store/add-documents.js';
import type { Store } from '../store/database.js';
import {
  addSearches,
  createMonitoring,
  findMonitoring,
  listMonitorings,
  removeSearches,
  renameMonitoring,
} from '../store/monitorings.js';
import { prepareDocuments } from '../store/prepare-documents.js';

/** Routes of `/monitorings`, `/monitorings/{id}`, its title and its searches. */
export function monitoringRoutes({ store, settings }: RouteDeps): Route[] {
  const body = (c: SandboxContext): Promise<unknown> => readJson(c, settings.maxBodyBytes);
  const routes: Omit<Route, 'operation'>[] = [
    {
      path: '/monitorings',
      methods: {
        GET: async (c) => answer(c, { monitorings: listMonitorings(store) }),
        POST: async (c) => answer(c, createMonitoring(store, checkNewMonitoring(await body(c)))),
      },
    },
    {
      path: '/monitorings/:id',
      methods: { GET: async (c) => answer(c, monitoringOf(c, store)) },
    },
    {
      path: '/monitorings/:id/title',
      methods: {
        POST: async (c) => {
          const { id } = monitoringOf(c, store);
          return answer(c, renameMonitoring(store, id, checkNewTitle(await body(c))));
        },
      },
    },
    {
      path: '/monitorings/:id/searches',
      methods: {
        POST: async (c) => {
          const { id } = monitoringOf(c, store);
          return answer(c, addSearches(store, id, checkNewSearches(await body(c))));
        },
      },
    },
    {
      path: '/monitorings/:id/searches/:searches',
      methods: {
        DELETE: async (c) => {
          const { id } = monitoringOf(c, store);
          return answer(c, removeSearches(store, id, searchIds(c)));
        },
      },
    },
  ];
  return routes.map((route) => ({ ...route, operation: 'monitorings' }));
}

/** Finds the monitoring in the path; refuses with 404. */
function monitoringOf(c: SandboxContext, store: Store): Monitoring {
  const given = c.req.param('id') ?? '';
  const id = readId(given);
  const monitoring = id === null ? undefined : findMonitoring(store, id);
  if (!monitoring) throw new Refusal('notFound', `There is no monitoring ${given.slice(0, 40)}.`);
  return monitoring;
}

function searchIds(c: SandboxContext): number[] {
  const given = c.req.param('searches') ?? '';
  const ids = given.split(',').map(readId);
  if (ids.every((id) => id !== null)) return ids;
  throw new Refusal(
    'invalid',
    `Search ids must be separated by commas, not ${given.slice(0, 40)}.`,
  );
}

/** Route of `POST /monitorings/{id}/documents`, which stores all documents of the call, or none. */
export function importRoutes(deps: RouteDeps): Route[] {
  return [
    {
      path: '/monitorings/:id/documents',
      operation: 'import',
      methods: { POST: async (c) => answer(c, await importInto(c, deps)) },
    },
  ];
}

async function importInto(
  c: SandboxContext,
  { store, settings }: RouteDeps,
): Promise<{ accepted: boolean; documents: number }> {
  const faults = importFaultsOf(c);
  const { id } = monitoringOf(c, store);
  const body = await readJson(c, Math.min(settings.maxBodyBytes, faults.maxBytes));
  const given = checkImport(body, Math.min(settings.maxDocuments, faults.maxDocuments));
  const taken = faults.take(given);
  addDocuments(store, prepareDocuments(id, taken), faults.visibleAfterMs);
  faults.refuse(given);
  return { accepted: true, documents: faults.count(given.length, taken.length) };
}
