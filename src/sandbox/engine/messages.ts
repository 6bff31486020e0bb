import type { RefusalKind } from '../refusal.js';
import type { OperationName } from './engine.js';

/** What a thread is started with: the folder of its database, and what it keeps there. */
export interface ThreadData {
  readonly data: string;
  readonly keeps: 'documents' | 'words';
}

/** What a thread is asked. */
export interface EngineRequest {
  readonly id: number;
  readonly name: OperationName | 'close';
  readonly args: readonly unknown[];
}

/** What it answers: once, with id 0, when the store is open, and then once for each question. */
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
