import type { DocumentRange } from '../model/documents.js';
import type { Outcome, Problem } from '../model/record.js';
import type { OutcomeRecorder } from '../outcomes/outcome-recorder.js';
import { splitRange } from './split-range.js';
import type { RunTarget } from './sqlite/description.js';
import type { Known, Ledger } from './sqlite/ledger.js';

/**
 * Gives the documents that no earlier run has sent to this monitoring. The others are settled here:
 * nothing is sent that is known to be there, or that may be.
 * @throws JournalError if the ledger can't be read
 */
export async function* skipKnown(
  ranges: AsyncIterable<DocumentRange>,
  { ledger, target }: { readonly ledger: Ledger; readonly target: RunTarget },
  recorder: OutcomeRecorder,
): AsyncGenerator<DocumentRange, void, undefined> {
  // Ids that this run sends are none of the ledger's business: repeats were set apart before.
  if (ledger.knowsNothingOf(target)) {
    yield* ranges;
    return;
  }
  for await (const range of ranges) {
    const known = lookUp(range);
    for (const [part, what] of splitRange(range, (at) => known.get(at - range.from))) {
      if (what === undefined) yield part;
      else recorder.settleEarlier(part, OUTCOMES[what], [problemOf(what)]);
    }
  }

  function lookUp(range: DocumentRange): ReadonlyMap<number, Known> {
    const hashes = hashesOf(range);
    const known = ledger.lookUp(target, hashes);
    const shared = range.documents.sharedIdHashes;
    if (shared === undefined) return known;
    // In an earlier run this review may have come first, and then it has the hash itself for its id.
    const before = ledger.lookUp(target, { ...hashes, idHashes: bytesOf(shared) });
    return new Map([...[...before].filter(([, what]) => what === 'same'), ...known]);
  }
}

const OUTCOMES: Readonly<Record<Known, Outcome>> = {
  same: 'duplicate',
  changed: 'duplicate',
  'in-doubt': 'unknown',
};

const PROBLEMS: Readonly<Record<Known, Omit<Problem, 'field'>>> = {
  same: {
    kind: 'known',
    message: 'an earlier run imported it with the same content',
  },
  changed: {
    kind: 'changed',
    message:
      'an earlier run imported it with other content: the service keeps what it has, as documents that were imported can be neither changed nor replaced',
  },
  'in-doubt': {
    kind: 'in-doubt',
    message:
      'an earlier run sent it, and nobody knows yet whether it arrived: `docferry runs list` shows the run, and `docferry runs resolve RUN` finds out',
  },
};

function problemOf(known: Known): Problem {
  return { field: 'sourceId', ...PROBLEMS[known] };
}

function hashesOf({ documents, from, to }: DocumentRange): {
  readonly idHashes: Uint8Array;
  readonly digests: Uint8Array;
} {
  const { idHashes, digests } = documents;
  return {
    idHashes: bytesOf(idHashes).subarray(from * 8, to * 8),
    digests: digests.subarray(from * 8, to * 8),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
