import type { Position } from '../model/chunk.js';
import { SourceBrokenError, SourceError } from '../model/errors.js';

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
