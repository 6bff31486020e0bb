import type { PublishedWindow } from '../../model/published-window.js';
import type { SentOutcome } from '../../model/record-ranges.js';
import type { Doubt, ResolvedDoubt } from '../reconciliation/doubt.js';
import type { Acknowledgements } from './acknowledgements.js';

/** What an earlier process has left of a run. */
export interface EarlierRequests {
  /** Documents in some states, request by request; only those of the last so many requests. */
  sent(kinds: readonly ('sending' | SentOutcome)[], last?: number): AsyncIterable<SentRequest>;
  settleEarlier(
    intent: number,
    documents: readonly EarlierDocument[],
    settled: { readonly outcome: SentOutcome; readonly message: string },
  ): void;
  flush(): Promise<void>;
}

interface SentRequest {
  readonly intent: number;
  readonly published: PublishedWindow | null;
  readonly documents: readonly EarlierDocument[];
}

/** Where a document came from, and when what is known of it was written. */
interface EarlierDocument {
  readonly input: number;
  readonly record: number;
  readonly sourceId: string | null;
  readonly atMs: number;
}

/** What looking for what was left in doubt has told, in documents. */
export interface Resolution {
  readonly accepted: number;
  readonly absent: number;
  readonly undecided: number;
  /** Of those that are there, how many the service shows more than once. */
  readonly twice: number;
}

/**
 * Looks for what an earlier process of this run left in doubt, and writes down what that tells.
 * What is missing becomes `unsent`.
 */
export async function resolveEarlierDoubts(
  run: EarlierRequests,
  acknowledgements: Acknowledgements,
  lookFor: (doubts: readonly Doubt[]) => Promise<readonly ResolvedDoubt[]>,
): Promise<Resolution> {
  const earlier: SentRequest[] = [];
  for await (const request of run.sent(['sending', 'unknown'])) earlier.push(request);
  if (earlier.length === 0) return { accepted: 0, absent: 0, undecided: 0, twice: 0 };
  await addAcknowledged(run, acknowledgements);
  const resolved = await lookFor(earlier.map(doubtOf));
  for (const [index, one] of earlier.entries()) settle(run, one, resolved[index]);
  await run.flush();
  const sum = (pick: (one: ResolvedDoubt) => readonly number[]): number =>
    resolved.reduce((total, one) => total + pick(one).length, 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    absent: sum(({ absent }) => absent),
    undecided: sum(({ undecided }) => undecided),
    twice: sum(({ twice }) => twice),
  };
}

function doubtOf({ documents, published }: SentRequest): Doubt {
  return {
    ids: documents.map(({ sourceId }) => sourceId),
    published,
    endedMs: Math.max(...documents.map(({ atMs }) => atMs)),
  };
}

function settle(
  run: EarlierRequests,
  request: SentRequest,
  resolved: ResolvedDoubt | undefined,
): void {
  if (resolved === undefined) return;
  const { intent, documents } = request;
  const at = (indexes: readonly number[]): readonly EarlierDocument[] =>
    indexes.map((index) => documents[index] as EarlierDocument);
  const { accepted, absent, undecided, reason } = resolved;
  run.settleEarlier(intent, at(accepted), { outcome: 'accepted', message: '' });
  const unknown = reason ?? 'it could not be found out whether it arrived';
  run.settleEarlier(intent, at(undecided), { outcome: 'unknown', message: unknown });
  const since = new Date(doubtOf(request).endedMs).toISOString();
  const message = `a request of ${since} got no usable answer; it was looked for and not found, so it was sent again: should that request take effect later still, it is there twice`;
  run.settleEarlier(intent, at(absent), { outcome: 'unsent', message });
}

const MAX_ACKNOWLEDGED = 20;

/** One document of each of the last requests that were accepted. */
async function addAcknowledged(
  run: EarlierRequests,
  acknowledgements: Acknowledgements,
): Promise<void> {
  for await (const { published, documents } of run.sent(['accepted'], MAX_ACKNOWLEDGED)) {
    const one = documents.find(({ sourceId }) => sourceId !== null);
    if (one === undefined) continue;
    // Its own moment isn't written down, and that of its request spans the others'.
    const { from, to } = published ?? { from: null, to: undefined };
    acknowledgements.add({
      sourceId: one.sourceId as string,
      published: from === to ? from : null,
      acknowledgedMs: one.atMs,
    });
  }
}
