import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { errorObject, type SandboxContext } from '../answers.js';
import { type ClientConnection, connectionOf, type WholeAnswer } from './connection.js';
import { createDecider } from './decide.js';
import type { Ending, Fate } from './fate.js';
import { setImportFaults } from './import-fate.js';
import type { EndlessPart, FaultPlan, Operation } from './plan.js';

/**
 * Makes a plan happen. Requests that `operationOf` has no operation for are served as they are.
 * The plan must have passed `checkFaultPlan`.
 */
export function faultsMiddleware(
  plan: FaultPlan,
  operationOf: (c: SandboxContext) => Operation | undefined,
): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const decide = createDecider(plan);
  return async (c, next) => {
    const operation = operationOf(c);
    if (operation === undefined) return next();
    const fate = decide(operation, performance.now());
    const { incoming, outgoing } = c.env;
    const connection = connectionOf(incoming as IncomingMessage, outgoing as ServerResponse);
    if (!(await connection.wait(fate.waitMs))) return setAnswer(c, RESPONSE_ALREADY_SENT);
    if (comesBefore(fate.ending)) {
      // A request that was not read is answered while the client still sends: it might see another
      // end each time.
      if (!(await connection.drain())) return setAnswer(c, RESPONSE_ALREADY_SENT);
    } else {
      setImportFaults(c, fate.import);
      await next();
      if (operation === 'import') failAfterStoring(c, fate);
    }
    if (fate.ending) await end(c, connection, fate.ending);
  };
}

function comesBefore(ending: Ending | undefined): boolean {
  if (ending === undefined || ending.kind === 'truncate' || ending.kind === 'endless') return false;
  return ending.kind === 'error' || ending.when === 'before';
}

/** An import that was stored in part and answers an error. What was refused stays refused. */
function failAfterStoring(c: SandboxContext, { import: { apply } }: Fate): void {
  if (!apply || (apply.answer ?? 'error') !== 'error' || !c.res.ok) return;
  setAnswer(c, errorAnswer(apply.status ?? 500, 'Not all documents could be stored.'));
}

async function end(c: SandboxContext, connection: ClientConnection, ending: Ending): Promise<void> {
  switch (ending.kind) {
    case 'error':
      return setAnswer(c, errorAnswer(ending.status, ending.message, ending.retryAfter));
    case 'html':
      return setAnswer(c, htmlAnswer(ending.status));
    case 'answer':
      return setAnswer(c, jsonAnswer(ending.status, ending.value));
    case 'reset':
      connection.reset();
      return setAnswer(c, RESPONSE_ALREADY_SENT);
    case 'hang':
      await connection.hang();
      return setAnswer(c, RESPONSE_ALREADY_SENT);
    case 'truncate':
      await truncate(c, connection, ending.bytes);
      return setAnswer(c, RESPONSE_ALREADY_SENT);
    case 'endless':
      await goOn(c, connection, ending.part);
      return setAnswer(c, RESPONSE_ALREADY_SENT);
    default:
      ending satisfies never;
  }
}

async function goOn(
  c: SandboxContext,
  connection: ClientConnection,
  part: EndlessPart,
): Promise<void> {
  if (part === 'interim') return connection.announceForEver();
  await connection.answerForEver(await wholeAnswer(c));
}

async function wholeAnswer({ res }: SandboxContext): Promise<WholeAnswer> {
  const { status, headers } = res;
  return { status, headers, body: new Uint8Array(await res.arrayBuffer()) };
}

async function truncate(
  c: SandboxContext,
  connection: ClientConnection,
  bytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  const answer = await wholeAnswer(c);
  const { length } = answer.body;
  // Whatever the plan says, something has to be missing.
  connection.truncate(answer, bytes < length ? bytes : Math.floor(length / 2));
}

function errorAnswer(status: number, message: string, retryAfter?: number | string): Response {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return jsonAnswer(status, errorObject([message]), headers);
}

function jsonAnswer(status: number, value: unknown, more: Record<string, string> = {}): Response {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...more };
  return new Response(JSON.stringify(value), { status, headers });
}

function htmlAnswer(status: number): Response {
  const page = `<!doctype html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

/** Puts an answer in the place of whatever stands there, whose headers would otherwise be added. */
function setAnswer(c: SandboxContext, answer: Response): void {
  c.res = undefined;
  c.res = answer;
}
