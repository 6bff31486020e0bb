/**
 * Documents on their way: serialised once, where they are made, and from then on only bytes with
 * offsets. All of it is plain data, so that a worker thread can hand it over.
 */
import { Buffer } from 'node:buffer';
import type { PlacedChunk } from './chunk.js';
import type { Problem } from './record.js';

/** The documents that a chunk's records became, in source order. */
export interface Documents {
  readonly chunk: PlacedChunk;
  /**
   * The documents as JSON in UTF-8, a comma after each, so that neighbours need no joining. Empty
   * if they won't be sent.
   */
  readonly bytes: Uint8Array;
  /** Where each document ends in `bytes` (exclusive, without its comma). */
  readonly ends: Uint32Array;
  /** Which record of the chunk each document comes from, from 0. */
  readonly records: Uint32Array;
  /**
   * The sourceIds as JSON in UTF-8, a comma after each; `null` where the user's own schema lets a
   * document go without one. Most of them only go into the journal.
   */
  readonly ids: Uint8Array;
  /** Where each sourceId ends in `ids` (exclusive, without its comma). */
  readonly idEnds: Uint32Array;
  /** Two words for each document: the hash of its sourceId; both 0 if it has none. */
  readonly idHashes: Uint32Array;
  /**
   * {@link DIGEST_BYTES} bytes for each document: a hash of its content, `downloaded` left out. They
   * are aligned to words.
   */
  readonly digests: Uint8Array;
  /**
   * For each document that is compared by its review, as its sourceId is a hash that the mapping
   * made or the mapping says `duplicates: same-review`: a hash of what identifies the review, then
   * one of each field that may change (`reviewFields`). Words of 0 for other documents; empty if
   * there are only such.
   */
  readonly reviews: Uint32Array;
  /** When each was published, in milliseconds since 1970; NaN if the document doesn't say. */
  readonly published: Float64Array;
}

/** Length of one entry of {@link Documents.digests}. */
export const DIGEST_BYTES = 8;

/** A record that can't be sent, and everything that is wrong with it. */
export interface InvalidRecord {
  /** Which record of the chunk, from 0. */
  readonly index: number;
  readonly problems: readonly Problem[];
}

/** What became of a chunk's records: each is a document, invalid, or skipped. */
export interface TransformedChunk {
  readonly chunk: PlacedChunk;
  readonly documents: Documents;
  readonly invalid: readonly InvalidRecord[];
  readonly skipped: number;
}

/** Neighbouring documents of one chunk: `from` inclusive, `to` exclusive. */
export interface DocumentRange {
  readonly documents: Documents;
  readonly from: number;
  readonly to: number;
}

/** Where document `index` starts in `documents.bytes`. */
export function startOf(documents: Documents, index: number): number {
  return index === 0 ? 0 : endOf(documents, index - 1) + 1;
}

/** Where document `index` ends in `documents.bytes`, without its comma. */
export function endOf(documents: Documents, index: number): number {
  return documents.ends[index] as number;
}

/** The bytes of a range, the commas between its documents included. */
export function rangeBytes({ documents, from, to }: DocumentRange): Uint8Array {
  return documents.bytes.subarray(startOf(documents, from), endOf(documents, to - 1));
}

/** The sourceIds of a range as a JSON list without its brackets, in UTF-8. */
export function idsJson({ documents: { ids, idEnds }, from, to }: DocumentRange): Uint8Array {
  return ids.subarray(from === 0 ? 0 : (idEnds[from - 1] as number) + 1, idEnds[to - 1]);
}

/** {@link DIGEST_BYTES} bytes for each document of a range: the hash of its sourceId, and that of its content. */
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

/** The sourceIds of a range. */
export function sourceIdsOf(range: DocumentRange): readonly (string | null)[] {
  return parseIds(idsJson(range));
}

/** The sourceIds in what {@link idsJson} gives. */
export function parseIds({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array): readonly (string | null)[] {
  return JSON.parse(`[${Buffer.from(buffer, byteOffset, byteLength).toString('utf8')}]`);
}

/** A document's sourceId; `null` if it has none. */
export function sourceIdOf(documents: Documents, index: number): string | null {
  return sourceIdsOf({ documents, from: index, to: index + 1 })[0] ?? null;
}

/** The documents of one request. */
export interface Batch {
  readonly ranges: readonly DocumentRange[];
  /** How many documents it holds. */
  readonly count: number;
  /** Size of its JSON in bytes, commas included. */
  readonly bytes: number;
  /** Why its documents may have been taken before, as half a sentence; otherwise it is to be sent. */
  readonly unconfirmed?: string;
}

/** Documents as a batch; no byte is copied. */
export function batchOf(ranges: readonly DocumentRange[]): Batch {
  let count = 0;
  let bytes = Math.max(0, ranges.length - 1);
  for (const { documents, from, to } of ranges) {
    count += to - from;
    bytes += endOf(documents, to - 1) - startOf(documents, from);
  }
  return { ranges, count, bytes };
}

/** The first and the last moment at which some documents were published, as ISO 8601 in UTC. */
export interface PublishedWindow {
  readonly from: string;
  readonly to: string;
}

/**
 * When a batch's documents were published: where to look for them. `null` if one of them doesn't
 * say, since then there is no window that holds all of them.
 */
export function publishedWindow({ ranges }: Pick<Batch, 'ranges'>): PublishedWindow | null {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { documents, from, to } of ranges) {
    for (let document = from; document < to; document += 1) {
      const published = documents.published[document] as number;
      if (Number.isNaN(published)) return null;
      if (published < first) first = published;
      if (published > last) last = published;
    }
  }
  return { from: new Date(first).toISOString(), to: new Date(last).toISOString() };
}
