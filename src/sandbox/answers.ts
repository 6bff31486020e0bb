import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What every handler of the sandbox works with. */
export type SandboxContext = Context<{ Bindings: HttpBindings }>;

/** Thrown to refuse a call; becomes the error object, with one message for each fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: ContentfulStatusCode;
  readonly messages: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ContentfulStatusCode,
    messages: string | readonly string[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    const list = typeof messages === 'string' ? [messages] : messages;
    super(list.join(' '));
    this.status = status;
    this.messages = list;
    this.headers = headers;
  }
}

/** The service's error object. */
export function errorObject(messages: readonly string[]): { errors: { message: string }[] } {
  return { errors: messages.map((message) => ({ message })) };
}

/** JSON, compact unless the address holds the bare parameter `pretty`. */
export function answer(c: SandboxContext, value: unknown): Response {
  return json(c, value, 200);
}

/** Turns whatever a handler threw into the error object; nothing of an internal error gets out. */
export function answerError(error: unknown, c: SandboxContext): Response {
  if (error instanceof Refusal) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return json(c, errorObject(error.messages), error.status);
  }
  process.emitWarning(`The sandbox failed on ${c.req.method} ${c.req.path}: ${detail(error)}`);
  return json(c, errorObject(['The sandbox failed; its own output says why.']), 500);
}

function json(c: SandboxContext, value: unknown, status: ContentfulStatusCode): Response {
  const pretty = c.req.query('pretty') !== undefined;
  const body = pretty ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value);
  return c.body(body, status, { 'content-type': 'application/json; charset=utf-8' });
}

function detail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
