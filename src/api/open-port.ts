import { OptionError } from '../model/errors.js';
import { checkNames, type Names } from '../model/known-names.js';
import type { Port } from './ask-filtered.js';
import type { ClientOptions } from './client.js';
import type { Connection } from './connection.js';
import { openTransport } from './http-transport.js';
import { showValue } from './show-value.js';

const NAMES: Names<ClientOptions> = { onWarning: true, connections: true, filterMethod: true };

/** Opens what a client's calls share. @throws OptionError if something of it can't be used */
export function openPort(connection: Connection, options: ClientOptions = {}): Port {
  checkNames(options, NAMES, 'createClient');
  const { onWarning = emitWarning, connections = 8, filterMethod = 'POST' } = options;
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
