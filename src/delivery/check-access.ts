import { errorMessages } from '../api/exchange.js';
import type { Transport } from '../api/http-transport.js';
import { getMonitoring } from '../api/monitorings.js';

/** Why nothing can be sent. */
export interface Refusal {
  readonly kind: 'no-access' | 'service-down';
  readonly message: string;
}

/**
 * Asks for the monitoring before the first document is sent, so that wrong credentials, a wrong id
 * or a service that is down show at once. `undefined`: go ahead. An abort ends the question.
 */
export async function checkAccess(
  transport: Transport,
  monitoring: number,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const exchange = await getMonitoring(transport, monitoring, signal);
  if (exchange.kind !== 'answer') {
    const message = `${transport.baseUrl} can't be reached: ${exchange.message}. Is the address right, and does the service run?`;
    return { kind: 'service-down', message };
  }
  const { status, json } = exchange;
  if (status >= 200 && status < 300 && isMonitoring(json, monitoring)) return undefined;
  const said = errorMessages(json);
  if (said === undefined || status >= 500) {
    const message = `${transport.baseUrl} answered ${status} to a question for monitoring ${monitoring}${said ? `: ${said.join('; ')}` : ', and not as the service does'}. Is the base URL right? It ends in the version, as in …/5.0`;
    return { kind: 'service-down', message };
  }
  const remedy =
    status === 401
      ? 'Check the user name and the API key'
      : `Check the id: \`monitoring ${monitoring}\` must exist and this user must see it`;
  return { kind: 'no-access', message: `${said.join('; ')} (${status}). ${remedy}` };
}

function isMonitoring(json: unknown, id: number): boolean {
  return typeof json === 'object' && json !== null && 'id' in json && json.id === id;
}
