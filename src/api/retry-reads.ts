import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, retryAfterMs } from './transport/backoff.js';
import type { Exchange } from './transport/exchange.js';
import type { Call, Transport } from './transport/http-transport.js';

/** A longer `Retry-After` isn't waited for. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Statuses of a service, or of a gateway, that is busy or away for a moment. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Codes of a connection that broke, or of a network that is away. */
const BROKEN =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|E(?:NET|HOST)UNREACH|EAI_AGAIN|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT))$/;

/** The same transport, which asks again where a read failed for a moment. What changes is sent once. */
export function retryReads(transport: Transport, retries: number): Transport {
  let everAnswered = false;
  const send = async (call: Call): Promise<Exchange> => {
    for (let failures = 0; ; failures += 1) {
      const exchange = await transport.send(call);
      everAnswered ||= exchange.kind === 'answer';
      if (call.changes || failures >= retries || !passes(exchange, everAnswered)) return exchange;
      const waitMs = waitBefore(exchange, failures);
      if (waitMs > MAX_RETRY_AFTER_MS) return exchange;
      await wait(waitMs, undefined, { signal: call.signal }).catch(() => {});
      if (call.signal?.aborted) return { kind: 'not-sent', message: 'the call was aborted' };
    }
  };
  return { ...transport, send };
}

/** @param everAnswered before a service has ever answered, its address is likely to be wrong */
function passes(exchange: Exchange, everAnswered: boolean): boolean {
  if (exchange.kind === 'answer') return PASSING.has(exchange.status);
  const { kind, code = '' } = exchange;
  return BROKEN.test(code) && (kind === 'no-answer' || everAnswered);
}

function waitBefore(exchange: Exchange, failures: number): number {
  const asked = exchange.kind === 'answer' ? retryAfterMs(exchange, Date.now()) : undefined;
  return asked ?? backoffMs(failures, Math.random());
}
