import type { DocumentRange, Documents } from '../model/documents.js';
import type { DedupIndex } from './dedup-index.js';
import type { FirstFields } from './first-fields.js';

/** A document whose sourceId occurred before in the run. */
export interface Duplicate {
  /** Index of the document in its {@link Documents}. */
  readonly document: number;
  /** `invalid`: the content, or the review where reviews are compared, is another one. */
  readonly outcome: 'duplicate' | 'invalid';
  /** Number of the first document's record in the run, from 0. */
  readonly previous: number;
  /**
   * Where reviews are compared: indexes of the fields that differ between two records of the same
   * review (`reviewFields`). Absent where whole documents are compared, and where it isn't known.
   */
  readonly differing?: readonly number[] | undefined;
}

/** A chunk's documents, split by whether their sourceId is new. */
export interface PartitionedDocuments {
  readonly unique: readonly DocumentRange[];
  readonly duplicates: readonly Duplicate[];
}

/** State that is shared by all chunks of a run. */
export interface DedupState {
  readonly index: DedupIndex;
  readonly firstFields: FirstFields;
}

/**
 * Splits documents into those whose sourceId is new, as ranges of neighbours, and the others.
 * @param firstOrdinal number of the chunk's first record in the whole run, from 0
 * @throws TooManyIdsError
 */
export function partitionDuplicates(
  documents: Documents,
  { index, firstFields }: DedupState,
  firstOrdinal: number,
): PartitionedDocuments {
  const unique: DocumentRange[] = [];
  const duplicates: Duplicate[] = [];
  const { idHashes, digests, ends, records } = documents;
  const contents = new Uint32Array(digests.buffer, digests.byteOffset, 2 * ends.length);
  let from = 0;
  for (let document = 0; document < ends.length; document += 1) {
    const high = idHashes[2 * document] as number;
    const low = idHashes[2 * document + 1] as number;
    const ordinal = firstOrdinal + (records[document] as number);
    const review = reviewOf(documents, document);
    const content = review?.[0] ?? (contents[2 * document] as number);
    const previous = index.insert(high, low, content, ordinal);
    if (previous === undefined) {
      if (review !== undefined) firstFields.store(ordinal, review.subarray(1));
      continue;
    }
    if (document > from) unique.push({ documents, from, to: document });
    from = document + 1;
    const differing = review && firstFields.differing(previous.ordinal, review.subarray(1));
    const outcome = previous.same ? 'duplicate' : 'invalid';
    duplicates.push({ document, outcome, previous: previous.ordinal, differing });
  }
  if (ends.length > from) unique.push({ documents, from, to: ends.length });
  return { unique, duplicates };
}

/** Hashes of the review and of its fields; `undefined` if the whole document is compared. */
function reviewOf({ reviews, ends }: Documents, document: number): Uint32Array | undefined {
  const width = reviews.length / ends.length;
  const at = document * width;
  return width === 0 || reviews[at] === 0 ? undefined : reviews.subarray(at, at + width);
}
