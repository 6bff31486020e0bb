import { SourceError } from '../model/errors.js';

interface Mismatch {
  /** The input, and what it is. */
  readonly what: string;
  readonly stated: string;
  /** Besides leaving the format out. */
  readonly remedy: string;
}

/** An input isn't in the format that a mapping or an option states. */
export class StatedFormatError extends SourceError {
  readonly mismatch: Mismatch;

  /** @param by where the format is stated */
  constructor(mismatch: Mismatch, by = 'the option format (--format)') {
    const { what, stated, remedy } = mismatch;
    super(`${what}, but ${by} states ${stated}: leave the format out there, or ${remedy}.`);
    this.mismatch = mismatch;
  }
}
