import type { Store } from '../store/open-store.js';
import type * as operations from './operations.js';

type Operations = typeof operations;

/** The name of an operation. */
export type OperationName = keyof Operations;

/** The operations on the store, as they are called from outside its thread. */
export type Engine = {
  readonly [Name in OperationName]: Operations[Name] extends (
    store: Store,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
} & {
  /** Waits for what is under way and closes the database; a second call changes nothing. */
  close(): Promise<void>;
};
