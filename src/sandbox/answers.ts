import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { OptionError } from '../model/errors.js';
import type { ImportFaults } from './faults/plan.js';
import { REFUSAL_STATUSES, Refusal } from './refusal.js';

export type SandboxContext = Context<SandboxEnv>;

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: { importFaults?: ImportFaults };
}

export function errorObject(messages: readonly string[]): { errors: { message: string }[] } {
  return { errors: messages.map((message) => ({ message })) };
}

/** Answers with JSON, compact unless the query string has the bare parameter `pretty`. */
export function answer(c: SandboxContext, value: unknown): Response {
  return answerText(c, JSON.stringify(value));
}

/** Answers with a value that is already serialised. */
export function answerText(c: SandboxContext, json: string): Response {
  return reply(c, json, 200);
}

/**
 * Turns any error of a handler into the error object. Details of internal errors are not exposed.
 */
export function answerError(error: unknown, c: SandboxContext): Response {
  if (error instanceof Refusal) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return reply(c, JSON.stringify(errorObject(error.messages)), REFUSAL_STATUSES[error.kind]);
  }
  if (error instanceof OptionError) {
    // The disk is full: nothing was stored, and the client may try again.
    return reply(c, JSON.stringify(errorObject([error.message])), 503);
  }
  process.emitWarning(
    `The sandbox failed on ${c.req.method} ${c.req.path}: ${error instanceof Error ? error.stack : error}`,
  );
  return reply(
    c,
    JSON.stringify(errorObject(['The sandbox failed; its output has the reason.'])),
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
