import { DIGEST_BYTES, type DocumentRange, type Documents } from '../documents.js';
import type { SeenDocuments } from './seen-documents.js';

/** A document whose sourceId came before in the run. */
export interface Repeat {
  /** Index of the document in its {@link Documents}. */
  readonly document: number;
  /** `duplicate`: the same content; `invalid`: other content under the same sourceId. */
  readonly outcome: 'duplicate' | 'invalid';
  /** Number of the earlier document's record in the run, from 0. */
  readonly earlier: number;
}

/** Documents to send, and those that repeat an earlier sourceId. */
export interface SetApart {
  readonly fresh: readonly DocumentRange[];
  readonly repeats: readonly Repeat[];
}

/**
 * Sets apart the documents whose sourceId the run has seen before. The rest comes back as ranges
 * of neighbours.
 * @param firstOrdinal number of the chunk's first record in the whole run, from 0
 */
export function setApartRepeats(
  documents: Documents,
  seen: SeenDocuments,
  firstOrdinal: number,
): SetApart {
  const fresh: DocumentRange[] = [];
  const repeats: Repeat[] = [];
  const count = documents.ends.length;
  let from = 0;
  for (let document = 0; document < count; document += 1) {
    const ordinal = firstOrdinal + (documents.records[document] as number);
    const high = documents.idHashes[2 * document] as number;
    const low = documents.idHashes[2 * document + 1] as number;
    // There is no sourceId. (Asking for those themselves would have them all decoded.)
    if (high === 0 && low === 0) continue;
    const earlier = seen.see(high, low, contentHash(documents, document), ordinal);
    if (earlier === undefined) continue;
    if (document > from) fresh.push({ documents, from, to: document });
    from = document + 1;
    const outcome = earlier.same ? 'duplicate' : 'invalid';
    repeats.push({ document, outcome, earlier: earlier.ordinal });
  }
  if (count > from) fresh.push({ documents, from, to: count });
  return { fresh, repeats };
}

/** The first word of a digest. */
function contentHash({ digests }: Documents, index: number): number {
  const at = index * DIGEST_BYTES;
  return (
    ((digests[at] as number) |
      ((digests[at + 1] as number) << 8) |
      ((digests[at + 2] as number) << 16) |
      ((digests[at + 3] as number) << 24)) >>>
    0
  );
}
