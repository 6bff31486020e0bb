import { OptionError } from '../errors.js';
import type { Port } from './ask-filtered.js';
import type { ClientOptions } from './client.js';
import type { Connection } from './connection.js';
import { openTransport } from './http-transport.js';
import { showValue } from './show-value.js';

/** Opens what a client's calls share. @throws OptionError if something of it can't be used */
export function openPort(
  connection: Connection,
  { onWarning = emitWarning, connections = 8, filterMethod = 'POST' }: ClientOptions = {},
): Port {
  if (!Number.isSafeInteger(connections) || connections < 1) {
    throw new OptionError(
      `connections: ${showValue(connections)} can't be used; expected an integer, at least 1.`,
    );
  }
  if (filterMethod !== 'POST' && filterMethod !== 'GET') {
    throw new OptionError(
      `filterMethod: ${showValue(filterMethod)} is unknown; expected POST or GET.`,
    );
  }
  return { transport: openTransport(connection, connections), filterMethod, warn: onWarning };
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'DocferryWarning');
}
