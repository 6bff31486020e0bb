/** Decides which column serves which purpose. */
import type { ColumnProfile } from './profile-column.js';
import type { Candidate, Propose, Role, Table } from './propose/candidate.js';
import { proposeScore } from './propose/score.js';
import { proposeSourceId } from './propose/source-id.js';
import { proposeDates, proposeSurroundings } from './propose/surroundings.js';
import { isWords, proposeAuthor, proposeText } from './propose/text.js';

export interface Assignment {
  /** Columns chosen for each role, best first. */
  readonly roles: ReadonlyMap<Role, readonly Candidate[]>;
  /** All columns considered for any role, best first. */
  readonly candidates: readonly Candidate[];
}

const PROPOSALS: readonly Propose[] = [
  proposeText,
  proposeScore,
  proposeDates,
  proposeSourceId,
  proposeAuthor,
  proposeSurroundings,
];

/** Score from which a column without a telling name may be the text. */
const CLEAR_TEXT_SCORE = 0.6;

/** Maximum number of columns of a role, if more than one. */
const MAX_PER_ROLE: Readonly<Partial<Record<Role, number>>> = {
  aspect: 12,
  tags: 3,
  experienced: 2,
  positive: 2,
  negative: 2,
  answer: 4,
};

/**
 * Assigns each column at most one role, highest score first, so that for example a column that is
 * clearly a date is not also taken as the id.
 */
export function assignRoles(table: Table): Assignment {
  const candidates = table.profiles
    .flatMap((profile) => PROPOSALS.flatMap((propose) => propose(profile, table)))
    .map((made) => ({ ...made, score: made.score - damagePenalty(made.profile) }))
    .toSorted((a, b) => b.score - a.score || a.profile.column.position - b.profile.column.position);
  const roles = new Map<Role, Candidate[]>();
  const taken = new Set<ColumnProfile>();
  for (const candidate of candidates) {
    const { role, profile } = candidate;
    if (taken.has(profile)) continue;
    const chosen = roles.get(role) ?? [];
    if (chosen.length >= (MAX_PER_ROLE[role] ?? 1)) continue;
    roles.set(role, [...chosen, candidate]);
    taken.add(profile);
  }
  promoteAspect(roles);
  dropOtherText(roles);
  return { roles, candidates };
}

/** Penalty for undecodable characters: of two equivalent columns, prefer the readable one. */
function damagePenalty({ column, filled }: ColumnProfile): number {
  const broken = column.texts.filter((text) => text?.includes('\ufffd')).length;
  return Math.min(0.3, (2 * broken) / Math.max(1, filled.length));
}

/** If praise and complaints have their own columns, drops a text column that isn't named as one. */
function dropOtherText(roles: Map<Role, Candidate[]>): void {
  const [text] = roles.get('text') ?? [];
  if (text === undefined || !(roles.has('positive') || roles.has('negative'))) return;
  const { concepts, column } = text.profile;
  const isNamed = concepts.has('text') || concepts.has('review') || column.unnamed;
  if (!isNamed && text.score < CLEAR_TEXT_SCORE) roles.delete('text');
}

/** If the only rating is named like an aspect, for example the service, it becomes the score. */
function promoteAspect(roles: Map<Role, Candidate[]>): void {
  const aspects = roles.get('aspect') ?? [];
  const [only] = aspects;
  if (roles.has('score') || aspects.length !== 1 || only === undefined) return;
  roles.delete('aspect');
  roles.set('score', [{ ...only, role: 'score' }]);
}

/** Summarises all columns for the proposals. */
export function tableOf(profiles: readonly ColumnProfile[], records: number): Table {
  const texts = profiles.filter((profile) => isWords(profile) && profile.distinctShare > 0.1);
  return { profiles, records, longestText: Math.max(1, ...texts.map(({ length }) => length)) };
}
