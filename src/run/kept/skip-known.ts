import type { DocumentRange } from '../../documents.js';
import type { RunTarget } from '../../journal/description.js';
import type { Known, Ledger } from '../../journal/ledger.js';
import type { Outcome, Problem } from '../../record.js';
import type { Account } from '../account.js';
import { splitRange } from './split-range.js';

/**
 * Gives the documents that no earlier run has sent to this monitoring. The others are settled here:
 * nothing is sent that is known to be there, or that may be.
 * @throws JournalError if the ledger can't be read
 */
export async function* skipKnown(
  ranges: AsyncIterable<DocumentRange>,
  { ledger, target }: { readonly ledger: Ledger; readonly target: RunTarget },
  account: Account,
): AsyncGenerator<DocumentRange, void, undefined> {
  // Ids that this run sends are none of the ledger's business: repeats were set apart before.
  if (ledger.knowsNothingOf(target)) {
    yield* ranges;
    return;
  }
  for await (const range of ranges) {
    const known = ledger.lookUp(target, hashesOf(range));
    for (const [part, what] of splitRange(range, (at) => known.get(at - range.from))) {
      if (what === undefined) yield part;
      else account.settleEarlier(part, OUTCOMES[what], [problemOf(what)]);
    }
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
  const bytes = new Uint8Array(idHashes.buffer, idHashes.byteOffset, idHashes.byteLength);
  return {
    idHashes: bytes.subarray(from * 8, to * 8),
    digests: digests.subarray(from * 8, to * 8),
  };
}
