import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Engine } from './engine/engine.js';
import type { ImportFaults, Operation } from './faults/plan.js';
import type { SandboxSettings } from './options.js';
import { REFUSAL_STATUSES, Refusal } from './refusal.js';

/** What every handler of the sandbox works with. */
export type SandboxContext = Context<SandboxEnv>;

/** The context that hono carries with a request. */
export interface SandboxEnv {
  Bindings: HttpBindings;
  /** The faults that the plan has for this import. */
  Variables: { importFaults?: ImportFaults };
}

/** The service's error object. */
export function errorObject(messages: readonly string[]): { errors: { message: string }[] } {
  return { errors: messages.map((message) => ({ message })) };
}

/** JSON, compact unless the address holds the bare parameter `pretty`. */
export function answer(c: SandboxContext, value: unknown): Response {
  return answerText(c, JSON.stringify(value));
}

/** The same of what is JSON already. */
export function answerText(c: SandboxContext, json: string): Response {
  return reply(c, json, 200);
}

/** Turns whatever a handler threw into the error object; nothing of an internal error gets out. */
export function answerError(error: unknown, c: SandboxContext): Response {
  if (error instanceof Refusal) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return reply(c, JSON.stringify(errorObject(error.messages)), REFUSAL_STATUSES[error.kind]);
  }
  process.emitWarning(
    `The sandbox failed on ${c.req.method} ${c.req.path}: ${error instanceof Error ? error.stack : error}`,
  );
  return reply(
    c,
    JSON.stringify(errorObject(['The sandbox failed; its own output says why.'])),
    500,
  );
}

function reply(c: SandboxContext, json: string, status: number): Response {
  const pretty = c.req.query('pretty') !== undefined;
  const body = pretty ? `${JSON.stringify(JSON.parse(json), null, 2)}\n` : json;
  return c.body(body, status as ContentfulStatusCode, {
    'content-type': 'application/json; charset=utf-8',
  });
}

/** What the routes work with. */
export interface RouteDeps {
  readonly engine: Engine;
  readonly settings: SandboxSettings;
}

/** One address below the version, and what answers each of its methods. */
export interface Route {
  /** Path pattern such as `/monitorings/:id`. */
  readonly path: string;
  /** What a plan of faults calls it. */
  readonly operation: Operation;
  readonly methods: Readonly<
    Partial<Record<'GET' | 'POST' | 'DELETE', (c: SandboxContext) => Promise<Response>>>
  >;
}
