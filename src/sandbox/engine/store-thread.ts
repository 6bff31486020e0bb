import { type MessagePort, parentPort } from 'node:worker_threads';
import { OptionError } from '../../model/errors.js';
import { Refusal } from '../refusal.js';
import type { Store } from '../store/database.js';
import { openStore } from '../store/open-store.js';
import type { EngineReply, EngineRequest } from './engine.js';
import { OPERATIONS, type StoreOperation } from './store-operations.js';

/**
 * Serves the database from its own thread. SQLite is synchronous, so in the thread of the server a
 * long query would block all other calls.
 */
if (parentPort) serveStore(parentPort);

function serveStore(port: MessagePort): void {
  let store: Store;
  port.on('message', ({ id, name, args }: EngineRequest) => {
    const reply = replyTo(id, () => {
      if (name === 'close') return store.close();
      if (name !== 'open') return run(store, name, args);
      store = openStore(args[0] as string);
      return undefined;
    });
    port.postMessage(reply);
    if (name === 'close') port.close();
  });
}

function run(store: Store, name: StoreOperation, args: readonly unknown[]): unknown {
  const operation = OPERATIONS[name] as (store: Store, ...args: readonly unknown[]) => unknown;
  return operation(store, ...args);
}

/** Returns whether SQLite could not write, for example because the disk is full. */
function isDiskFailure(error: unknown): error is Error {
  return error instanceof Error && /^SQLITE_(FULL|IOERR|READONLY)/.test(String(Object(error).code));
}

function replyTo(id: number, work: () => unknown): EngineReply {
  try {
    return { id, kind: 'result', result: work() };
  } catch (error) {
    if (error instanceof Refusal) {
      return { id, kind: 'refusal', refusal: error.kind, messages: error.messages };
    }
    if (error instanceof OptionError) return { id, kind: 'option', message: error.message };
    if (isDiskFailure(error)) {
      const message = `The sandbox can't store its data: ${error.message}. Make room on the disk, or name another folder.`;
      return { id, kind: 'option', message };
    }
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, kind: 'failure', message };
  }
}
