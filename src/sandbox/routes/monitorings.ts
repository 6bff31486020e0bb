import type { Monitoring } from '../../service/resources.js';
import { answer, type SandboxContext } from '../answers.js';
import { importFaultsOf } from '../faults/inject-faults.js';
import {
  checkImport,
  checkNewMonitoring,
  checkNewSearches,
  checkNewTitle,
} from '../input/bodies.js';
import { readId, readJson } from '../input/parameters.js';
import { Refusal } from '../refusal.js';
import { prepareDocuments } from '../store/prepare-documents.js';
import type { Route, RouteDeps } from './route.js';

/** Routes of `/monitorings`, `/monitorings/{id}`, its title and its searches. */
export function monitoringRoutes({ engine, settings }: RouteDeps): Route[] {
  const body = (c: SandboxContext): Promise<unknown> => readJson(c, settings.maxBodyBytes);
  const routes: Omit<Route, 'operation'>[] = [
    {
      path: '/monitorings',
      methods: {
        GET: async (c) => answer(c, { monitorings: await engine.run('listMonitorings') }),
        POST: async (c) =>
          answer(c, await engine.run('createMonitoring', checkNewMonitoring(await body(c)))),
      },
    },
    {
      path: '/monitorings/:id',
      methods: { GET: async (c) => answer(c, await monitoringOf(c, engine)) },
    },
    {
      path: '/monitorings/:id/title',
      methods: {
        POST: async (c) => {
          const { id } = await monitoringOf(c, engine);
          return answer(c, await engine.run('renameMonitoring', id, checkNewTitle(await body(c))));
        },
      },
    },
    {
      path: '/monitorings/:id/searches',
      methods: {
        POST: async (c) => {
          const { id } = await monitoringOf(c, engine);
          return answer(c, await engine.run('addSearches', id, checkNewSearches(await body(c))));
        },
      },
    },
    {
      path: '/monitorings/:id/searches/:searches',
      methods: {
        DELETE: async (c) => {
          const { id } = await monitoringOf(c, engine);
          return answer(c, await engine.run('removeSearches', id, searchIds(c)));
        },
      },
    },
  ];
  return routes.map((route) => ({ ...route, operation: 'monitorings' }));
}

/** Finds the monitoring in the path; refuses with 404. */
async function monitoringOf(c: SandboxContext, engine: RouteDeps['engine']): Promise<Monitoring> {
  const given = c.req.param('id') ?? '';
  const id = readId(given);
  const monitoring = id === null ? undefined : await engine.run('findMonitoring', id);
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
  { engine, settings }: RouteDeps,
): Promise<{ accepted: boolean; documents: number }> {
  const faults = importFaultsOf(c);
  const { id } = await monitoringOf(c, engine);
  const body = await readJson(c, Math.min(settings.maxBodyBytes, faults.maxBytes));
  const given = checkImport(body, Math.min(settings.maxDocuments, faults.maxDocuments));
  const taken = faults.take(given);
  await engine.run('addDocuments', prepareDocuments(id, taken), faults.visibleAfterMs);
  faults.refuse(given);
  return { accepted: true, documents: faults.count(given.length, taken.length) };
}
