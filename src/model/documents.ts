/**
 * Documents in the pipeline: serialised once, in the transform, and from then on bytes with
 * offsets. All types are plain data, so that worker threads can send them.
 */
import { Buffer } from 'node:buffer';
import type { PlacedChunk } from './chunk.js';
import type { Problem, SkipCount } from './record.js';

/** Documents of a chunk, in source order. */
export interface Documents {
  readonly chunk: PlacedChunk;
  /**
   * Documents as JSON in UTF-8, each followed by a comma, so that neighbours need no joining. Empty
   * if they won't be sent.
   */
  readonly bytes: Uint8Array;
  /** End of each document in `bytes` (exclusive, without its comma); 0 if they won't be sent. */
  readonly ends: Uint32Array;
  /** Index of each document's record in the chunk, from 0. */
  readonly records: Uint32Array;
  /**
   * SourceIds as JSON in UTF-8, each followed by a comma; `null` where a user's own schema allows
   * documents without one. They stay serialised because most of them only go into the journal.
   */
  readonly ids: Uint8Array;
  /** End of each sourceId in `ids` (exclusive, without its comma). */
  readonly idEnds: Uint32Array;
  /** Hash of each document's sourceId, two 32-bit words; both 0 without a sourceId. */
  readonly idHashes: Uint32Array;
  /**
   * Hash of each document's content without `downloaded`, {@link DIGEST_BYTES} bytes each, aligned
   * to 32-bit words.
   */
  readonly digests: Uint8Array;
  /**
   * Hash of what identifies the review (`reviewFields`), for each document that is compared by it,
   * because the mapping computed its sourceId as a hash or has `duplicates: same-review`; 0 for other
   * documents. Empty if no document is compared.
   */
  readonly reviews: Uint32Array;
  /** Publication time of each document, in milliseconds since 1970; NaN if absent. */
  readonly published: Float64Array;
}

/** Length of an entry of {@link Documents.digests}. */
export const DIGEST_BYTES = 8;

/** A record that can't be sent, with all its problems. */
export interface InvalidRecord {
  /** Index of the record in the chunk, from 0. */
  readonly index: number;
  readonly problems: readonly Problem[];
}

/** Result of transforming a chunk: each record is a document, invalid, or skipped. */
export interface TransformedChunk {
  readonly chunk: PlacedChunk;
  readonly documents: Documents;
  readonly invalid: readonly InvalidRecord[];
  readonly skips: readonly SkipCount[];
}

export interface DocumentRange {
  readonly documents: Documents;
  readonly from: number;
  readonly to: number;
}

/** Offset of document `index` in `documents.bytes`. */
export function startOf(documents: Documents, index: number): number {
  return index === 0 ? 0 : endOf(documents, index - 1) + 1;
}

/** End of document `index` in `documents.bytes`, without its comma. */
export function endOf(documents: Documents, index: number): number {
  return documents.ends[index] as number;
}

/** Bytes of a range, including the commas between its documents. */
export function rangeBytes({ documents, from, to }: DocumentRange): Uint8Array {
  return documents.bytes.subarray(startOf(documents, from), endOf(documents, to - 1));
}

/** SourceIds of a range as a JSON list without its brackets, in UTF-8. */
export function idsJson({ documents: { ids, idEnds }, from, to }: DocumentRange): Uint8Array {
  return ids.subarray(from === 0 ? 0 : (idEnds[from - 1] as number) + 1, idEnds[to - 1]);
}

/** Hashes of the sourceIds and contents of a range, {@link DIGEST_BYTES} bytes each. */
export function hashesOf({ documents: { idHashes, digests }, from, to }: DocumentRange): {
  readonly idHashes: Uint8Array;
  readonly digests: Uint8Array;
} {
  const [start, length] = [from * DIGEST_BYTES, (to - from) * DIGEST_BYTES];
  return {
    idHashes: new Uint8Array(idHashes.buffer, idHashes.byteOffset + start, length),
    digests: digests.subarray(start, start + length),
  };
}

export function sourceIdsOf(range: DocumentRange): readonly (string | null)[] {
  return parseIds(idsJson(range));
}

export function parseIds({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array): readonly (string | null)[] {
  return JSON.parse(`[${Buffer.from(buffer, byteOffset, byteLength).toString('utf8')}]`);
}

/** Returns a document's sourceId; `null` if it has none. */
export function sourceIdOf(documents: Documents, index: number): string | null {
  return sourceIdsOf({ documents, from: index, to: index + 1 })[0] ?? null;
}

export interface Batch {
  readonly ranges: readonly DocumentRange[];
  readonly count: number;
  /** Size of its JSON in bytes, commas included. */
  readonly bytes: number;
  /**
   * Reason why the service may have accepted its documents already, as a clause; absent for a batch to be
   * sent.
   */
  readonly unconfirmed?: string;
  /** An earlier run sent these sourceIds with other content, which is what the service shows of them. */
  readonly sentOther?: true | undefined;
  /** Number of its request in the journal; absent before it is journaled. */
  readonly intent?: number | undefined;
}

export function batchOf(ranges: readonly DocumentRange[]): Batch {
  let count = 0;
  let bytes = Math.max(0, ranges.length - 1);
  for (const { documents, from, to } of ranges) {
    count += to - from;
    bytes += endOf(documents, to - 1) - startOf(documents, from);
  }
  return { ranges, count, bytes };
}

/** Earliest and latest publication time of some documents, ISO 8601 in UTC. */
export interface PublishedWindow {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the publication window of a batch, in which the service can be searched for them. `null` if
 * a document has no date, because then no window holds all of them.
 */
export function publishedWindow({ ranges }: Pick<Batch, 'ranges'>): PublishedWindow | null {
  return windowOf(ranges.map(({ documents, from, to }) => documents.published.subarray(from, to)));
}

/** @param times publication times, in milliseconds since 1970; NaN if absent */
export function windowOf(times: readonly Float64Array[]): PublishedWindow | null {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const part of times) {
    for (const published of part) {
      if (Number.isNaN(published)) return null;
      if (published < first) first = published;
      if (published > last) last = published;
    }
  }
  return { from: new Date(first).toISOString(), to: new Date(last).toISOString() };
}

/** Document that the service acknowledged. */
export interface Acknowledged {
  readonly sourceId: string;
  /** Its time of publication or, where that isn't known, the span of its whole request; `null` if unknown. */
  readonly published: PublishedWindow | null;
  /** Time of the acknowledgement, in milliseconds since 1970. */
  readonly acknowledgedMs: number;
  readonly request: {
    /** Span in which its documents were published; `null` if unknown. */
    readonly published: PublishedWindow | null;
    /** Its documents that have a sourceId. */
    readonly documents: () => readonly Pick<Acknowledged, 'sourceId' | 'published'>[];
  };
}
