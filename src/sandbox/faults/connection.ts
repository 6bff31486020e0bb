import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The connection of one request. All waits end when it does: when the client goes away, or when
 * the server closes it.
 */
export interface ClientConnection {
  /** Answers whether the connection is still there afterwards. */
  wait(ms: number): Promise<boolean>;
  /** Reads the rest of the request and drops it; answers whether the connection is still there. */
  drain(): Promise<boolean>;
  /** Waits for the connection's end. */
  hang(): Promise<void>;
  /** Ends the connection with a reset. */
  reset(): void;
  /** Says again and again that an answer will come, until the connection's end. */
  announceForEver(): Promise<void>;
  /** Sends an answer whose body continues with spaces until the connection ends. */
  answerForEver(answer: WholeAnswer): Promise<void>;
  /** Promises the whole body, sends its first bytes, and ends the connection. */
  truncate(answer: WholeAnswer, bytes: number): void;
}

/** An answer as it would have been. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Takes charge of a request's connection. */
export function connectionOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): ClientConnection {
  const { socket } = incoming;
  return {
    wait: (ms) => whileConnected(incoming, (signal) => sleep(ms, undefined, { signal })),
    drain: () => whileConnected(incoming, (signal) => drain(incoming, signal)),
    hang: async () => {
      // A connection whose input waits to be read does not notice its end.
      await whileConnected(incoming, (signal) => drain(incoming, signal));
      await whileConnected(incoming, forever);
    },
    reset: () => {
      if (!socket.destroyed) socket.resetAndDestroy();
    },
    announceForEver: () => repeat(incoming, () => outgoing.writeProcessing()),
    answerForEver: async ({ status, headers, body }) => {
      const { 'content-length': _, ...endless } = Object.fromEntries(headers);
      outgoing.writeHead(status, endless);
      outgoing.write(body);
      await repeat(incoming, () => outgoing.write(' '));
    },
    truncate: ({ status, headers, body }, bytes) => {
      const promised: OutgoingHttpHeaders = Object.fromEntries(headers);
      outgoing.writeHead(status, { ...promised, 'content-length': body.length });
      outgoing.flushHeaders();
      if (bytes > 0) outgoing.write(body.subarray(0, bytes));
      // Sends what was written before it ends the connection.
      socket.destroySoon();
    },
  };
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

async function forever(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
