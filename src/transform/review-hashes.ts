import { givesHash } from '../mapping/compile/hashed-id.js';
import type { Mapping } from '../mapping/mapping.js';
import { type ReviewFields, reviewFields } from '../mapping/review-fields.js';
import type { ImportedDocument } from '../model/document.js';
import { textsHash } from './content-hash.js';

/**
 * Rows of hashes, one for each document of a chunk: of what identifies its review, and of each field
 * that may change. Only where the mapping hashes ids, or says `duplicates: same-review`.
 */
export class ReviewHashes {
  /** Words of a row; 0 if no reviews are compared. */
  readonly width: number;
  readonly #fields: ReviewFields;
  readonly #ofAll: boolean;

  constructor({ document, duplicates }: Pick<Mapping, 'document' | 'duplicates'>) {
    this.#fields = reviewFields({ document });
    this.#ofAll = duplicates === 'same-review';
    const used = this.#ofAll || givesHash(document.sourceId);
    this.width = used ? 1 + this.#fields.others.length : 0;
  }

  /**
   * Writes a document's row, if it is to be compared by its review.
   * @param hashedId whether its sourceId is a hash that the mapping made
   */
  write(rows: Uint32Array, at: number, document: ImportedDocument, hashedId: boolean): void {
    if (!hashedId && !this.#ofAll) return;
    const { identifying, others } = this.#fields;
    const start = at * this.width;
    // 0 would mean that the whole document is compared.
    rows[start] = Number(textsHash(identifying.map(({ read }) => read(document))) >> 32n) || 1;
    for (const [index, { read }] of others.entries()) {
      rows[start + 1 + index] = shortHash(read(document));
    }
  }
}

/** FNV-1a over UTF-16: these texts are short, and two of them are compared at a time. */
function shortHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 16)) >>> 0;
}
