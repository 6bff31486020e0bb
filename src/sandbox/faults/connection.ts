import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The normal response, before it is disturbed. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Connection of one request. Waits end when the client or the server closes it. */
export class ClientConnection {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  /** Waits; resolves with whether the connection is still open. */
  wait(ms: number): Promise<boolean> {
    return whileConnected(this.#incoming, (signal) => sleep(ms, undefined, { signal }));
  }

  /**
   * Reads and discards the rest of the request; resolves with whether the connection is still open.
   */
  drain(): Promise<boolean> {
    return whileConnected(this.#incoming, (signal) => drain(this.#incoming, signal));
  }

  async hang(): Promise<void> {
    // A socket with unread input doesn't notice that the peer has closed it.
    await this.drain();
    await repeat(this.#incoming, () => {});
  }

  reset(): void {
    const { socket } = this.#incoming;
    if (!socket.destroyed) socket.resetAndDestroy();
  }

  /** Sends 102 responses until the connection closes. */
  sendInterimForever(): Promise<void> {
    return repeat(this.#incoming, () => this.#outgoing.writeProcessing());
  }

  /** Sends a response whose body continues with spaces until the connection closes. */
  async sendBodyForever({ status, headers, body }: WholeAnswer): Promise<void> {
    const { 'content-length': _, ...endless } = Object.fromEntries(headers);
    this.#outgoing.writeHead(status, endless);
    this.#outgoing.write(body);
    await repeat(this.#incoming, () => this.#outgoing.write(' '));
  }

  /**
   * Sends the headers of the whole response and the first bytes of its body, then closes the
   * connection.
   */
  truncate({ status, headers, body }: WholeAnswer, bytes: number): void {
    const promised: OutgoingHttpHeaders = Object.fromEntries(headers);
    this.#outgoing.writeHead(status, { ...promised, 'content-length': body.length });
    this.#outgoing.flushHeaders();
    if (bytes > 0) this.#outgoing.write(body.subarray(0, bytes));
    // Flushes what was written before it closes the connection.
    this.#incoming.socket.destroySoon();
  }

  /** Sends a response as HTTP/1.0, whose end is that of the connection. */
  sendAsHttp10({ status, headers, body }: WholeAnswer): void {
    const { socket } = this.#incoming;
    const fields = [...headers].filter(([name]) => name !== 'content-length');
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.0 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`);
    socket.end(body);
  }
}

const REPEAT_MS = 50;

async function repeat(incoming: IncomingMessage, task: () => void): Promise<void> {
  await whileConnected(incoming, async (signal) => {
    for (;;) {
      task();
      await sleep(REPEAT_MS, undefined, { signal });
    }
  });
}

/** Runs a task until it ends or the connection closes; resolves with whether it is still open. */
async function whileConnected(
  { socket }: IncomingMessage,
  task: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (socket.destroyed) return false;
  const closed = new AbortController();
  const abort = (): void => closed.abort();
  socket.once('close', abort);
  try {
    await task(closed.signal);
  } catch (error) {
    if (!closed.signal.aborted) throw error;
  } finally {
    socket.off('close', abort);
  }
  return !socket.destroyed;
}

async function drain(incoming: IncomingMessage, signal: AbortSignal): Promise<void> {
  if (incoming.readableEnded) return;
  await new Promise<void>((resolve) => {
    incoming.once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    incoming.resume();
  });
}
