import type { Exchange } from './exchange.js';
import type { Transport } from './http-transport.js';

const OPEN = Buffer.from('{"documents":[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']}');

/**
 * Imports documents: `POST /monitorings/{id}/documents`.
 * @param pieces documents as JSON in UTF-8, one or several (with commas between) in each piece
 */
export function postDocuments(
  transport: Transport,
  monitoring: number,
  pieces: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<Exchange> {
  const body = [
    OPEN,
    ...pieces.flatMap((piece, at) => (at === 0 ? [piece] : [COMMA, piece])),
    CLOSE,
  ];
  const path = `/monitorings/${monitoring}/documents`;
  return transport.send({ method: 'POST', path, body, ...(signal && { signal }) });
}
