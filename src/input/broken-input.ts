import { SourceBrokenError, SourceError } from '../model/errors.js';

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
