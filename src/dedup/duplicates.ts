import type { DocumentRange, Documents } from '../model/documents.js';
import { thousands } from '../model/figures.js';
import { type Problem, withRemedy } from '../model/record.js';
import type { DedupIndex } from './dedup-index.js';

/** A document whose sourceId occurred before in the run. */
export interface Duplicate {
  /** Index of the document in its {@link Documents}. */
  readonly document: number;
  /** `invalid`: the content differs, or the review where reviews are compared. */
  readonly outcome: 'duplicate' | 'invalid';
  /** Number of the first document's record in the run, from 0. */
  readonly previous: number;
  /**
   * If reviews are compared: indexes of the fields that differ between two records of the same
   * review (`reviewFields`). Absent where whole documents are compared, and where it isn't known.
   */
  readonly differing?: readonly number[] | undefined;
}

/** A chunk's documents, split by whether their sourceId is new. */
export interface PartitionedDocuments {
  readonly unique: readonly DocumentRange[];
  readonly duplicates: readonly Duplicate[];
}

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

/** 8 MiB, enough for half a million records of eight fields. */
const MAX_ENTRIES = 4 * 1024 * 1024;

/**
 * 16-bit hashes of the fields that may change while a review stays the same, for the first documents
 * of a run: they show what differs in a duplicate. Documents beyond the limit are not stored.
 */
export class FirstFields {
  // The system provides memory only for what is written.
  readonly #entries = new Uint16Array(MAX_ENTRIES);

  /** @param fields a hash of each field */
  store(ordinal: number, fields: Uint32Array): void {
    const start = ordinal * fields.length;
    if (start + fields.length <= MAX_ENTRIES) this.#entries.set(fields, start);
  }

  /**
   * Indexes of the fields that differ from those of an earlier document.
   * @returns `undefined` if that was not stored
   */
  differing(ordinal: number, fields: Uint32Array): readonly number[] | undefined {
    const start = ordinal * fields.length;
    if (start + fields.length > MAX_ENTRIES) return undefined;
    const stored = this.#entries.subarray(start, start + fields.length);
    return [...fields.keys()].filter((at) => stored[at] !== ((fields[at] as number) & 0xffff));
  }
}

export interface DuplicatesSnapshot {
  /** Number of duplicates that differ from the first record of their review. */
  readonly differing: number;
  readonly differences: readonly (readonly [field: string, count: number])[];
}

/** Problems of records whose sourceId occurred before, and counts of the fields that differ. */
export class DuplicateProblems {
  readonly #fields: readonly string[];
  readonly #comparesReviews: boolean;
  readonly #differences = new Map<string, number>();
  #differing = 0;

  /**
   * @param fields names of the fields that may change while a review stays the same
   * @param comparesReviews whether the mapping has `duplicates: same-review`
   */
  constructor(fields: readonly string[], comparesReviews = false) {
    this.#fields = fields;
    this.#comparesReviews = comparesReviews;
  }

  /** @param previous names the record that had the same sourceId first */
  problemOf(
    { outcome, differing = [] }: Pick<Duplicate, 'outcome' | 'differing'>,
    sourceId: string | null,
    previous: string,
  ): Problem {
    const id = JSON.stringify(sourceId);
    if (outcome === 'invalid') {
      const remedy = `${REPEATED_ID_REMEDY}${this.#comparesReviews ? '' : OVERLAP_REMEDY}`;
      const reason = `${id} occurred before with other content, in ${previous}`;
      return { kind: 'repeated-id', field: 'sourceId', ...withRemedy(reason, remedy) };
    }
    const names = differing.map((index) => this.#fields[index] as string);
    const message =
      names.length === 0
        ? `${id} occurred before with the same content, in ${previous}`
        : `${id} occurred before in ${previous}: it is the same review, and differs in ${names.join(', ')}`;
    if (names.length > 0) this.merge({ differing: 1, differences: names.map((name) => [name, 1]) });
    return { kind: 'duplicate', field: 'sourceId', message };
  }

  snapshot(): DuplicatesSnapshot {
    return { differing: this.#differing, differences: [...this.#differences] };
  }

  /** Adds the counts of another part of the run; the parts come in reading order. */
  merge({ differing, differences }: DuplicatesSnapshot): void {
    this.#differing += differing;
    for (const [name, count] of differences) {
      this.#differences.set(name, (this.#differences.get(name) ?? 0) + count);
    }
  }

  notices(): readonly string[] {
    if (this.#differing === 0) return [];
    const fields = [...this.#differences]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} (${thousands(count)})`);
    const who = this.#differing === 1 ? 'duplicate differs' : 'duplicates differ';
    return [
      `${thousands(this.#differing)} ${who} from the first record of the same review in ${fields.join(', ')}: the first one is imported.`,
    ];
  }
}

const REPEATED_ID_REMEDY =
  "check that it is the review's own id. If not, map another column, or a hash of more columns";
const OVERLAP_REMEDY =
  '. If it is, and exports overlap, add "duplicates: same-review" at the top of the mapping';
