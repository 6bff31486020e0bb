/** Facts about the fields that a single column fills, by their dotted names. */
import type { Role } from '../propose/candidate.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import DATA from './fields.json' with { type: 'json' };

interface FieldFacts {
  /** Role of the column that fills it. */
  readonly role: Role;
  /** Expectation of its column, if the name says too little: `names the author of the review`. */
  readonly meaning?: string;
  /** Evidence of a rule that needs no column of its own. */
  readonly withoutColumn?: string;
  /** Whether a complete document has it. */
  readonly isExpected?: boolean;
  /** Whether nearly every record of an export has it, if it has it at all. */
  readonly isUsual?: boolean;
  /** Whether exports often have several columns for it, one of them the review's. */
  readonly isContested?: boolean;
}

export const FIELDS = DATA as Readonly<Partial<Record<string, FieldFacts>>>;
