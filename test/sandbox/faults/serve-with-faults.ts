import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, onTestFinished, vi } from 'vitest';
import { answerError, type SandboxEnv } from '../../../src/sandbox/answers.js';
import { createFaults, importFaultsOf } from '../../../src/sandbox/faults/inject-faults.js';
import { checkFaultPlan } from '../../../src/sandbox/faults/load-plan.js';
import type { FaultPlan } from '../../../src/sandbox/faults/plan.js';

/** The address of an import; nothing about the server depends on the monitoring. */
export const IMPORT = '/5.0/monitorings/1/documents';

/** A small service with a fault plan: it imports texts, and lists them. */
export interface FaultyServer {
  readonly origin: string;
  readonly port: number;
  /** What was imported. */
  readonly stored: string[];
  /** How long what was imported was to stay out of answers, call by call. */
  readonly delays: number[];
  /** Resolves once so many requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Resolves once no request is being worked on. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE = { interval: 2, timeout: 20_000 };

/** Starts one for the running test. */
export async function serveWithFaults(plan: FaultPlan): Promise<FaultyServer> {
  const stored: string[] = [];
  const delays: number[] = [];
  const app = new Hono<SandboxEnv>();
  let underWay = 0;
  app.use(async (_, next) => {
    underWay += 1;
    await next();
    underWay -= 1;
  });
  const faultsFor = createFaults(checkFaultPlan(plan, 'plan'));
  app.post(IMPORT, faultsFor('import'));
  app.get('/5.0/documents', faultsFor('documents'));
  // Nothing answers this call, so it is refused without being read.
  app.post('/5.0/documents', faultsFor('documents'));
  app.post(IMPORT, async (c) => {
    const fate = importFaultsOf(c);
    const body = await c.req.text();
    const { documents } = JSON.parse(body) as { documents: string[] };
    if (body.length > fate.maxBytes || documents.length > fate.maxDocuments) {
      return c.json({ errors: [{ message: 'too large' }] }, 413);
    }
    const taken = fate.take(documents);
    stored.push(...taken);
    delays.push(fate.visibleAfterMs);
    fate.refuse(documents);
    return c.json({ accepted: true, documents: fate.count(documents.length, taken.length) });
  });
  app.onError((error, c) => answerError(error, c));
  app.get('/5.0/documents', (c) => {
    c.header('x-sandbox', 'yes');
    return c.json({ documents: stored });
  });
  app.get('/elsewhere', (c) => c.json({ here: true }));

  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  let requests = 0;
  server.prependListener('request', () => {
    requests += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    stored,
    delays,
    arrived: (count) => vi.waitFor(() => expect(requests).toBeGreaterThanOrEqual(count), PATIENCE),
    idle: () => vi.waitFor(() => expect(underWay).toBe(0), PATIENCE),
    close,
  };
}
