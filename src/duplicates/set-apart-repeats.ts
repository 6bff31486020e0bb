import { DIGEST_BYTES, type DocumentRange, type Documents } from '../model/documents.js';
import type { Earlier } from './entry.js';
import type { FirstFields } from './first-fields.js';
import type { SeenDocuments } from './seen-documents.js';

/** A document whose sourceId came before in the run. */
export interface Repeat {
  /** Index of the document in its {@link Documents}. */
  readonly document: number;
  /** `duplicate`: the same content or review; `invalid`: other content under the file's own id. */
  readonly outcome: 'duplicate' | 'invalid';
  /** Number of the earlier document's record in the run, from 0. */
  readonly earlier: number;
  /**
   * Where reviews are compared: indexes of the fields in which the same review differs
   * (`reviewFields`). Absent where whole documents are, and where that is not known.
   */
  readonly differing?: readonly number[];
}

/** A review that has the same hash as another one, and so was given an id of its own. */
export interface SharedHash {
  readonly range: DocumentRange;
  /** Number of the other one's record in the run, from 0. */
  readonly earlier: number;
}

/** Documents to send, and those that repeat an earlier sourceId. */
export interface SetApart {
  readonly fresh: readonly DocumentRange[];
  readonly repeats: readonly Repeat[];
  /** Ranges of one document each, which are among the fresh ones. */
  readonly shared: readonly SharedHash[];
}

/** What a run remembers of its documents. */
export interface Remembered {
  readonly seen: SeenDocuments;
  readonly firstFields: FirstFields;
}

/** Gives one document alone, with an id that no other review has. */
export type TellApart = (documents: Documents, document: number) => Documents;

/**
 * Sets apart the documents whose sourceId the run has seen before. The rest comes back as ranges
 * of neighbours.
 * @param firstOrdinal number of the chunk's first record in the whole run, from 0
 */
export function setApartRepeats(
  documents: Documents,
  { seen, firstFields }: Remembered,
  firstOrdinal: number,
  tellApart: TellApart,
): SetApart {
  const fresh: DocumentRange[] = [];
  const repeats: Repeat[] = [];
  const shared: SharedHash[] = [];
  const count = documents.ends.length;
  let from = 0;
  for (let document = 0; document < count; document += 1) {
    // There is no sourceId. (Asking for those themselves would have them all decoded.)
    if (hasNoId(documents, document)) continue;
    const ordinal = firstOrdinal + (documents.records[document] as number);
    const fields = fieldsOf(documents, document);
    const earlier = see(documents, document, ordinal);
    if (earlier === undefined) {
      if (fields !== undefined) firstFields.keep(ordinal, fields);
      continue;
    }
    if (document > from) fresh.push({ documents, from, to: document });
    from = document + 1;
    if (earlier.same || !isHashed(documents, document))
      repeats.push(repeatOf(document, earlier, fields));
    else another(document, ordinal, earlier.ordinal);
  }
  if (count > from) fresh.push({ documents, from, to: count });
  return { fresh, repeats, shared };

  function see(of: Documents, at: number, ordinal: number): Earlier | undefined {
    const high = of.idHashes[2 * at] as number;
    const low = of.idHashes[2 * at + 1] as number;
    return seen.see(high, low, contentWord(of, at), ordinal);
  }

  function repeatOf(document: number, earlier: Earlier, fields: Uint32Array | undefined): Repeat {
    const outcome = earlier.same ? 'duplicate' : 'invalid';
    const differing = fields && firstFields.differing(earlier.ordinal, fields);
    const repeat = { document, outcome, earlier: earlier.ordinal } as const;
    return differing === undefined ? repeat : { ...repeat, differing };
  }

  /** The same hash, and another review: it gets an id of its own, unless that one came before. */
  function another(document: number, ordinal: number, other: number): void {
    const alone = tellApart(documents, document);
    const fields = fieldsOf(alone, 0) as Uint32Array;
    const earlier = see(alone, 0, ordinal);
    if (earlier !== undefined) {
      repeats.push(repeatOf(document, { ...earlier, same: true }, fields));
      return;
    }
    firstFields.keep(ordinal, fields);
    const range = { documents: alone, from: 0, to: 1 };
    fresh.push(range);
    shared.push({ range, earlier: other });
  }
}

function hasNoId({ idHashes }: Documents, index: number): boolean {
  return idHashes[2 * index] === 0 && idHashes[2 * index + 1] === 0;
}

/** Hashes of the fields that may change; `undefined` if the whole document is compared. */
function fieldsOf({ reviews, ends }: Documents, index: number): Uint32Array | undefined {
  if (reviews.length === 0) return undefined;
  const width = reviews.length / ends.length;
  const at = index * width;
  return reviews[at] === 0 ? undefined : reviews.subarray(at + 2, at + width);
}

/** Whether the sourceId is a hash that the mapping made. */
export function isHashed({ reviews, ends }: Documents, index: number): boolean {
  if (reviews.length === 0) return false;
  return ((reviews[(index * reviews.length) / ends.length + 1] as number) & 1) === 1;
}

/** A word of what has to agree: of the review's hash, or of the digest of an id of the file's own. */
function contentWord({ reviews, ends, digests }: Documents, index: number): number {
  const review =
    reviews.length === 0 ? 0 : (reviews[(index * reviews.length) / ends.length] as number);
  if (review !== 0) return review;
  const at = index * DIGEST_BYTES;
  return (
    ((digests[at] as number) |
      ((digests[at + 1] as number) << 8) |
      ((digests[at + 2] as number) << 16) |
      ((digests[at + 3] as number) << 24)) >>>
    0
  );
}
