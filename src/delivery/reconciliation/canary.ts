import type { Verdict } from '../classify-response.js';
import type { Resend } from '../send-queue.js';

/** Progress of the canaries, which `Reconciliation` sends until one is accepted. */
export type CanaryState =
  /** Nothing is open: read the service before sending another canary. */
  | { readonly kind: 'none' }
  /** So many were refused in a row: send the next one without reading. */
  | { readonly kind: 'sending'; readonly refused: number }
  /** The last one got no answer: read, then send the same document again. */
  | { readonly kind: 'unanswered'; readonly sinceMs: number };

export function afterSending(state: CanaryState): CanaryState {
  return state.kind === 'none' ? { kind: 'sending', refused: 0 } : state;
}

/** @param canaryFor set for the answer to a canary */
export function afterAnswer(
  state: CanaryState,
  kind: Verdict['kind'],
  canaryFor: Resend['canaryFor'],
): CanaryState {
  if (kind === 'accepted') return { kind: 'none' };
  if (canaryFor === undefined) return state;
  // After a refused batch, the next document is tried, whether this one was refused or got no answer.
  if (kind === 'rejected' || canaryFor.refused) return afterRefusal(state);
  return state.kind === 'unanswered' ? state : { kind: 'unanswered', sinceMs: canaryFor.endedMs };
}

function afterRefusal(state: CanaryState): CanaryState {
  // An accepted document has ended the series.
  if (state.kind === 'none') return state;
  const refused = state.kind === 'sending' ? state.refused : 0;
  return { kind: 'sending', refused: refused + 1 };
}

/** After this many refused canaries in a row, one more is sent at a time. */
const REFUSED_PER_CANARY = 16;
const MAX_AT_ONCE = 32;

/** Number of documents of a refused batch to send at once. */
export function canariesAtOnce(state: CanaryState): number {
  const refused = state.kind === 'sending' ? state.refused : 0;
  return Math.min(MAX_AT_ONCE, 1 + Math.floor(refused / REFUSED_PER_CANARY));
}
