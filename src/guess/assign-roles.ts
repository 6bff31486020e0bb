/** Decides which column serves which purpose. */
import type { ColumnProfile } from './profile-column.js';
import type { Candidate, Propose, Role, Table } from './propose/candidate.js';
import { proposeScore } from './propose/score.js';
import { proposeSourceId } from './propose/source-id.js';
import { proposeDates, proposeSurroundings } from './propose/surroundings.js';
import { isWords, proposeAuthor, proposeText } from './propose/text.js';

/** The columns chosen for each role; those not taken by any. */
export interface Assignment {
  readonly roles: ReadonlyMap<Role, readonly Candidate[]>;
  /** All that were considered, best first: what a person may rather want. */
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

/** A text that is surer than this is one, whatever its name. */
const DOUBTFUL_TEXT = 0.6;

/** How many columns a role may have, where it is not one. */
const SEVERAL: Readonly<Partial<Record<Role, number>>> = {
  aspect: 12,
  tags: 3,
  experienced: 2,
  positive: 2,
  negative: 2,
  answer: 4,
};

/**
 * Gives each column one role at most, and each role its column, the surest first: a column that is
 * a date beyond doubt is no id any more.
 */
export function assignRoles(table: Table): Assignment {
  const candidates = table.profiles
    .flatMap((profile) => PROPOSALS.flatMap((propose) => propose(profile, table)))
    .map((made) => ({ ...made, score: made.score - damage(made.profile) }))
    .toSorted((a, b) => b.score - a.score || a.profile.column.position - b.profile.column.position);
  const roles = new Map<Role, Candidate[]>();
  const taken = new Set<ColumnProfile>();
  for (const candidate of candidates) {
    const { role, profile } = candidate;
    if (taken.has(profile)) continue;
    const chosen = roles.get(role) ?? [];
    if (chosen.length >= (SEVERAL[role] ?? 1)) continue;
    roles.set(role, [...chosen, candidate]);
    taken.add(profile);
  }
  promoteAspect(roles);
  dropOtherText(roles);
  return { roles, candidates };
}

/** Of two columns that say the same, the one that can be read is wanted. */
function damage({ column, filled }: ColumnProfile): number {
  const broken = column.texts.filter((text) => text?.includes('\ufffd')).length;
  return Math.min(0.3, (2 * broken) / Math.max(1, filled.length));
}

/** Where praise and complaint are columns, words that nothing calls a text are none. */
function dropOtherText(roles: Map<Role, Candidate[]>): void {
  const [text] = roles.get('text') ?? [];
  if (text === undefined || !(roles.has('positive') || roles.has('negative'))) return;
  const { concepts, column } = text.profile;
  const called = concepts.has('text') || concepts.has('review') || column.unnamed;
  if (!called && text.score < DOUBTFUL_TEXT) roles.delete('text');
}

/** The only rating is the rating, even if it is called one of the service. */
function promoteAspect(roles: Map<Role, Candidate[]>): void {
  const aspects = roles.get('aspect') ?? [];
  const [only] = aspects;
  if (roles.has('score') || aspects.length !== 1 || only === undefined) return;
  roles.delete('aspect');
  roles.set('score', [{ ...only, role: 'score' }]);
}

/** What proposals have to know of all columns together. */
export function tableOf(profiles: readonly ColumnProfile[], records: number): Table {
  const texts = profiles.filter((profile) => isWords(profile) && profile.distinctShare > 0.1);
  return { profiles, records, longestText: Math.max(1, ...texts.map(({ length }) => length)) };
}
