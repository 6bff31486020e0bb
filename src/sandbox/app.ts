import { readFileSync } from 'node:fs';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { parse } from 'yaml';
import { answer, answerError, type SandboxContext } from './answers.js';
import { requireCredentials } from './auth.js';
import { createFaults, type FaultsFor } from './faults/apply-fate.js';
import { Refusal } from './refusal.js';
import { filteringRoutes } from './routes/filtering.js';
import { importRoutes } from './routes/import.js';
import { legacyRoutes } from './routes/legacy.js';
import { monitoringRoutes } from './routes/monitorings.js';
import type { House, Route } from './routes/route.js';

/** An application that answers on Node's own server. */
export type App = Hono<{ Bindings: HttpBindings }>;

/** The sandbox's HTTP application: credentials first, then the routes of 5.0 and 4.0. */
export function createApp(house: House): App {
  const { settings } = house;
  const { username, apiKey, statuses } = settings;
  const app: App = new Hono();
  app.use(requireCredentials(username, apiKey));
  const faultsFor = settings.faults && createFaults(settings.faults);
  const described: Route = {
    path: '/openapi.json',
    methods: { GET: async (c) => answer(c, description()) },
  };
  addRoute(app, '', described, undefined);
  const current = [monitoringRoutes, importRoutes, filteringRoutes].flatMap((make) => make(house));
  for (const route of current) addRoute(app, '/5.0', route, faultsFor);
  for (const route of legacyRoutes(house)) addRoute(app, '/4.0', route, faultsFor);
  app.notFound((c) => answerError(new Refusal('notFound', unknownRoute(c)), c, statuses));
  app.onError((error, c) => answerError(error, c, statuses));
  return app;
}

/** Methods that the route does not name are refused as such. */
function addRoute(app: App, base: string, route: Route, faultsFor: FaultsFor | undefined): void {
  const { operation, methods } = route;
  const path = base + route.path;
  const allowed = Object.keys(methods);
  for (const [method, handle] of Object.entries(methods)) {
    if (operation && faultsFor) app.on(method, path, faultsFor(operation));
    app.on(method, path, handle);
  }
  app.all(path, (c) => {
    const message = `${c.req.method} is not allowed on ${c.req.path}; use ${allowed.join(' or ')}.`;
    throw new Refusal('wrongMethod', message, { allow: allowed.join(', ') });
  });
}

function unknownRoute(c: SandboxContext): string {
  return `There is no ${c.req.path} here; addresses start with /5.0 or /4.0, and /openapi.json describes them.`;
}

/** `schemas/` lies beside `src/` as well as beside `dist/`. */
const DESCRIPTION = new URL('../../schemas/openapi.yaml', import.meta.url);

let read: unknown;

/** The API as OpenAPI describes it, as it is answered at `/openapi.json`. Read once, when asked for. */
function description(): unknown {
  read ??= parse(readFileSync(DESCRIPTION, 'utf8'));
  return read;
}
