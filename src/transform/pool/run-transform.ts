import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { SurveySummary } from '../../coverage/survey.js';
import type { BrokenChunk, BytesChunk, Chunk } from '../../model/chunk.js';
import type { InvalidRecord, UndecodableColumn } from '../../model/documents.js';
import { compileTransform, type SurveyedChunk } from '../compile-transform.js';
import { reusedRoom } from '../serialise.js';
import type { TransformPlan } from '../transform-record.js';
import { type PackedDocuments, packDocuments } from './pack-documents.js';

/** What a worker thread runs: it answers every chunk with its documents, in order. */
if (parentPort) serve(parentPort, workerData as TransformPlan);

function serve(port: MessagePort, plan: TransformPlan): void {
  let compiled: Promise<(chunk: Chunk) => SurveyedChunk> | undefined;
  // All of them wait for the same promise, so their order stays.
  port.on('message', async (chunk: CrossingChunk) => {
    try {
      compiled ??= compileTransform(plan, reusedRoom());
      const transform = await compiled;
      const { reply, transfer } = replyOf(chunk, transform(chunk));
      port.postMessage(reply, transfer);
    } catch (error) {
      port.postMessage(failure(error));
    }
  });
}

function replyOf(
  { bytes }: CrossingChunk,
  { documents, invalid, skipped, undecodable, survey }: SurveyedChunk,
): { reply: TransformReply; transfer: ArrayBuffer[] } {
  const packed = packDocuments(documents);
  return {
    reply: { kind: 'transformed', bytes, documents: packed, invalid, skipped, undecodable, survey },
    transfer: [bytes.buffer as ArrayBuffer, packed.buffer],
  };
}

function failure(error: unknown): TransformReply {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'failed', name, message, stack };
}

/** Chunks that can cross; their bytes go along, and are gone where they came from. */
export type CrossingChunk = BytesChunk | BrokenChunk;

/** The answer to a chunk. Answers come in the order of the chunks. */
export type TransformReply = TransformedReply | FailedReply;

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
