import { Buffer } from 'node:buffer';
import { hashValues } from '../mapping/steps/several.js';
import { DIGEST_BYTES, type Documents, endOf, sourceIdOf, startOf } from '../model/documents.js';
import { idHash } from './content-hash.js';
import { writeIds } from './serialise.js';

/**
 * One document alone, with an id that takes in what makes a review this one: for a review whose
 * hash another review has. The id is the same in every run in which it is needed, as it follows
 * from nothing but the record and the mapping; so it must never change, either.
 */
export function tellApart(documents: Documents, index: number): Documents {
  const sourceId = sourceIdOf(documents, index) ?? '';
  const review = rowOf(documents.reviews, documents, index);
  const own = hashValues([sourceId, reviewText(review)]) as string;
  const { bytes, ends } = withId(documents, index, { from: sourceId, to: own });
  return {
    chunk: documents.chunk,
    bytes,
    ends,
    records: documents.records.slice(index, index + 1),
    ...writeIds([own]),
    idHashes: new Uint32Array(BigUint64Array.of(idHash(own)).buffer),
    shared: { id: sourceId, idHashes: documents.idHashes.slice(2 * index, 2 * index + 2) },
    digests: documents.digests.slice(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES),
    reviews: review,
    published: documents.published.slice(index, index + 1),
  };
}

function rowOf(rows: Uint32Array, { ends }: Documents, index: number): Uint32Array {
  const width = rows.length / ends.length;
  return rows.slice(index * width, (index + 1) * width);
}

/** The two words of the review's hash. */
function reviewText(row: Uint32Array): string {
  return [...row.subarray(0, 2)].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** The document with another id. It has no bytes if it won't be sent, but it has a size. */
function withId(
  documents: Documents,
  index: number,
  { from, to }: { readonly from: string; readonly to: string },
): Pick<Documents, 'bytes' | 'ends'> {
  const [start, end] = [startOf(documents, index), endOf(documents, index)];
  if (documents.bytes.length === 0) {
    const longer = Buffer.byteLength(JSON.stringify(to)) - Buffer.byteLength(JSON.stringify(from));
    return { bytes: documents.bytes, ends: Uint32Array.of(end - start + longer) };
  }
  const json = Buffer.from(documents.bytes.subarray(start, end)).toString('utf8');
  const changed = JSON.stringify({ ...(JSON.parse(json) as object), sourceId: to });
  const bytes = Buffer.from(`${changed},`, 'utf8');
  return { bytes, ends: Uint32Array.of(bytes.length - 1) };
}
