import type { DocumentRange, Documents } from '../model/documents.js';
import { type Problem, withRemedy } from '../model/record.js';
import type { DedupIndex } from './dedup-index.js';

/** A document whose sourceId occurred before in the run. */
export interface Duplicate {
  /** Index of the document in its {@link Documents}. */
  readonly document: number;
  /** `invalid`: the content differs; where only reviews are compared, the review differs. */
  readonly outcome: 'duplicate' | 'invalid';
  /** Number of the first document's record in the run, from 0. */
  readonly previous: number;
  /** Whether reviews are compared: other fields may differ then. */
  readonly byReview: boolean;
}

/** A chunk's documents, split by whether their sourceId is new. */
export interface PartitionedDocuments {
  readonly unique: readonly DocumentRange[];
  readonly duplicates: readonly Duplicate[];
}

/**
 * Splits documents into those whose sourceId is new, as ranges of neighbours, and the others.
 * @param firstOrdinal number of the chunk's first record in the whole run, from 0
 * @throws TooManyIdsError
 */
export function partitionDuplicates(
  documents: Documents,
  index: DedupIndex,
  firstOrdinal: number,
): PartitionedDocuments {
  const unique: DocumentRange[] = [];
  const duplicates: Duplicate[] = [];
  const { idHashes, digests, ends, records, reviews } = documents;
  const contents = new Uint32Array(digests.buffer, digests.byteOffset, 2 * ends.length);
  let from = 0;
  for (let document = 0; document < ends.length; document += 1) {
    const high = idHashes[2 * document] as number;
    const low = idHashes[2 * document + 1] as number;
    const ordinal = firstOrdinal + (records[document] as number);
    // 0 if the whole document is compared.
    const review = reviews[document] ?? 0;
    // Half of the digest suffices: it only decides between two documents of one id.
    const content = review || (contents[2 * document] as number);
    const previous = index.insert(high, low, content, ordinal);
    if (previous === undefined) continue;
    if (document > from) unique.push({ documents, from, to: document });
    from = document + 1;
    const outcome = previous.same ? 'duplicate' : 'invalid';
    duplicates.push({ document, outcome, previous: previous.ordinal, byReview: review !== 0 });
  }
  if (ends.length > from) unique.push({ documents, from, to: ends.length });
  return { unique, duplicates };
}

interface RepeatContext {
  readonly sourceId: string | null;
  /** Names the record that had it first. */
  readonly previous: string;
  /** Value of this key in the mapping. */
  readonly duplicates: 'same-review' | undefined;
}

/** Makes the problem of a record whose sourceId occurred before. */
export function duplicateProblem(
  { outcome, byReview }: Pick<Duplicate, 'outcome' | 'byReview'>,
  { sourceId, previous, duplicates }: RepeatContext,
): Problem {
  const id = JSON.stringify(sourceId);
  if (outcome === 'invalid') {
    const remedy = `${REPEATED_ID_REMEDY}${duplicates === 'same-review' ? '' : OVERLAP_REMEDY}`;
    const reason = `${id} occurred before with other content, in ${previous}`;
    return { kind: 'repeated-id', field: 'sourceId', ...withRemedy(reason, remedy) };
  }
  const message = byReview
    ? `${id} occurred before in ${previous}: it is the same review, and the first one is imported`
    : `${id} occurred before with the same content, in ${previous}`;
  return { kind: 'duplicate', field: 'sourceId', message };
}

const REPEATED_ID_REMEDY =
  "check that it is the review's own id. If not, map another column, or a hash of more columns";
const OVERLAP_REMEDY =
  '. If it is, and exports overlap, add "duplicates: same-review" at the top of the mapping';
