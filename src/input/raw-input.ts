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
