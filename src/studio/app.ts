/** The studio's HTTP application: access checks first, then the routes. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { servePage } from './pages.js';
import { type StudioApp, StudioError, toStudioError } from './requests.js';
import { addRoutes, type Studio } from './routes.js';

/** @param port returns the server's port once it listens */
export function createStudioApp(
  studio: Studio,
  { token, port }: { readonly token: string; readonly port: () => number },
): StudioApp {
  const app: StudioApp = new Hono();
  app.use(strictHeaders());
  app.use(async (c, next) => {
    c.header('cache-control', 'no-store');
    await next();
  });
  app.use(ownRequestsOnly(port));
  servePage(app);
  studio.reports.serve(app);
  app.use('/api/*', requireToken(token));
  addRoutes(app, studio);
  app.notFound((c) => c.json({ message: `There is no ${c.req.method} ${c.req.path} here.` }, 404));
  app.onError((error, c) => {
    const { message, status, details } = toStudioError(error);
    return c.json({ message, ...details }, status);
  });
  return app;
}

/**
 * Refuses requests with a foreign `Host`, which DNS rebinding would have, and cross-site requests.
 * @param port returns the server's port once it listens
 */
function ownRequestsOnly(port: () => number): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host') ?? '';
    const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port()}`);
    if (!hosts.includes(host)) {
      throw new StudioError(
        403,
        'The studio answers only under the address that its command prints.',
      );
    }
    const origin = c.req.header('origin') ?? `http://${host}`;
    const site = c.req.header('sec-fetch-site') ?? 'same-origin';
    if (origin !== `http://${host}` || !['same-origin', 'none'].includes(site)) {
      throw new StudioError(
        403,
        'Another page made this request; the studio answers only its own.',
      );
    }
    await next();
  };
}

function requireToken(token: string): MiddlewareHandler {
  const expected = digest(`Bearer ${token}`);
  return async (c, next) => {
    // Digests have equal lengths, so the time of the comparison reveals nothing about the token.
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), expected)) {
      throw new StudioError(
        401,
        'The token is missing or wrong. Open the address that the command prints.',
      );
    }
    await next();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Forbids the page to load or contact anything but this server. */
function strictHeaders(): MiddlewareHandler {
  const own = ["'self'"];
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: own,
      connectSrc: own,
      frameSrc: own,
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // Browsers log a warning if an earlier page of the same origin was served without it.
    originAgentCluster: false,
    // There is no certificate, and the header would affect other servers on this host.
    strictTransportSecurity: false,
    // Reports set their own policy.
    overwrite: false,
  });
}
