import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { OptionError } from '../../model/errors.js';
import { Refusal } from '../refusal.js';
import type { EngineReply, EngineRequest, ThreadData } from './messages.js';

/** A thread that has a database to itself. */
export interface Thread {
  /** Runs an operation there. Throws what it throws. */
  call(name: EngineRequest['name'], args: readonly unknown[]): Promise<unknown>;
  /** Waits for what is in flight and closes the database; a second call changes nothing. */
  close(): Promise<void>;
}

/** The compiled thread, also where the sources themselves run, as they do under test. */
const FILE = new URL('../../../dist/sandbox/engine/store-thread.js', import.meta.url);

/** Starts a thread and waits until its database is open. Throws {@link OptionError} if it can't be. */
export async function startThread(workerData: ThreadData): Promise<Thread> {
  const asked = new Map<number, Waiting>();
  const worker = new Worker(FILE, { workerData });
  let ended: Error | undefined;
  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of asked.values()) reject(ended);
    asked.clear();
  };
  worker.on('message', (reply: EngineReply) => settle(asked, reply));
  worker.on('error', end);
  const exit = once(worker, 'exit').then(() => end(isClosed()));
  const ask = (id: number, question: EngineRequest | undefined): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      asked.set(id, { resolve, reject });
      if (question) worker.postMessage(question);
    });
  await ask(0, undefined);
  let last = 0;
  let closed: Promise<unknown> | undefined;
  const call: Thread['call'] = (name, args) => {
    if (closed) return Promise.reject(isClosed());
    last += 1;
    return ask(last, { id: last, name, args });
  };
  return {
    call,
    close: async () => {
      closed ??= call('close', []);
      await closed;
      // The database's file is released only when its thread has ended.
      await exit;
    },
  };
}

function isClosed(): Refusal {
  return new Refusal('closing', 'The sandbox is closed.');
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

function settle(asked: Map<number, Waiting>, reply: EngineReply): void {
  const waiting = asked.get(reply.id);
  asked.delete(reply.id);
  if (reply.kind === 'result') waiting?.resolve(reply.result);
  else waiting?.reject(errorOf(reply));
}

function errorOf(reply: Exclude<EngineReply, { kind: 'result' }>): Error {
  if (reply.kind === 'refusal') return new Refusal(reply.refusal, reply.messages);
  return reply.kind === 'option' ? new OptionError(reply.message) : new Error(reply.message);
}
