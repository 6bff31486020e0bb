/** The studio's HTTP application: who may ask comes first, then what can be asked. */
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { ownRequestsOnly, requireToken, strictHeaders } from './guard.js';
import { pageFiles } from './page-files.js';
import { refusalOf } from './refusal.js';
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
