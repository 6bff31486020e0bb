/** Proposes a mapping for an export of which nothing is known but the file. */
import { draftFor } from './guess/read-ways.js';
import type { Confidence } from './guess/rules/draft.js';
import { settle } from './guess/settle.js';
import { writeMapping } from './guess/write-mapping.js';
import type { Input, SourceOptions } from './source/source.js';

/** Options of a guess. */
export interface GuessOptions {
  /** One file, or objects. A stream is read once and can't be looked at in more than one way. */
  readonly input: Input;
  /** What is known about how to read it. */
  readonly source?: SourceOptions;
  /** Whether a mapping that comes with docferry is taken if its columns are the file's; default. */
  readonly ready?: boolean;
}

/** A field of a guessed mapping. */
export interface GuessedField {
  /** Such as `metrics.score`. */
  readonly field: string;
  readonly confidence: Confidence;
  readonly evidence: string;
  /** What a person has to look at. */
  readonly todo: string | null;
}

/** A guessed mapping, and what it makes of the records it was guessed from. */
export interface Guess {
  /** The mapping file, with comments. */
  readonly mapping: string;
  readonly fields: readonly GuessedField[];
  /** Records in the sample, and what became of them. */
  readonly records: Readonly<Record<'read' | 'valid' | 'skipped' | 'invalid', number>>;
}

/**
 * Looks at records from all over an export and proposes a mapping, with what speaks for each rule.
 * @throws DocferryError if the input can't be read, or holds no records
 */
export async function guessMapping({ input, source = {} }: GuessOptions): Promise<Guess> {
  const { draft, checked } = settle(await draftFor(input, source));
  return {
    mapping: writeMapping(draft),
    fields: draft.fields.map(({ path, confidence, evidence, todo }) => ({
      field: path.join('.'),
      confidence,
      evidence,
      todo: todo ?? null,
    })),
    records: {
      read: checked.read,
      valid: checked.valid,
      skipped: checked.skipped,
      invalid: checked.invalid,
    },
  };
}
