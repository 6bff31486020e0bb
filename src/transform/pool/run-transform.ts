import { type MessagePort, parentPort } from 'node:worker_threads';
import type { BrokenChunk, BytesChunk, Chunk } from '../../model/chunk.js';
import type { Documents } from '../../model/documents.js';
import { compileTransform, type SurveyedChunk } from '../compile-transform.js';
import { loadHashes, reusedRoom } from '../serialise.js';
import type { TransformPlan } from '../transform-record.js';

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

/** Hands the memory over; what is shared with the next chunk's documents, or with others, is copied. */
function replyOf(
  { chunk: { bytes }, wantsBytes }: TransformRequest,
  { chunk: _, documents: { chunk: __, ...made }, ...rest }: SurveyedChunk,
): { reply: TransformReply; transfer: ArrayBuffer[] } {
  const documents = { ...made, bytes: new Uint8Array(made.bytes), ids: new Uint8Array(made.ids) };
  const parts = [...Object.values(documents), ...(wantsBytes ? [bytes] : [])];
  return {
    reply: { kind: 'transformed', bytes: wantsBytes ? bytes : undefined, documents, ...rest },
    transfer: [...new Set(parts.map(({ buffer }) => buffer as ArrayBuffer))],
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
export interface TransformedReply extends Omit<SurveyedChunk, 'chunk' | 'documents'> {
  readonly kind: 'transformed';
  /** The chunk's, unless they are given up. */
  readonly bytes: Uint8Array | undefined;
  readonly documents: Omit<Documents, 'chunk'>;
}

/** What the transform threw. Errors lose their class on the way, so they cross as values. */
export interface FailedReply {
  readonly kind: 'failed';
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}
