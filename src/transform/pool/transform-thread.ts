import { Worker } from 'node:worker_threads';
import type { PlacedChunk } from '../../model/chunk.js';
import { MappingError, OptionError, ThreadDiedError } from '../../model/errors.js';
import type { SurveyedChunk } from '../compile-transform.js';
import type { TransformPlan } from '../transform-record.js';
import type {
  CrossingChunk,
  FailedReply,
  TransformedReply,
  TransformReply,
  TransformRequest,
} from './run-transform.js';

/** Module that a thread runs: the compiled one, even where tests run the TypeScript sources. */
const FILE = new URL('../../../dist/transform/pool/run-transform.js', import.meta.url);

/** Settings of a thread; only tests use others than the default. */
export interface ThreadSettings {
  readonly file: URL;
  readonly maxHeapMib: number;
}

/** A chunk takes some 20 MiB, a record of 1 MiB some 30; exceeding this limit means a fault. */
const DEFAULT_SETTINGS: ThreadSettings = { file: FILE, maxHeapMib: 1024 };
/**
 * Limit of V8's young generation. A larger one made threads no faster, and transferred memory was
 * freed later: with 32, a process took some 35 MiB more.
 */
const YOUNG_MIB = 12;

/** A chunk whose bytes the thread has. */
interface SentChunk {
  readonly chunk: CrossingChunk;
}

interface Waiting extends SentChunk {
  readonly resolve: (transformed: SurveyedChunk) => void;
  readonly reject: (error: unknown) => void;
}

export class TransformThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #plan: TransformPlan | undefined;
  #ended: { readonly error: unknown } | undefined;

  constructor({ file, maxHeapMib }: ThreadSettings = DEFAULT_SETTINGS) {
    this.#worker = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.#worker.on('message', (reply: TransformReply) => this.#settle(reply));
    let reason: string | undefined;
    // Earlier replies may arrive after `error`, but not after `exit`.
    this.#worker.on('error', (error) => {
      reason = exitReason(error, maxHeapMib);
    });
    this.#worker.on('exit', (code) => this.#die(reason ?? `it ended with exit code ${code}`));
  }

  get load(): number {
    return this.#waiting.length;
  }

  /**
   * Transforms a chunk, whose bytes are transferred. Rejects with the thread's error or the reason
   * of its death.
   */
  transform(chunk: CrossingChunk, plan: TransformPlan): Promise<SurveyedChunk> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended.error);
      this.#waiting.push({ chunk: { ...chunk, bytes: NO_BYTES }, resolve, reject });
      const changed = plan === this.#plan ? {} : { plan };
      this.#plan = plan;
      const request = { ...toRequest(chunk, plan), ...changed };
      this.#worker.postMessage(request, [chunk.bytes.buffer as ArrayBuffer]);
    });
  }

  /** Stops it at once; pending chunks are rejected with the reason. */
  async stop(reason: unknown): Promise<void> {
    this.#end(reason);
    await this.#worker.terminate();
  }

  #settle(reply: TransformReply): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    if (reply.kind === 'failed') waiting.reject(failedError(reply));
    else waiting.resolve(unpack(reply, waiting));
  }

  #die(reason: string): void {
    const [at] = this.#waiting;
    this.#end(new ThreadDiedError(deathOf(reason, at?.chunk)));
  }

  #end(error: unknown): void {
    this.#ended ??= { error };
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended.error);
  }
}

const NO_BYTES = new Uint8Array();

function unpack(
  { kind: _, bytes, documents, ...rest }: TransformedReply,
  sent: SentChunk,
): SurveyedChunk {
  const chunk = placedChunk(sent, bytes);
  return { ...rest, chunk, documents: { chunk, ...documents } };
}

function toRequest(chunk: CrossingChunk, { retainBytes }: TransformPlan): TransformRequest {
  // The lines of its records are remembered here and need not be sent.
  const { recordLines, ...crossing } = chunk;
  // Rejects keep their bytes, which identify the original records.
  const isOfRejects = chunk.layout.header === 'rejects';
  const releases = retainBytes === false && recordLines !== undefined && !isOfRejects;
  return { chunk: crossing, wantsBytes: !releases };
}

function placedChunk({ chunk }: SentChunk, bytes: Uint8Array | undefined): PlacedChunk {
  if (bytes !== undefined) return { ...chunk, bytes };
  const { bytes: _, ...known } = chunk;
  return { ...known, kind: 'released' };
}

function failedError({ name, message, stack }: FailedReply): Error {
  // Errors raised on purpose; all others are bugs.
  if (name === 'MappingError') return new MappingError(message);
  if (name === 'OptionError') return new OptionError(message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

function exitReason(error: NodeJS.ErrnoException, maxHeapMib: number): string {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? `it needed more than ${maxHeapMib} MiB of memory`
    : error.message;
}

function deathOf(reason: string, chunk: CrossingChunk | undefined): string {
  if (chunk === undefined) return `a worker thread died before it started: ${reason}`;
  const { source, position } = chunk;
  const { record, line, byte } = position;
  return `a worker thread died while it transformed ${source}, from record ${record} on (line ${line}, byte ${byte}): ${reason}`;
}
