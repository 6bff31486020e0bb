import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { errorObject, type SandboxContext, type SandboxEnv } from '../answers.js';
import { Refusal } from '../refusal.js';
import { ClientConnection, type WholeAnswer } from './connection.js';
import { createDecider } from './decide.js';
import type {
  BadDocuments,
  Ending,
  FaultPlan,
  HtmlPage,
  ImportFaults,
  Operation,
  PartialImport,
} from './plan.js';

/** Creates the middleware that injects the faults into requests of an operation. */
export type FaultsFor = (operation: Operation) => MiddlewareHandler<SandboxEnv>;

/** @param plan a plan that passed `checkFaultPlan` */
export function createFaults(plan: FaultPlan): FaultsFor {
  const decide = createDecider(plan);
  return (operation) => async (c, next) => {
    const faults = decide(operation, performance.now());
    const { incoming, outgoing } = c.env;
    const connection = new ClientConnection(
      incoming as IncomingMessage,
      outgoing as ServerResponse,
    );
    const withoutEffect = faults.ending !== undefined && preventsEffect(faults.ending);
    const isConnected = await connection.wait(faults.waitMs);
    // Read the request to its end first: a client that is still sending may see the ending differently
    // each time.
    if (!isConnected || (withoutEffect && !(await connection.drain()))) {
      return setAnswer(c, RESPONSE_ALREADY_SENT);
    }
    if (!withoutEffect) {
      c.set('importFaults', faults.import);
      await next();
      failAfterStoring(c, operation, faults.import);
    }
    if (faults.ending) setAnswer(c, await endAbnormally(c, connection, faults.ending));
  };
}

function preventsEffect(ending: Ending): boolean {
  if ('reset' in ending) return ending.reset === 'before';
  if ('hang' in ending) return ending.hang === 'before';
  if ('html' in ending) return ending.html === true || ending.html.when !== 'after';
  if ('answer' in ending) return ending.answer.when === 'before';
  return 'status' in ending;
}

/** Answers an error to an import that was stored in part. A call that was refused stays refused. */
function failAfterStoring(c: SandboxContext, operation: Operation, { apply }: ImportFaults): void {
  if (operation !== 'import' || !apply || (apply.answer ?? 'error') !== 'error' || !c.res.ok)
    return;
  setAnswer(c, errorAnswer(apply.status ?? 500, 'Not all documents could be stored.'));
}

/** Ends a request abnormally, and returns the response. */
async function endAbnormally(
  c: SandboxContext,
  connection: ClientConnection,
  ending: Ending,
): Promise<Response> {
  if ('status' in ending) return errorAnswer(ending.status, ending.message, ending.retryAfter);
  if ('html' in ending) return htmlAnswer(ending.html === true ? {} : ending.html);
  if ('answer' in ending) return jsonAnswer(ending.answer.status ?? 200, ending.answer.value);
  if ('gateway' in ending && ending.gateway === 'gzip') return compressed(await wholeAnswer(c));
  if ('gateway' in ending) connection.sendAsHttp10(await wholeAnswer(c));
  else if ('reset' in ending) connection.reset();
  else if ('hang' in ending) await connection.hang();
  else if ('truncate' in ending) await truncate(c, connection, ending.truncate);
  else if (ending.endless === 'interim') await connection.sendInterimForever();
  else await connection.sendBodyForever(await wholeAnswer(c));
  return RESPONSE_ALREADY_SENT;
}

async function wholeAnswer({ res }: SandboxContext): Promise<WholeAnswer> {
  const { status, headers } = res;
  return { status, headers, body: new Uint8Array(await res.arrayBuffer()) };
}

async function truncate(
  c: SandboxContext,
  connection: ClientConnection,
  bytes: true | number,
): Promise<void> {
  const answer = await wholeAnswer(c);
  const { length } = answer.body;
  // Always leave something out, even if the plan's number of bytes exceeds the body.
  const fits = bytes !== true && bytes < length;
  connection.truncate(answer, fits ? bytes : Math.floor(length / 2));
}

function errorAnswer(status: number, message = '', retryAfter?: number | string): Response {
  return jsonAnswer(status, errorObject([message]), retryHeader(retryAfter));
}

function retryHeader(retryAfter?: number | string): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

function compressed({ status, headers, body }: WholeAnswer): Response {
  const compressedHeaders = new Headers(headers);
  compressedHeaders.set('content-encoding', 'gzip');
  compressedHeaders.delete('content-length');
  return new Response(gzipSync(body), { status, headers: compressedHeaders });
}

function jsonAnswer(status: number, value: unknown, more: Record<string, string> = {}): Response {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...more };
  return new Response(JSON.stringify(value), { status, headers });
}

function htmlAnswer({ status = 502, retryAfter }: Omit<HtmlPage, 'when'>): Response {
  const page = `<!doctype html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
  const headers = { 'content-type': 'text/html; charset=utf-8', ...retryHeader(retryAfter) };
  return new Response(page, { status, headers });
}

/** Replaces the response. Assigning it directly would merge the headers of the old one. */
function setAnswer(c: SandboxContext, answer: Response): void {
  c.res = undefined;
  c.res = answer;
}

/**
 * Returns the faults of the import that is being handled, as functions and limits for its route.
 */
export function importFaultsOf(c: SandboxContext) {
  const {
    apply,
    refuse,
    countOff = 0,
    visibleAfterMs = 0,
    sizeLimit,
  } = c.get('importFaults') ?? {};
  return {
    /** Maximum size of the body in bytes, and number of documents; larger imports get 413. */
    maxBytes: sizeLimit?.bytes ?? Number.POSITIVE_INFINITY,
    maxDocuments: sizeLimit?.documents ?? Number.POSITIVE_INFINITY,
    take: <Document>(given: readonly Document[]): readonly Document[] => {
      const good = refuse ? stored(refuse, given) : given;
      return apply ? good.slice(0, numberToStore(apply, good.length)) : good;
    },
    /** Refuses the call if one of its documents is bad, after the others were stored. */
    refuse: (given: readonly unknown[]): void => {
      if (refuse) refuseBad(refuse, given);
    },
    visibleAfterMs,
    count: (given: number, stored: number): number =>
      Math.max(0, (apply?.answer === 'full' ? given : stored) + countOff),
  };
}

function stored<Document>(
  { containing, stores = 'none' }: BadDocuments,
  given: readonly Document[],
): readonly Document[] {
  const bad = given.findIndex((document) => contains(document, containing));
  if (bad === -1) return given;
  if (stores === 'good') return given.filter((document) => !contains(document, containing));
  return given.slice(0, stores === 'before' ? bad : 0);
}

function refuseBad({ containing }: BadDocuments, given: readonly unknown[]): void {
  const faults = given.flatMap((document, at) =>
    contains(document, containing)
      ? [`documents[${at}] contains ${JSON.stringify(containing)}, which the fault plan refuses.`]
      : [],
  );
  if (faults.length > 0) throw new Refusal('invalid', faults);
}

function contains(document: unknown, text: string): boolean {
  return JSON.stringify(document).includes(text);
}

function numberToStore(apply: PartialImport, given: number): number {
  if ('documents' in apply) return Math.min(apply.documents, given);
  // In floating point, 0.29 * 100 is slightly less than 29.
  return Math.floor(apply.share * given + 1e-9);
}
