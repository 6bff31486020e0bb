import type { Exchange } from './exchange.js';
import type { Transport } from './http-transport.js';

/** Asks for one monitoring: `GET /monitorings/{id}`. */
export function getMonitoring(
  transport: Transport,
  id: number,
  signal: AbortSignal,
): Promise<Exchange> {
  return transport.send({ method: 'GET', path: `/monitorings/${id}`, signal });
}
