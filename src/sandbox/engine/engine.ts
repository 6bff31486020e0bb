import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { OptionError } from '../../model/errors.js';
import { Refusal, type RefusalKind } from '../refusal.js';
import type { Store } from '../store/database.js';
import type { StoreOperation, StoreOperations } from './store-operations.js';

export interface Engine {
  /** Runs an operation. Rejects with its error. */
  run<Name extends StoreOperation>(
    name: Name,
    ...args: Arguments<Name>
  ): Promise<ReturnType<StoreOperations[Name]>>;
  /** Waits for running operations and closes the database. Can be called repeatedly. */
  close(): Promise<void>;
}

type Arguments<Name extends StoreOperation> = StoreOperations[Name] extends (
  store: Store,
  ...args: infer Args
) => unknown
  ? Args
  : never;

/** Message to the thread of the store; the first one is `open`. */
export interface EngineRequest {
  readonly id: number;
  readonly name: StoreOperation | 'open' | 'close';
  readonly args: readonly unknown[];
}

/** Reply of the thread. Errors are values, because they lose their class between threads. */
export type EngineReply =
  | { readonly id: number; readonly kind: 'result'; readonly result: unknown }
  | {
      readonly id: number;
      readonly kind: 'refusal';
      readonly refusal: RefusalKind;
      readonly messages: readonly string[];
    }
  /** An invalid option, or a failure of the sandbox itself. */
  | { readonly id: number; readonly kind: 'option' | 'failure'; readonly message: string };

/** Compiled script of the thread, used also when running from sources, as tests do. */
const FILE = new URL('../../../dist/sandbox/engine/store-thread.js', import.meta.url);

/**
 * Opens the store in a new thread. Throws {@link OptionError} if it can't be opened.
 * @param data folder of the database, or `:memory:`
 */
export async function startEngine(data: string): Promise<Engine> {
  const pending = new Map<number, PendingCall>();
  const worker = new Worker(FILE);
  let ended: Error | undefined;
  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of pending.values()) reject(ended);
    pending.clear();
  };
  worker.on('message', (reply: EngineReply) => {
    const call = pending.get(reply.id);
    pending.delete(reply.id);
    if (reply.kind === 'result') call?.resolve(reply.result);
    else call?.reject(replyError(reply));
  });
  worker.on('error', end);
  const exit = once(worker, 'exit').then(() => end(closedError()));
  let lastId = 0;
  const call = (name: EngineRequest['name'], args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, name, args } satisfies EngineRequest);
    });
  try {
    await call('open', [data]);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  let closed: Promise<unknown> | undefined;
  return {
    run: async (name, ...args) =>
      (await call(name, args)) as ReturnType<StoreOperations[typeof name]>,
    close: async () => {
      closed ??= call('close', []);
      ended ??= closedError();
      await closed;
      // The database file is released only when the thread has exited.
      await exit;
    },
  };
}

function closedError(): Refusal {
  return new Refusal('closing', 'The sandbox is closed.');
}

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

function replyError(reply: Exclude<EngineReply, { kind: 'result' }>): Error {
  if (reply.kind === 'refusal') return new Refusal(reply.refusal, reply.messages);
  return reply.kind === 'option' ? new OptionError(reply.message) : new Error(reply.message);
}
