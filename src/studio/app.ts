/** The studio's HTTP application: who may ask comes first, then what can be asked. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { pageFiles } from './pages.js';
import { refusalOf, StudioRefusal } from './requests.js';
import { addRoutes, type Studio } from './routes.js';

/** An application that answers on Node's own server. */
export type StudioApp = Hono<{ Bindings: HttpBindings }>;

/** A request to it, and its answer in the making. */
export type StudioContext = Context<{ Bindings: HttpBindings }>;

/** @param port tells the server's, once it listens */
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
  pageFiles(app);
  studio.reports.serve(app);
  app.use('/api/*', requireToken(token));
  addRoutes(app, studio);
  app.notFound((c) => c.json({ message: `There is no ${c.req.method} ${c.req.path} here.` }, 404));
  app.onError((error, c) => {
    const { message, status, details } = refusalOf(error);
    return c.json({ message, ...details }, status);
  });
  return app;
}

/**
 * Refuses requests under another name than this machine's own, by which a page elsewhere may have
 * got here (DNS rebinding), and those that another page makes.
 * @param port tells the server's, once it listens
 */
function ownRequestsOnly(port: () => number): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host') ?? '';
    const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port()}`);
    if (!hosts.includes(host)) {
      throw new StudioRefusal(
        403,
        'The studio is only there under the address that its command prints.',
      );
    }
    const origin = c.req.header('origin') ?? `http://${host}`;
    const site = c.req.header('sec-fetch-site') ?? 'same-origin';
    if (origin !== `http://${host}` || !['same-origin', 'none'].includes(site)) {
      throw new StudioRefusal(
        403,
        'Another page made this request; the studio answers only its own.',
      );
    }
    await next();
  };
}

/** Lets only requests with the token through. */
function requireToken(token: string): MiddlewareHandler {
  const expected = digest(`Bearer ${token}`);
  return async (c, next) => {
    // Digests have one length, so that the comparison's time says nothing about the token.
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), expected)) {
      throw new StudioRefusal(
        401,
        'The token is missing or wrong: open the address that the command prints.',
      );
    }
    await next();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The page may load and reach nothing but what comes from here. */
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
    // Browsers complain of it where a page without it came first from here.
    originAgentCluster: false,
    // It has no certificate, and other servers on this machine are none of its business.
    strictTransportSecurity: false,
    // A report in a frame has a policy of its own.
    overwrite: false,
  });
}
