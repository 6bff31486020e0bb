import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer as it would have been. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/**
 * The connection of one request. All waits end when it does: when the client goes away, or when
 * the server closes it.
 */
export class ClientConnection {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  /** Answers whether the connection is still there afterwards. */
  wait(ms: number): Promise<boolean> {
    return whileConnected(this.#incoming, (signal) => sleep(ms, undefined, { signal }));
  }

  /** Reads the rest of the request and drops it; answers whether the connection is still there. */
  drain(): Promise<boolean> {
    return whileConnected(this.#incoming, (signal) => drain(this.#incoming, signal));
  }

  /** Waits for the connection's end. */
  async hang(): Promise<void> {
    // A connection whose input waits to be read does not notice its end.
    await this.drain();
    await repeat(this.#incoming, () => {});
  }

  /** Ends the connection with a reset. */
  reset(): void {
    const { socket } = this.#incoming;
    if (!socket.destroyed) socket.resetAndDestroy();
  }

  /** Announces an answer again and again, until the connection's end. */
  announceForEver(): Promise<void> {
    return repeat(this.#incoming, () => this.#outgoing.writeProcessing());
  }

  /** Sends an answer whose body continues with spaces until the connection ends. */
  async answerForEver({ status, headers, body }: WholeAnswer): Promise<void> {
    const { 'content-length': _, ...endless } = Object.fromEntries(headers);
    this.#outgoing.writeHead(status, endless);
    this.#outgoing.write(body);
    await repeat(this.#incoming, () => this.#outgoing.write(' '));
  }

  /** Promises the whole body, sends its first bytes, and ends the connection. */
  truncate({ status, headers, body }: WholeAnswer, bytes: number): void {
    const promised: OutgoingHttpHeaders = Object.fromEntries(headers);
    this.#outgoing.writeHead(status, { ...promised, 'content-length': body.length });
    this.#outgoing.flushHeaders();
    if (bytes > 0) this.#outgoing.write(body.subarray(0, bytes));
    // Sends what was written before it ends the connection.
    this.#incoming.socket.destroySoon();
  }
}

/** How often something comes that never ends. */
const REPEAT_MS = 50;

async function repeat(incoming: IncomingMessage, task: () => void): Promise<void> {
  await whileConnected(incoming, async (signal) => {
    for (;;) {
      task();
      await sleep(REPEAT_MS, undefined, { signal });
    }
  });
}

/** Runs a task that ends with the connection; answers whether the connection outlived it. */
async function whileConnected(
  { socket }: IncomingMessage,
  task: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (socket.destroyed) return false;
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  socket.once('close', abort);
  try {
    await task(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
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
