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
  /** Whether it is the same review, as far as is known with other values in other fields. */
  readonly differs: boolean;
}

/** A chunk's documents, split by whether their sourceId is new. */
export interface PartitionedDocuments {
  readonly unique: readonly DocumentRange[];
  readonly duplicates: readonly Duplicate[];
}

export interface DedupState {
  readonly index: DedupIndex;
  readonly firstContents: FirstContents;
}

/**
 * Splits documents into those whose sourceId is new, as ranges of neighbours, and the others.
 * @param firstOrdinal number of the chunk's first record in the whole run, from 0
 * @throws TooManyIdsError
 */
export function partitionDuplicates(
  documents: Documents,
  { index, firstContents }: DedupState,
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
    const whole = contents[2 * document] as number;
    const review = reviews[document] ?? 0;
    const previous = index.insert(high, low, review || whole, ordinal);
    if (previous === undefined) {
      if (review !== 0) firstContents.store(ordinal, whole);
      continue;
    }
    if (document > from) unique.push({ documents, from, to: document });
    from = document + 1;
    const { same } = previous;
    const differs = same && review !== 0 && firstContents.differs(previous.ordinal, whole);
    const outcome = same ? 'duplicate' : 'invalid';
    duplicates.push({ document, outcome, previous: previous.ordinal, differs });
  }
  if (ends.length > from) unique.push({ documents, from, to: ends.length });
  return { unique, duplicates };
}

/** 8 MiB. */
const MAX_ENTRIES = 4 * 1024 * 1024;

/**
 * 16 bits of the contents of a run's first documents, which show whether a later record of the same
 * review differs. Documents beyond the limit are not stored, and don't differ.
 */
export class FirstContents {
  // The system provides memory only for what is written.
  readonly #entries = new Uint16Array(MAX_ENTRIES);

  store(ordinal: number, content: number): void {
    this.#entries[ordinal] = content;
  }

  differs(ordinal: number, content: number): boolean {
    return ordinal < MAX_ENTRIES && this.#entries[ordinal] !== (content & 0xffff);
  }
}

/** Problems of records whose sourceId occurred before. */
export class DuplicateProblems {
  readonly #comparesReviews: boolean;
  #differing = 0;

  /** @param comparesReviews whether the mapping has `duplicates: same-review` */
  constructor(comparesReviews = false) {
    this.#comparesReviews = comparesReviews;
  }

  /** Number of duplicates that differ from the first record of their review. */
  get differing(): number {
    return this.#differing;
  }

  /** @param previous names the record that had the same sourceId first */
  problemOf(
    { outcome, differs = false }: Pick<Duplicate, 'outcome'> & Partial<Pick<Duplicate, 'differs'>>,
    sourceId: string | null,
    previous: string,
  ): Problem {
    const id = JSON.stringify(sourceId);
    if (outcome === 'invalid') {
      const remedy = `${REPEATED_ID_REMEDY}${this.#comparesReviews ? '' : OVERLAP_REMEDY}`;
      const reason = `${id} occurred before with other content, in ${previous}`;
      return { kind: 'repeated-id', field: 'sourceId', ...withRemedy(reason, remedy) };
    }
    if (differs) this.#differing += 1;
    const message = differs
      ? `${id} occurred before in ${previous}: it has the same text, author, date and rating, and differs in other fields`
      : `${id} occurred before with the same content, in ${previous}`;
    return { kind: 'duplicate', field: 'sourceId', message };
  }

  /** Adds the number of another part of the run. */
  merge(differing: number): void {
    this.#differing += differing;
  }

  notices(): readonly string[] {
    if (this.#differing === 0) return [];
    const who = this.#differing === 1 ? 'duplicate differs' : 'duplicates differ';
    return [
      `${thousands(this.#differing)} ${who} from the first record of the same review in other fields than text, author, date and rating: the first one is imported.`,
    ];
  }
}

const REPEATED_ID_REMEDY =
  "check that it is the review's own id. If not, map another column, or a hash of more columns";
const OVERLAP_REMEDY =
  '. If it is, and exports overlap, add "duplicates: same-review" at the top of the mapping';
