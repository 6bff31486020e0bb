import { ask } from '../api/ask.js';
import type { Transport } from '../api/transport/http-transport.js';
import {
  AccessError,
  AuthenticationError,
  ServiceDownError,
  ServiceError,
} from '../model/errors.js';

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
  try {
    const path = `/monitorings/${monitoring}`;
    await ask(transport, { method: 'GET', path, shape: { id: 'integer' } }, { signal });
    return undefined;
  } catch (error) {
    const cause = causeOf(error, signal);
    const kind = cause instanceof AccessError ? 'no-access' : 'service-down';
    return { kind, message: cause.message.replace(/\.$/, ''), cause };
  }
}

/** @throws what is a mistake of the program */
function causeOf(error: unknown, signal: AbortSignal): AccessError | ServiceDownError {
  if (signal.aborted) return new ServiceDownError('the question for the monitoring was aborted');
  if (error instanceof AccessError || error instanceof ServiceDownError) return error;
  if (!(error instanceof ServiceError)) throw error;
  const { status, message } = error;
  const passes = status >= 500 || status === 408 || status === 429;
  if (passes) return new ServiceDownError(message, { cause: error });
  // Something else than the service, or one that has never seen these credentials.
  return new AuthenticationError(message, error);
}
