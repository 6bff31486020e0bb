import type { Acknowledged } from './port.js';
import { covered, type Window, windowOf } from './window.js';

/** What reading some windows showed. */
export interface Look {
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** The windows of which all documents were seen. */
  readonly complete: readonly Window[];
  /** Why others were not read to their end, as half a sentence; `null`: all were. */
  readonly broken: string | null;
  /** Whether there is no use in looking again; `broken` says why. */
  readonly ended: boolean;
  /** What was acknowledged before it started. */
  readonly acknowledged: readonly Acknowledged[];
  /** As how many documents a sourceId showed. */
  readonly times: (sourceId: string) => number;
}

/** The acknowledged documents that a look should have shown, and did not. */
export function missingFrom({ complete, acknowledged, times }: Look): readonly Acknowledged[] {
  return acknowledged.filter(
    ({ sourceId, published }) => times(sourceId) === 0 && covered(windowOf(published), complete),
  );
}
