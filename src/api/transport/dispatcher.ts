import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { messageOf, OptionError } from '../../model/errors.js';
import { type CheckedConnection, isThisMachine } from './connection.js';

const CONNECT_TIMEOUT_MS = 10_000;
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/**
 * Opens connections to the service, through the proxy that the environment names, if any.
 * @throws OptionError if that is no address
 */
export function openDispatcher(
  { baseUrl, timeoutMs, ca }: CheckedConnection,
  connections: number,
): Dispatcher {
  const tls = {
    timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    // Said outright, so that neither NODE_TLS_REJECT_UNAUTHORIZED nor a flag weakens it.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
  };
  const requestTls = ca === undefined ? tls : { ...tls, ca };
  // Both start anew with whatever comes; the one deadline of a call doesn't.
  const settings = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
  const variable = PROXY_VARIABLES.find((name) => process.env[name]);
  if (variable === undefined || isThisMachine(new URL(baseUrl))) {
    return new Agent({ ...settings, connect: connector(requestTls) });
  }
  try {
    return new EnvHttpProxyAgent({ ...settings, connect: requestTls, requestTls, proxyTls: tls });
  } catch (error) {
    throw new OptionError(
      `${variable} names no proxy (${messageOf(error)}); expected an address like http://HOST:PORT.`,
    );
  }
}

function connector(tls: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(tls);
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, passOverContinue(socket));
      else callback(error, null);
    });
}

const CONTINUE = /^HTTP\/1\.1 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;

/** Drops `100 Continue`, which a server may send unasked: undici breaks the connection for it. */
function passOverContinue<S extends Socket>(socket: S): S {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = read(size);
    if (chunk === null || chunk.toString('latin1', 0, 12) !== 'HTTP/1.1 100') return chunk;
    const skipped = CONTINUE.exec(chunk.toString('latin1'))?.[0].length ?? 0;
    return skipped < chunk.length ? chunk.subarray(skipped) : read(size);
  };
  return socket;
}
