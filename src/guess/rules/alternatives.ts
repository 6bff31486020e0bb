/** Other rules for a field: alternatives to choose from, and rivals that are about as likely. */
import { flowYaml } from '../../mapping/mapping-text.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/candidate.js';
import {
  columnFor,
  columnLabel,
  type DraftField,
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

/** Role whose column fills a field, for fields filled by a single column. */
export const ROLE_OF_FIELD: Readonly<Record<string, Role>> = {
  sourceId: 'sourceId',
  parentSourceId: 'parentSourceId',
  text: 'text',
  language: 'language',
  sentiment: 'sentiment',
  published: 'published',
  downloaded: 'downloaded',
  url: 'url',
  'detectedLocations.country': 'country',
  'detectedLocations.state': 'region',
  'detectedLocations.city': 'city',
  'metrics.score': 'score',
  'metrics.likes': 'likes',
  'metrics.comments': 'comments',
  'metrics.shares': 'shares',
  'author.sourceId': 'authorId',
  'author.username': 'username',
};

/** Evidence of rules that don't need a column of their own. */
const WITHOUT_COLUMN: Readonly<Partial<Record<Role, string>>> = {
  sourceId: 'a hash of the columns that identify a review, the same in every export',
  language: 'detected in the text of each review',
  sentiment: 'derived from the rating',
};

/** Lists alternative rules for a field, best first; a rule without a column of its own comes last. */
export function alternativesOf(
  field: DraftField,
  context: RuleContext,
  make: MakeFields,
): readonly AlternativeField[] {
  const name = nameOf(field);
  const role = ROLE_OF_FIELD[name];
  if (role === undefined) return [];
  const { roles, candidates } = context.assignment;
  const [winner] = roles.get(role) ?? [];
  const others = candidates
    .filter((one) => one.role === role && one.profile !== winner?.profile)
    .slice(0, MAX_ALTERNATIVES);
  const withoutColumn = winner === undefined ? undefined : WITHOUT_COLUMN[role];
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

/** Lead in score below which the next column may be the right one, too. */
const MIN_LEAD = 0.1;

/** Asks about another rating or date of about the same score. */
export function withRival(field: DraftField, context: RuleContext): DraftField {
  const role = CONTESTED[nameOf(field)];
  const winner = role && columnFor(context, role);
  if (winner === undefined) return field;
  const rival = context.assignment.candidates.find(
    (one) =>
      one.role === role && !isTaken(one.profile, context) && winner.score - one.score < MIN_LEAD,
  );
  if (rival === undefined || isSame(rival.profile, winner.profile)) return field;
  const choice: FieldChoice = {
    ask: `${columnLabel(rival.profile)} may be ${nameOf(field)}, too`,
    when: 'If it is',
    instead: withRole(context, rival.role, rival),
  };
  const confidence = field.confidence === 'high' ? 'medium' : field.confidence;
  return { ...field, confidence, choices: [...(field.choices ?? []), choice] };
}

/** Fields that exports often have several columns for, one of them the review's. */
const CONTESTED: Readonly<Record<string, Role>> = {
  'metrics.score': 'score',
  published: 'published',
};

function isSame({ column }: ColumnProfile, other: ColumnProfile): boolean {
  return column.texts.every((text, at) => text === other.column.texts[at]);
}
