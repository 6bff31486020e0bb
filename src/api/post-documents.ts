import type { ImportedDocument } from '../model/document.js';
import { ServiceError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import type { ImportAnswer } from '../service/resources.js';
import { ask } from './ask.js';
import { checkId, filledList, wrongValue } from './checks.js';
import type { CallOptions } from './client.js';
import type { Exchange } from './transport/exchange.js';
import type { Transport } from './transport/http-transport.js';

const OPEN = Buffer.from('{"documents":[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']}');

/** The answer may have a message for each document. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export const IMPORT_SHAPE = { accepted: 'boolean', documents: 'count' } as const;

/**
 * Imports documents that are already serialised: `POST /monitorings/{id}/documents`.
 * @param pieces documents as JSON in UTF-8; each piece has one or several, separated by commas
 */
export function postDocuments(
  transport: Transport,
  monitoring: number,
  pieces: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<Exchange> {
  return transport.send({ ...importCall(monitoring, pieces), signal });
}

/**
 * Imports documents in one request.
 * @throws OptionError if there is nothing to send
 * @throws ServiceError unless the service acknowledges all of them
 */
export async function importBatch(
  transport: Transport,
  monitoring: number,
  documents: readonly ImportedDocument[],
  options?: CallOptions,
): Promise<ImportAnswer> {
  checkId('monitoring', monitoring);
  checkDocuments(documents);
  // In one piece, since each piece is a separate write to the socket.
  const inBrackets = Buffer.from(JSON.stringify(documents));
  const pieces = [inBrackets.subarray(1, -1)];
  const question = { ...importCall(monitoring, pieces), shape: IMPORT_SHAPE, changes: true };
  const answer = await ask<ImportAnswer>(transport, question, options);
  if (answer.accepted && answer.documents === documents.length) return answer;
  const taken = answer.accepted
    ? `accepted ${answer.documents} of ${documents.length} documents`
    : `did not accept the ${documents.length} documents`;
  throw new ServiceError(
    `Monitoring ${monitoring} ${taken}, without saying which. Check before you send them again.`,
    { status: 200, messages: [] },
  );
}

function importCall(monitoring: number, documents: readonly Uint8Array[]) {
  const separated = documents.flatMap((piece, at) => (at === 0 ? [piece] : [COMMA, piece]));
  return {
    method: 'POST',
    path: `/monitorings/${monitoring}/documents`,
    body: { type: 'application/json', pieces: [OPEN, ...separated, CLOSE] },
    maxAnswerBytes: MAX_ANSWER_BYTES,
  } as const;
}

function checkDocuments(documents: unknown): void {
  for (const [at, document] of filledList('documents', documents).entries()) {
    if (!isObject(document)) throw wrongValue(`documents[${at}]`, document, 'a document');
  }
}
