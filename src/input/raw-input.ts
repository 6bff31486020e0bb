import type { Position } from '../model/chunk.js';
import { SourceBrokenError, SourceError } from '../model/errors.js';
import type { RegularFile } from '../model/source.js';
import type { Expansion } from './decompress/decompressed.js';

/**
 * An input as it lies there: bytes that nobody has looked into. A piece stands until the next one is
 * asked for; whoever keeps some of it has to copy it, as its memory may be used again. (New memory
 * for each piece has the garbage collector go over everything, again and again.)
 */
export interface RawInput {
  readonly kind: 'bytes';
  readonly name: string;
  /** Bytes on disk; `null` when not known. */
  readonly size: number | null;
  /** `null` for what can be read only once. For a member of an archive, the archive. */
  readonly file: RegularFile | null;
  /** Whether it comes from a program, which may be slow. */
  readonly isLive?: boolean;
  /** Whether it is a member of an archive. */
  readonly isMember: boolean;
  /** Of an archive, the only member that is to be read. */
  readonly wantedMember?: string | null;
  /** Of a member, what bounds what comes out of its archive. */
  readonly expansion?: Expansion;
  /** Whether its text was decoded by whoever hands it over, and is UTF-8 by now. */
  readonly decoded: boolean;
  /** The pieces from the start, to look at; whoever looks may stop at any time. */
  peek(): AsyncIterable<Uint8Array>;
  /**
   * The pieces from the start, to read. A stream can be read once.
   * @param counted is told how many bytes have been read where the input lies: compressed, if it is
   */
  read(counted?: (bytes: number) => void): AsyncIterable<Uint8Array>;
  /** Of a regular file: the pieces from an offset on, to read. */
  readFrom?(offset: number, counted?: (bytes: number) => void): AsyncIterable<Uint8Array>;
  /** Releases what is open, without waiting for it. */
  close(): void;
}

/** Objects that a program hands over. */
export interface ObjectsInput {
  readonly kind: 'objects';
  readonly name: string;
  readonly empty: boolean;
  items(): AsyncIterable<unknown>;
  close(): void;
}

/** An input that can't be read on: the reader knows why, but not how far the records have come. */
export class BrokenInput extends Error {
  override readonly name = 'BrokenInput';
  readonly remedy: string;

  /** @param reason completes the sentence "it ends early: …" */
  constructor(reason: string, remedy: string, options?: ErrorOptions) {
    super(reason, options);
    this.remedy = remedy;
  }
}

/**
 * The error that ends the reading of a source.
 * @param position where the first record stands that was not read
 */
export function brokenSource(source: string, position: Position, error: unknown): Error {
  if (!(error instanceof BrokenInput)) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const where =
    position.record > 1
      ? `after record ${position.record - 1} (before line ${position.line})`
      : 'before its first record was complete';
  const message = `${source} ends early ${where}: ${error.message}. ${error.remedy}`;
  return new SourceBrokenError(message, { cause: error.cause });
}

/** What to say of an input of which nothing can be read. */
export function unreadable(name: string, { message, remedy, cause }: BrokenInput): SourceError {
  return new SourceError(`${name} can't be read: ${message}. ${remedy}`, { cause });
}
