import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { answerError, Refusal, type SandboxContext } from './answers.js';
import { requireCredentials } from './auth.js';
import type { SandboxSettings } from './options.js';
import { documentRoutes } from './routes/documents.js';
import { importRoutes } from './routes/import.js';
import { monitoringRoutes } from './routes/monitorings.js';
import type { Route } from './routes/route.js';
import type { Store } from './store/open-store.js';

/** The sandbox's HTTP application: credentials first, then the routes of version 5.0. */
export function createApp(
  store: Store,
  settings: SandboxSettings,
): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(requireCredentials(settings.username, settings.apiKey));
  const routes = [
    ...monitoringRoutes(store, settings),
    ...importRoutes(store, settings),
    ...documentRoutes(store, settings),
  ];
  for (const route of routes) addRoute(app, '/5.0', route);
  app.notFound((c) => answerError(new Refusal(404, unknownRoute(c)), c));
  app.onError(answerError);
  return app;
}

/** Methods that the route does not name get 405 instead of 404. */
function addRoute(app: Hono<{ Bindings: HttpBindings }>, base: string, route: Route): void {
  const allowed = Object.keys(route.methods);
  for (const [method, handle] of Object.entries(route.methods)) {
    app.on(method, base + route.path, handle);
  }
  app.all(base + route.path, (c) => {
    const message = `${c.req.method} is not allowed on ${c.req.path}; use ${allowed.join(' or ')}.`;
    throw new Refusal(405, message, { allow: allowed.join(', ') });
  });
}

function unknownRoute(c: SandboxContext): string {
  return `There is no ${c.req.path} here; addresses start with /5.0.`;
}
