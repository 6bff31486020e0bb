import { type MessagePort, parentPort } from 'node:worker_threads';
import type { BrokenChunk, BytesChunk, Chunk } from '../../model/chunk.js';
import type { Documents } from '../../model/documents.js';
import { compileTransform, type SurveyedChunk } from '../compile-transform.js';
import { allocateReused, loadHashes } from '../serialise.js';
import type { TransformPlan } from '../transform-record.js';

/** Entry point of worker threads: answers every chunk with its documents, in order. */
if (parentPort) serveTransforms(parentPort);

function serveTransforms(port: MessagePort): void {
  let compiled: Promise<(chunk: Chunk) => SurveyedChunk> | undefined;
  // Start loading early; an error surfaces with the first chunk.
  loadHashes().catch(() => {});
  port.on('message', async (request: TransformRequest) => {
    try {
      if (request.plan !== undefined) compiled = compileTransform(request.plan, allocateReused());
      // All requests await the same promise, so they stay in order.
      const transform = await compiled;
      if (transform === undefined) throw new Error('A chunk came before any plan.');
      const { reply, transfer } = replyOf(request, transform(request.chunk));
      port.postMessage(reply, transfer);
    } catch (error) {
      port.postMessage(failure(error));
    }
  });
}

/** Builds a reply that transfers memory; memory shared with later documents is copied. */
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

/** Chunks that can be sent to threads; their bytes are transferred, so the sender loses them. */
export type CrossingChunk = BytesChunk | BrokenChunk;

export interface TransformRequest {
  /** Plan for this and later chunks; sent with the first chunk and when it changes. */
  readonly plan?: TransformPlan;
  /** Without `recordLines`, which the sender remembers. */
  readonly chunk: CrossingChunk;
  readonly wantsBytes: boolean;
}

export type TransformReply = TransformedReply | FailedReply;

export interface TransformedReply extends Omit<SurveyedChunk, 'chunk' | 'documents'> {
  readonly kind: 'transformed';
  readonly bytes: Uint8Array | undefined;
  readonly documents: Omit<Documents, 'chunk'>;
}

/** An error of the transform, as a value, because errors lose their class when sent. */
export interface FailedReply {
  readonly kind: 'failed';
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}
