/**
 * Errors are for what ends a run or keeps it from starting. What is wrong with a record is a value
 * (see `Problem` in `record.ts`). Each message names the place, the reason and the remedy.
 */

/** Any error that docferry raises on purpose; `exitCode` is the command's exit status for it. */
export abstract class DocferryError extends Error {
  abstract readonly exitCode: number;
}

/** An option that can't be used: unknown, missing, of the wrong type, or at odds with another. */
export class OptionError extends DocferryError {
  override readonly name = 'OptionError';
  readonly exitCode = 2;
}

/** A mapping file that can't be used. The message names file, line, column and the nearest name. */
export class MappingError extends DocferryError {
  override readonly name = 'MappingError';
  readonly exitCode = 2;
}

/** A source that can't be opened or understood, before anything was sent. */
export class SourceError extends DocferryError {
  override readonly name = 'SourceError';
  readonly exitCode = 2;
}

/** A source that ended or failed in the middle: what was read before it stands. */
export class SourceBrokenError extends DocferryError {
  override readonly name = 'SourceBrokenError';
  readonly exitCode = 4;
}

/** The service refused the credentials or the monitoring. */
export class AccessError extends DocferryError {
  override readonly name = 'AccessError';
  readonly exitCode = 3;
}

/** The service can't be reached or does not work. */
export class ServiceDownError extends DocferryError {
  override readonly name = 'ServiceDownError';
  readonly exitCode = 4;
}
