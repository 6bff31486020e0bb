import { brokenSource } from '../../input/broken-input.js';
import type { Limits } from '../../input/limits.js';
import type { BrokenChunk, BytesChunk, Chunk, Position } from '../../model/chunk.js';
import type { ChunkSource } from '../format.js';
import { lengthProblem } from './broken-record.js';

/** What becomes of lines. */
export type LinesChunk = BytesChunk | BrokenChunk;

/** Gathers records that docferry itself writes as lines into chunks. */
export class LineCutter {
  readonly #source: ChunkSource;
  readonly #limits: Limits;
  #lines: string[] = [];
  #bytes = 0;
  #records = 0;
  /** Where the next chunk starts. */
  #start: Position;

  /** @param line the line (or row) that comes first, from 1 */
  constructor(source: ChunkSource, limits: Limits, line: number) {
    this.#source = source;
    this.#limits = limits;
    this.#start = { byte: 0, record: 1, line };
  }

  /** The source's name. */
  get source(): string {
    return this.#source.source;
  }

  /** Where the next record will stand. */
  get position(): Position {
    const { byte, record, line } = this.#start;
    return {
      byte: byte + this.#bytes,
      record: record + this.#records,
      line: line + this.#lines.length,
    };
  }

  /** Passes lines that are no records. */
  skip(lines: number): void {
    if (this.#lines.length === 0) {
      this.#start = { ...this.#start, line: this.#start.line + lines };
      return;
    }
    for (let skipped = 0; skipped < lines; skipped += 1) this.#lines.push('');
    this.#bytes += lines;
  }

  /**
   * Adds a record.
   * @param line without its end, and without line ends inside
   * @param kept what of it is given back if it is too long
   * @returns the chunks that are whole now
   */
  add(line: string, kept: () => string = () => line): readonly LinesChunk[] {
    const { maxRecordBytes, chunkBytes } = this.#limits;
    const bytes = Buffer.byteLength(line);
    if (bytes > maxRecordBytes) return [...this.flush(), this.#tooLong(kept())];
    this.#lines.push(line);
    this.#bytes += bytes + 1;
    this.#records += 1;
    return this.#bytes >= chunkBytes ? this.flush() : [];
  }

  /** The chunk of the records that have been added since the last one, if there are any. */
  flush(): readonly LinesChunk[] {
    const position = this.#start;
    const records = this.#records;
    const bytes = ownBytes(`${this.#lines.join('\n')}\n`, this.#bytes);
    this.#start = this.position;
    this.#lines = [];
    this.#bytes = 0;
    this.#records = 0;
    return records === 0 ? [] : [{ kind: 'bytes', ...this.#source, position, records, bytes }];
  }

  #tooLong(kept: string): BrokenChunk {
    const { maxRecordBytes } = this.#limits;
    const position = this.#start;
    this.#start = { ...position, record: position.record + 1, line: position.line + 1 };
    return {
      kind: 'broken',
      ...this.#source,
      position,
      records: 1,
      bytes: Uint8Array.from(Buffer.from(kept).subarray(0, maxRecordBytes)),
      problem: lengthProblem(maxRecordBytes),
    };
  }
}

/**
 * The chunks that a cutter gives, and what it still holds when they end.
 * @throws SourceBrokenError after the last record that could be read, if the source is damaged
 */
export async function* withRest(
  chunks: AsyncIterable<Chunk>,
  cutter: LineCutter,
): AsyncGenerator<Chunk, void, undefined> {
  let failure: { readonly error: unknown } | undefined;
  try {
    yield* chunks;
  } catch (error) {
    failure = { error };
  }
  yield* cutter.flush();
  if (failure !== undefined) throw brokenSource(cutter.source, cutter.position, failure.error);
}

/** In memory of its own, which can be handed to another thread. */
function ownBytes(text: string, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.write(text, 0, length);
  return bytes;
}
