/** What crosses between the main thread and one that transforms. */

import type { SurveySummary } from '../../coverage/survey.js';
import type { BrokenChunk, BytesChunk } from '../../model/chunk.js';
import type { InvalidRecord, UndecodableColumn } from '../../model/documents.js';
import type { PackedDocuments } from './pack-documents.js';

/** Chunks that can cross; their bytes go along, and are gone where they came from. */
export type CrossingChunk = BytesChunk | BrokenChunk;

/** The answer to a chunk. Answers come in the order of the chunks. */
export type Reply = TransformedReply | FailedReply;

/** What became of a chunk. */
export interface TransformedReply {
  readonly kind: 'transformed';
  /** The chunk's bytes on their way back. */
  readonly bytes: Uint8Array;
  readonly documents: PackedDocuments;
  readonly invalid: readonly InvalidRecord[];
  readonly skipped: number;
  readonly undecodable: readonly UndecodableColumn[];
  readonly survey: SurveySummary | undefined;
}

/** What the transform threw. Errors lose their class on the way, so they cross as values. */
export interface FailedReply {
  readonly kind: 'failed';
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}
