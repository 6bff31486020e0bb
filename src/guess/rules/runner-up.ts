/** Asks about a column about as likely as the chosen one. */
import type { ColumnProfile } from '../profile-column.js';
import { MIN_LEAD } from '../ranking.js';
import {
  columnFor,
  columnLabel,
  type DraftField,
  FIELDS,
  type FieldChoice,
  isTaken,
  nameOf,
  type RuleContext,
  withRole,
} from './draft.js';

/** Asks about another rating or date of about the same score. */
export function withRunnerUp(field: DraftField, context: RuleContext): DraftField {
  const { role, isContested } = FIELDS[nameOf(field)] ?? {};
  const winner = role && isContested ? columnFor(context, role) : undefined;
  if (winner === undefined) return field;
  const runnerUp = context.assignment.candidates.find(
    (one) =>
      one.role === role && !isTaken(one.profile, context) && winner.score - one.score < MIN_LEAD,
  );
  if (runnerUp === undefined || isSame(runnerUp.profile, winner.profile)) return field;
  const choice: FieldChoice = {
    ask: `${columnLabel(runnerUp.profile)} could also be ${nameOf(field)}`,
    when: 'If it is',
    instead: withRole(context, runnerUp.role, runnerUp),
  };
  const confidence = field.confidence === 'high' ? 'medium' : field.confidence;
  return { ...field, confidence, choices: [...(field.choices ?? []), choice] };
}

function isSame({ column }: ColumnProfile, other: ColumnProfile): boolean {
  return column.texts.every((text, at) => text === other.column.texts[at]);
}
