import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { OptionError } from '../../model/errors.js';
import { Refusal, type RefusalKind } from '../refusal.js';
import type { Store } from '../store/database.js';
import * as operations from './operations.js';

type Operations = typeof operations;

/** The operations on the store, as they are called from outside its thread. */
export type Engine = {
  readonly [Name in keyof Operations]: Operations[Name] extends (
    store: Store,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
} & {
  /** Waits for what is in flight and closes the database; a second call changes nothing. */
  close(): Promise<void>;
};

/** A call of an operation in the store's thread. */
export interface EngineRequest {
  readonly id: number;
  readonly name: keyof Operations | 'close';
  readonly args: readonly unknown[];
}

/** Its outcome. The first one, with id 0, says whether the store could be opened. */
export type EngineReply =
  | { readonly id: number; readonly kind: 'result'; readonly result: unknown }
  | {
      readonly id: number;
      readonly kind: 'refusal';
      readonly refusal: RefusalKind;
      readonly messages: readonly string[];
    }
  /** An option that can't be used, or a failure of the sandbox itself. */
  | { readonly id: number; readonly kind: 'option' | 'failure'; readonly message: string };

/** The compiled thread, also where the sources themselves run, as they do under test. */
const FILE = new URL('../../../dist/sandbox/engine/store-thread.js', import.meta.url);

/**
 * Opens the store in a thread of its own. Throws {@link OptionError} if it can't be opened.
 * @param data folder of the database, or `:memory:`
 */
export async function startEngine(data: string): Promise<Engine> {
  const pending = new Map<number, PendingCall>();
  const worker = new Worker(FILE, { workerData: data });
  let ended: Error | undefined;
  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of pending.values()) reject(ended);
    pending.clear();
  };
  worker.on('message', (reply: EngineReply) => settle(pending, reply));
  worker.on('error', end);
  const exit = once(worker, 'exit').then(() => end(closedError()));
  const request = (id: number, message: EngineRequest | undefined): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      pending.set(id, { resolve, reject });
      if (message) worker.postMessage(message);
    });
  await request(0, undefined);
  let last = 0;
  let closed: Promise<unknown> | undefined;
  const call = (name: EngineRequest['name'], args: readonly unknown[]): Promise<unknown> => {
    if (closed) return Promise.reject(closedError());
    last += 1;
    return request(last, { id: last, name, args });
  };
  const names = Object.keys(operations) as (keyof Operations)[];
  const calls = names.map((name) => [name, (...args: unknown[]) => call(name, args)]);
  return {
    ...(Object.fromEntries(calls) as Omit<Engine, 'close'>),
    close: async () => {
      closed ??= call('close', []);
      await closed;
      // The database's file is released only when its thread has ended.
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

function settle(pending: Map<number, PendingCall>, reply: EngineReply): void {
  const call = pending.get(reply.id);
  pending.delete(reply.id);
  if (reply.kind === 'result') call?.resolve(reply.result);
  else call?.reject(errorOf(reply));
}

function errorOf(reply: Exclude<EngineReply, { kind: 'result' }>): Error {
  if (reply.kind === 'refusal') return new Refusal(reply.refusal, reply.messages);
  return reply.kind === 'option' ? new OptionError(reply.message) : new Error(reply.message);
}
