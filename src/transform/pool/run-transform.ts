import { isAscii, isUtf8 } from 'node:buffer';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { SurveySummary } from '../../coverage/survey.js';
import type { BrokenChunk, BytesChunk, Chunk, PlacesChunk } from '../../model/chunk.js';
import type { InvalidRecord, UndecodableColumn } from '../../model/documents.js';
import { compileTransform, type SurveyedChunk } from '../compile-transform.js';
import { loadHashes } from '../content-hash.js';
import { reusedRoom } from '../serialise.js';
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
      const { reply, transfer } = replyOf(leftOf(request), transform(request.chunk));
      port.postMessage(reply, transfer);
    } catch (error) {
      port.postMessage(failure(error));
    }
  });
}

function replyOf(
  left: LeftOfChunk,
  { documents, invalid, skipped, undecodable, survey }: SurveyedChunk,
): { reply: TransformReply; transfer: ArrayBuffer[] } {
  const packed = packDocuments(documents);
  return {
    reply: { kind: 'transformed', left, documents: packed, invalid, skipped, undecodable, survey },
    transfer: 'bytes' in left ? [left.bytes.buffer as ArrayBuffer, packed.buffer] : [packed.buffer],
  };
}

/** The chunk's bytes, unless nobody wants them and all is well with them. */
function leftOf({ chunk: { bytes }, wantsBytes }: TransformRequest): LeftOfChunk {
  if (wantsBytes) return { bytes };
  if (isAscii(bytes)) return { beyondAscii: false };
  return isUtf8(bytes) ? { beyondAscii: true } : { bytes };
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

/** A chunk's bytes on their way back, or what is to be known of them where they are given up. */
export type LeftOfChunk = Pick<BytesChunk, 'bytes'> | Pick<PlacesChunk, 'beyondAscii'>;

/** The answer to a chunk. Answers come in the order of the chunks. */
export type TransformReply = TransformedReply | FailedReply;

/** What became of a chunk. */
export interface TransformedReply {
  readonly kind: 'transformed';
  readonly left: LeftOfChunk;
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
