import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { OptionError } from '../../errors.js';
import { Refusal } from '../refusal.js';
import type { Engine } from './engine.js';
import type { Question, Reply } from './messages.js';
import * as operations from './operations.js';

/** The compiled thread, also where the sources themselves run, as they do under test. */
const THREAD = new URL(
  import.meta.url.replace('/src/sandbox/', '/dist/sandbox/').replace(/[^/]+$/, 'store-thread.js'),
);

/**
 * Opens the store in a thread of its own. Throws {@link OptionError} if it can't be opened.
 * @param data folder of the database, or `:memory:`
 */
export async function startEngine(data: string): Promise<Engine> {
  const asked = new Map<number, Waiting>();
  const worker = new Worker(THREAD, { workerData: { data } });
  let ended: Error | undefined;
  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of asked.values()) reject(ended);
    asked.clear();
  };
  worker.on('message', (reply: Reply) => settle(asked, reply));
  worker.on('error', end);
  const exit = once(worker, 'exit').then(() => end(isClosed()));
  const ask = (id: number, question: Question | undefined): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      asked.set(id, { resolve, reject });
      if (question) worker.postMessage(question);
    });
  await ask(0, undefined);
  let last = 0;
  let closed: Promise<unknown> | undefined;
  const call = (name: Question['name'], args: readonly unknown[]): Promise<unknown> => {
    if (closed) return Promise.reject(isClosed());
    last += 1;
    return ask(last, { id: last, name, args });
  };
  const close = async (): Promise<void> => {
    closed ??= call('close', []);
    await closed;
    // The database's file is let go of only when its thread has ended.
    await exit;
  };
  const names = Object.keys(operations) as (keyof typeof operations)[];
  return {
    ...Object.fromEntries(names.map((name) => [name, (...args: []) => call(name, args)])),
    close,
  } as unknown as Engine;
}

function isClosed(): Refusal {
  return new Refusal('closing', 'The sandbox is closed.');
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

function settle(asked: Map<number, Waiting>, reply: Reply): void {
  const waiting = asked.get(reply.id);
  asked.delete(reply.id);
  if (reply.kind === 'result') waiting?.resolve(reply.result);
  else waiting?.reject(errorOf(reply));
}

function errorOf(reply: Exclude<Reply, { kind: 'result' }>): Error {
  if (reply.kind === 'refusal') return new Refusal(reply.refusal, reply.messages);
  return reply.kind === 'option' ? new OptionError(reply.message) : new Error(reply.message);
}
