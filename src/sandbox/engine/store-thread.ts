import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { OptionError } from '../../model/errors.js';
import { Refusal } from '../refusal.js';
import type { Store } from '../store/database.js';
import { openStore } from '../store/open-store.js';
import type { EngineReply, EngineRequest } from './engine.js';
import * as operations from './operations.js';

/**
 * The thread that has the database. SQLite works while JavaScript waits, so in the server's
 * own thread a long query would keep every other call from being read.
 */
if (parentPort) serve(parentPort, workerData as string);

function serve(port: MessagePort, data: string): void {
  const opened = attempt(0, () => openStore(data));
  port.postMessage(opened.kind === 'result' ? { ...opened, result: undefined } : opened);
  if (opened.kind !== 'result') return;
  const store = opened.result as Store;
  port.on('message', (question: EngineRequest) => {
    port.postMessage(attempt(question.id, () => answer(store, question)));
    if (question.name === 'close') port.close();
  });
}

const OPERATIONS: ReadonlyMap<string, unknown> = new Map(Object.entries(operations));

function answer(store: Store, { name, args }: EngineRequest): unknown {
  if (name === 'close') return store.close();
  const operation = OPERATIONS.get(name) as (store: Store, ...args: readonly unknown[]) => unknown;
  return operation(store, ...args);
}

/** Errors lose their class on the way between threads, so they travel as values. */
function attempt(id: number, work: () => unknown): EngineReply {
  try {
    return { id, kind: 'result', result: work() };
  } catch (error) {
    if (error instanceof Refusal) {
      return { id, kind: 'refusal', refusal: error.kind, messages: error.messages };
    }
    if (error instanceof OptionError) return { id, kind: 'option', message: error.message };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, kind: 'failure', message };
  }
}
