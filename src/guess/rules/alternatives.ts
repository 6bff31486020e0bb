/** Other rules for a field: alternatives to choose from, and runners-up that are about as likely. */
import { flowYaml } from '../../mapping/mapping-text.js';
import type { ColumnProfile } from '../profile-column.js';
import { MIN_LEAD } from '../ranking.js';
import {
  columnFor,
  columnLabel,
  type DraftField,
  FIELDS,
  type FieldChoice,
  isTaken,
  type MakeFields,
  nameOf,
  type RuleContext,
  withRole,
} from './draft.js';

/** Another rule for a field, and its column; `null` if it needs no column of its own. */
export type AlternativeField = DraftField & { readonly column: string | null };

/** Number of other columns tried for a field. */
const MAX_ALTERNATIVES = 5;

/** Lists alternative rules for a field, best first; a rule without a column of its own comes last. */
export function alternativesOf(
  field: DraftField,
  context: RuleContext,
  make: MakeFields,
): readonly AlternativeField[] {
  const name = nameOf(field);
  const facts = FIELDS[name];
  if (facts === undefined) return [];
  const { role } = facts;
  const { roles, candidates } = context.assignment;
  const [winner] = roles.get(role) ?? [];
  const others = candidates
    .filter((one) => one.role === role && one.profile !== winner?.profile)
    .slice(0, MAX_ALTERNATIVES);
  const withoutColumn = winner === undefined ? undefined : facts.withoutColumn;
  const replacements = [...others, ...(withoutColumn === undefined ? [] : [undefined])];
  const known = new Set([flowYaml(field.rule)]);
  return replacements.flatMap((replacement) => {
    const made = make(withRole(context, role, replacement)).find((one) => nameOf(one) === name);
    if (made === undefined || known.has(flowYaml(made.rule))) return [];
    known.add(flowYaml(made.rule));
    return [
      replacement === undefined
        ? { ...made, column: null, evidence: withoutColumn ?? made.evidence }
        : { ...made, column: replacement.profile.name },
    ];
  });
}

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
