import type { Added } from '../store/add-documents.js';
import { pickRows } from '../store/settle-duplicates.js';
import type { Engine } from './engine.js';
import * as operations from './operations.js';
import { startThread, type Thread } from './thread.js';

/**
 * Opens the store in a thread of its own, and a second one for the index of words when the first
 * documents come. Throws {@link OptionError} if it can't be opened.
 * @param data folder of the database, or `:memory:`
 */
export async function startEngine(data: string): Promise<Engine> {
  const store = await startThread({ data, keeps: 'documents' });
  let words: Promise<Thread> | undefined;
  const startWords = (): Promise<Thread> => {
    // A database in memory belongs to one connection.
    words ??= data === ':memory:' ? Promise.resolve(store) : startThread({ data, keeps: 'words' });
    return words;
  };
  const names = Object.keys(operations) as (keyof typeof operations)[];
  const engine: Omit<Engine, 'addDocuments' | 'close'> = Object.fromEntries(
    names.map((name) => [name, (...args: unknown[]) => store.call(name, args)]),
  ) as never;
  return {
    ...engine,
    addDocuments: async ({ words: texts, ...rows }, manner) => {
      const index = await startWords();
      const added = (await store.call('addDocuments', [rows, manner])) as Added;
      const { ids, positions, answered } = added;
      // Meanwhile the store takes the next documents.
      if (ids)
        await index.call('addWords', [...ids, positions ? pickRows(texts, positions) : texts]);
      return answered;
    },
    close: async () => {
      words ??= Promise.resolve(store);
      try {
        await (await words).close();
      } finally {
        await store.close();
      }
    },
  };
}
