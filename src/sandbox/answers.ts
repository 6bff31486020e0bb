import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ImportFaults, Operation } from './faults/plan.js';
import type { SandboxSettings } from './options.js';
import { REFUSAL_STATUSES, Refusal } from './refusal.js';
import type { Store } from './store/database.js';

export type SandboxContext = Context<SandboxEnv>;

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: { importFaults?: ImportFaults };
}

export interface RouteDeps {
  readonly store: Store;
  readonly settings: SandboxSettings;
}

/** A path below the version, with a handler for each of its methods. */
export interface Route {
  readonly path: string;
  /** Name of the route in a fault plan. */
  readonly operation: Operation;
  readonly methods: Readonly<
    Partial<Record<'GET' | 'POST' | 'DELETE', (c: SandboxContext) => Promise<Response>>>
  >;
}

export function errorObject(messages: readonly string[]): { errors: { message: string }[] } {
  return { errors: messages.map((message) => ({ message })) };
}

/** Answers with JSON, compact unless the query string has the bare parameter `pretty`. */
export function answer(c: SandboxContext, value: unknown, status = 200): Response {
  const pretty = c.req.query('pretty') !== undefined;
  const body = pretty ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value);
  return c.body(body, status as ContentfulStatusCode, {
    'content-type': 'application/json; charset=utf-8',
  });
}

/**
 * Turns any error of a handler into the error object. Details of internal errors are not exposed.
 */
export function answerError(error: unknown, c: SandboxContext): Response {
  if (error instanceof Refusal) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return answer(c, errorObject(error.messages), REFUSAL_STATUSES[error.kind]);
  }
  if (isDiskFailure(error)) {
    // Nothing was stored, and the client may try again.
    const message = `The sandbox can't store its data: ${error.message}. Make room on the disk, or name another folder.`;
    return answer(c, errorObject([message]), 503);
  }
  process.emitWarning(
    `The sandbox failed on ${c.req.method} ${c.req.path}: ${error instanceof Error ? error.stack : error}`,
  );
  return answer(c, errorObject(['The sandbox failed; its output has the reason.']), 500);
}

/** Returns whether SQLite could not write, for example because the disk is full. */
function isDiskFailure(error: unknown): error is Error {
  return error instanceof Error && /^SQLITE_(FULL|IOERR|READONLY)/.test(String(Object(error).code));
}
