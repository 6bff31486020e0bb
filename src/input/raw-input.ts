import type { RegularFile } from '../model/source.js';

/**
 * An input as it is stored, not yet decompressed or decoded. A piece is valid until the next one is
 * requested, as its memory is reused (allocating for each piece causes constant garbage
 * collection): copy what you retain.
 */
export interface RawInput {
  readonly kind: 'bytes';
  readonly name: string;
  /** Bytes on disk; `null` if unknown. */
  readonly size: number | null;
  /** `null` if it can be read only once. For an archive member, the archive. */
  readonly file: RegularFile | null;
  /** Whether it comes from a program, which may be slow. */
  readonly isLive?: boolean;
  readonly isMember: boolean;
  /** For an archive, the only member to read. */
  readonly wantedMember?: string | null;
  /** Whether it was passed as text, so that it is UTF-8 already. */
  readonly decoded: boolean;
  /** Reads from the start without consuming the input; may be stopped at any time. */
  peek(): AsyncIterable<Uint8Array>;
  /**
   * Reads from the start; a stream only once.
   * @param onBytes called with the number of (compressed) bytes read
   */
  read(onBytes?: (bytes: number) => void): AsyncIterable<Uint8Array>;
  /** For a regular file: reads from an offset. */
  readFrom?(offset: number, onBytes?: (bytes: number) => void): AsyncIterable<Uint8Array>;
  /** Releases resources without waiting. */
  close(): void;
}

/** Objects from a program. */
export interface ObjectsInput {
  readonly kind: 'objects';
  readonly name: string;
  readonly empty: boolean;
  items(): AsyncIterable<unknown>;
  close(): void;
}
