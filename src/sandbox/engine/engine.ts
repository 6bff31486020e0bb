import type { Manner } from '../store/add-documents.js';
import type { Store } from '../store/database.js';
import type { PreparedDocuments } from '../store/prepared-documents.js';
import type * as operations from './operations.js';

type Operations = typeof operations;

/** The name of an operation. */
export type OperationName = keyof Operations;

/** The operations on the store, as they are called from outside its threads. */
export type Engine = {
  readonly [Name in Exclude<OperationName, 'addDocuments' | 'addWords'>]: Operations[Name] extends (
    store: Store,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
} & {
  /**
   * Stores documents, and their words in the index of words; answers how many count as stored.
   * When it has answered they outlive the process, and every question finds them.
   */
  addDocuments(documents: PreparedDocuments, manner: Manner): Promise<number>;
  /** Waits for what is in flight and closes the database; a second call changes nothing. */
  close(): Promise<void>;
};
