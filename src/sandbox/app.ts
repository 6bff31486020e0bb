import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono, type MiddlewareHandler } from 'hono';
import { answerError, type Route, type RouteDeps, type SandboxEnv } from './answers.js';
import { createFaults, type FaultsFor } from './faults/inject-faults.js';
import { Refusal } from './refusal.js';
import { filteringRoutes } from './routes/filtering.js';
import { legacyRoutes } from './routes/legacy.js';
import { importRoutes, monitoringRoutes } from './routes/monitorings.js';

export type App = Hono<SandboxEnv>;

/**
 * Creates the HTTP application: credentials are checked first, then come the routes of 5.0 and 4.0.
 */
export function createApp(deps: RouteDeps): App {
  const { settings } = deps;
  const { username, apiKey } = settings;
  const app: App = new Hono();
  app.use(requireCredentials(username, apiKey));
  const faultsFor = settings.faults && createFaults(settings.faults);
  const current = [monitoringRoutes, importRoutes, filteringRoutes].flatMap((make) => make(deps));
  for (const route of current) addRoute(app, '/5.0', route, faultsFor);
  for (const route of legacyRoutes(deps)) addRoute(app, '/4.0', route, faultsFor);
  app.notFound((c) => {
    const message = `There is no ${c.req.path} here; addresses start with /5.0 or /4.0.`;
    return answerError(new Refusal('notFound', message), c);
  });
  app.onError((error, c) => answerError(error, c));
  return app;
}

/** Adds a route, which answers 405 to all methods it has no handler for. */
function addRoute(app: App, base: string, route: Route, faultsFor: FaultsFor | undefined): void {
  const { operation, methods } = route;
  const path = base + route.path;
  const allowed = Object.keys(methods);
  for (const [method, handle] of Object.entries(methods)) {
    if (faultsFor) app.on(method, path, faultsFor(operation));
    app.on(method, path, handle);
  }
  app.all(path, (c) => {
    const message = `${c.req.method} is not allowed on ${c.req.path}; use ${allowed.join(' or ')}.`;
    throw new Refusal('wrongMethod', message, { allow: allowed.join(', ') });
  });
}

/** Rejects calls without these Basic credentials with 401. */
function requireCredentials(username: string, apiKey: string): MiddlewareHandler {
  const expected = digest(Buffer.from(`${username}:${apiKey}`));
  return async (c, next) => {
    const given = credentials(c.req.header('authorization'));
    // Digests have equal lengths, so the comparison takes the same time for any key.
    if (!timingSafeEqual(digest(given), expected)) {
      throw new Refusal('unauthorized', messageFor(c.req.path), {
        'www-authenticate': 'Basic realm="docferry sandbox", charset="UTF-8"',
      });
    }
    await next();
  };
}

function messageFor(path: string): string {
  const invalid = 'The authorization is not valid';
  return path.startsWith('/4.0/') ? `${invalid}.` : `${invalid} for this user name or API key.`;
}

function credentials(header: string | undefined): Buffer {
  const encoded = /^basic +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  return Buffer.from(encoded, 'base64');
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
