import { accessError, factsOf } from '../api/ask.js';
import { getMonitoring } from '../api/monitorings.js';
import { type Answer, errorMessages } from '../api/transport/exchange.js';
import type { Transport } from '../api/transport/http-transport.js';
import { excerpt } from '../api/transport/read-answer.js';
import { type AccessError, ServiceDownError, ServiceError } from '../model/errors.js';

/** Why nothing can be sent. */
export interface AccessRefusal {
  readonly kind: 'no-access' | 'service-down';
  readonly message: string;
  readonly cause: AccessError | ServiceDownError;
}

/**
 * Asks for the monitoring before the first document is sent, so that wrong credentials, a wrong id
 * or a service that is down show at once. `undefined`: go ahead. An abort ends the question.
 */
export async function checkAccess(
  transport: Transport,
  monitoring: number,
  signal: AbortSignal,
): Promise<AccessRefusal | undefined> {
  const exchange = await getMonitoring(transport, monitoring, signal);
  if (exchange.kind !== 'answer') {
    const message = `${transport.baseUrl} can't be reached: ${exchange.message}. Is the address right, and does the service run?`;
    return { kind: 'service-down', message, cause: new ServiceDownError(message, exchange) };
  }
  const { status, json } = exchange;
  if (status >= 200 && status < 300 && isMonitoring(json, monitoring)) return undefined;
  const question = `${transport.baseUrl} answered ${status} to a question for monitoring ${monitoring}`;
  const message = `${question}: ${reasonOf(exchange)}`;
  if (status >= 500 || status === 408 || status === 429) {
    const cause = new ServiceError(`${message}.`, factsOf(exchange));
    const error = new ServiceDownError(`${message}.`, { cause });
    return { kind: 'service-down', message, cause: error };
  }
  const withRemedy = `${message}. ${remedyFor(exchange)}`;
  return {
    kind: 'no-access',
    message: withRemedy,
    cause: accessError(asSentence(withRemedy), exchange),
  };
}

function asSentence(text: string): string {
  return text.replace(/[^.?!]$/, '$&.');
}

function isMonitoring(json: unknown, id: number): boolean {
  return typeof json === 'object' && json !== null && 'id' in json && json.id === id;
}

function reasonOf({ json, unusable = 'not as the service does' }: Answer): string {
  const said = errorMessages(json)?.join('; ');
  return said === undefined ? unusable : excerpt(said, 500).replace(/\.$/, '');
}

/** What a person may do about it. */
function remedyFor({ status, json }: Answer): string {
  if (status === 401) return 'Check the user name and the API key';
  if (status === 407) return 'A proxy on the way wants credentials of its own';
  if (status === 403) {
    return 'Check the user name and the API key, and whether this user may see the monitoring';
  }
  if (errorMessages(json) === undefined) {
    return 'Does a login or a proxy stand in front of the service, and is the base URL right? It ends in the version, as in …/5.0';
  }
  return 'Check the id: the monitoring must exist and this user must see it';
}
