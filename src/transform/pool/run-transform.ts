import { type MessagePort, parentPort } from 'node:worker_threads';
import type { AbsentColumns } from '../../coverage/absent-columns.js';
import type { SurveySummary } from '../../coverage/survey.js';
import type { BrokenChunk, BytesChunk, Chunk } from '../../model/chunk.js';
import type { InvalidRecord } from '../../model/documents.js';
import { compileTransform, type SurveyedChunk } from '../compile-transform.js';
import { loadHashes, reusedRoom } from '../serialise.js';
import type { TransformPlan } from '../transform-record.js';
import { type PackedDocuments, packDocuments } from './pack-documents.js';

/** What a worker thread runs: it answers every chunk with its documents, in order. */
if (parentPort) serve(parentPort);

function serve(port: MessagePort): void {
  let compiled: Promise<(chunk: Chunk) => SurveyedChunk> | undefined;
  // While the mapping may still be read. Should it fail, the first chunk tells.
  loadHashes().catch(() => {});
  port.on('message', async (request: TransformRequest) => {
    try {
      if (request.plan !== undefined) compiled = compileTransform(request.plan, reusedRoom());
      // All of them wait for the same promise, so their order stays.
      const transform = await compiled;
      if (transform === undefined) throw new Error('A chunk came before any plan.');
      const { reply, transfer } = replyOf(request, transform(request.chunk));
      port.postMessage(reply, transfer);
    } catch (error) {
      port.postMessage(failure(error));
    }
  });
}

function replyOf(
  { chunk, wantsBytes }: TransformRequest,
  { documents, invalid, skipped, survey, absent }: SurveyedChunk,
): { reply: TransformReply; transfer: ArrayBuffer[] } {
  const packed = packDocuments(documents);
  const bytes = wantsBytes ? chunk.bytes : undefined;
  return {
    reply: { kind: 'transformed', bytes, documents: packed, invalid, skipped, survey, absent },
    transfer: bytes === undefined ? [packed.buffer] : [bytes.buffer as ArrayBuffer, packed.buffer],
  };
}

function failure(error: unknown): TransformReply {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'failed', name, message, stack };
}

/** Chunks that can cross; their bytes go along, and are gone where they came from. */
export type CrossingChunk = BytesChunk | BrokenChunk;

/** A chunk on its way to a thread. */
export interface TransformRequest {
  /** What becomes of it and of those after it; with the first one, and when it changes. */
  readonly plan?: TransformPlan;
  /** Without its records' lines: where the chunk comes from, they are known. */
  readonly chunk: CrossingChunk;
  /** Whether it shall come back with its bytes. */
  readonly wantsBytes: boolean;
}

/** The answer to a chunk. Answers come in the order of the chunks. */
export type TransformReply = TransformedReply | FailedReply;

/** What became of a chunk. */
export interface TransformedReply {
  readonly kind: 'transformed';
  /** The chunk's, unless they are given up. */
  readonly bytes: Uint8Array | undefined;
  readonly documents: PackedDocuments;
  readonly invalid: readonly InvalidRecord[];
  readonly skipped: number;
  readonly survey: SurveySummary | undefined;
  readonly absent: AbsentColumns | null;
}

/** What the transform threw. Errors lose their class on the way, so they cross as values. */
export interface FailedReply {
  readonly kind: 'failed';
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}
