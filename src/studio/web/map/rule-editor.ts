import type { Rule } from '../../../index.js';
import type { MappedField } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';

/** The rule that the panel shows, and ways to change it. */
export interface RuleEditor {
  readonly session: MappingSession;
  readonly field: MappedField;
  /** The rule in the mapping, or a draft while the user types. */
  readonly rule: Rule | undefined;
  /** Shows a rule's effect without writing it. */
  sketch(rule: Rule): void;
  /** Writes a rule into the mapping. */
  write(rule: Rule): void;
}
