import { SourceBrokenError, SourceError } from '../model/errors.js';
import type { RegularFile } from '../model/source.js';
import type { Expansion } from './decompress/decompressed.js';

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
  /** For a member, the expansion limit of its archive. */
  readonly expansion?: Expansion;
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

/** The input can't be read further. Callers add the position of the last record. */
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
 * Converts an error into the one that ends a source.
 * @param position of the first record that was not read; objects of a program have no lines
 */
export function brokenSource(
  source: string,
  { record, line }: { readonly record: number; readonly line?: number },
  error: unknown,
): Error {
  if (!(error instanceof BrokenInput)) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const isFile = line !== undefined;
  const name = isFile ? source : `The input ${JSON.stringify(source)}`;
  const at = isFile ? ` (at line ${line})` : '';
  const where =
    record > 1 ? `after record ${record - 1}${at}` : 'before its first record was complete';
  const message = `${name} ends early ${where}: ${error.message}. ${error.remedy}`;
  return new SourceBrokenError(message, { cause: error.cause });
}

export function unreadable(name: string, { message, remedy, cause }: BrokenInput): SourceError {
  return new SourceError(`${name} can't be read: ${message}. ${remedy}`, { cause });
}
