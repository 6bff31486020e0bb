/** Decides which column serves which purpose. */
import { nameWords } from './lexicon/name-concepts.js';
import { canHave, parentBonus } from './parent-columns.js';
import { type ColumnProfile, isBroken } from './profile-column.js';
import type { Candidate, Propose, Table } from './propose/candidate.js';
import { proposeChoices } from './propose/choices.js';
import { isOptional, MAX_PER_ROLE, type Role } from './propose/roles.js';
import { proposeScore } from './propose/score.js';
import { proposeSourceId } from './propose/source-id.js';
import { proposeDates, proposeSurroundings } from './propose/surroundings.js';
import { isWords, occursIn, proposeAuthor, proposeText } from './propose/text.js';
import { translates } from './propose/translation.js';

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
  proposeChoices,
];

/**
 * Assigns each column at most one role, highest score first, so that for example a column that is
 * clearly a date is not also taken as the id.
 */
export function assignRoles(table: Table): Assignment {
  const candidates = table.profiles
    .flatMap((profile) => PROPOSALS.flatMap((propose) => propose(profile, table)))
    .filter(({ role, profile }) => canHave(role, profile.name))
    .filter(({ role, profile }) => !(isOptional(role) && isBroken(profile)))
    .map((made) => ({
      ...made,
      score: made.score + parentBonus(made.role, made.profile.name),
    }))
    .toSorted((a, b) => b.score - a.score || a.profile.column.position - b.profile.column.position);
  const roles = new Map<Role, Candidate[]>();
  const taken = new Set<ColumnProfile>();
  for (const candidate of candidates) {
    const { role, profile } = candidate;
    if (taken.has(profile)) continue;
    const chosen = roles.get(role) ?? [];
    if (chosen.length >= MAX_PER_ROLE[role]) continue;
    roles.set(role, [...chosen, candidate]);
    taken.add(profile);
  }
  dropRepeats(roles);
  return { roles, candidates };
}

/** Roles whose columns make up the text, the dispensable first. */
const TEXT_ROLES: readonly Role[] = ['answer', 'negative', 'positive', 'text'];

/**
 * Drops text columns whose values a different one contains, for example praise beside the whole text,
 * or which it has in the original language.
 */
function dropRepeats(roles: Map<Role, Candidate[]>): void {
  let parts = TEXT_ROLES.flatMap((role) => roles.get(role) ?? []);
  for (const one of parts) {
    const others = parts.filter((other) => other !== one);
    if (others.some(({ profile }) => occursIn(one.profile, profile))) parts = others;
    const original = others.find(({ profile }) => translates(one.profile, profile));
    if (original !== undefined) {
      parts = others.map((part) => (part === original ? { ...part, role: one.role } : part));
    }
  }
  for (const role of TEXT_ROLES) {
    const left = parts.filter((one) => one.role === role);
    if (left.length > 0) roles.set(role, left);
    else roles.delete(role);
  }
}

/** Summarises all columns for the proposals. */
export function tableOf(profiles: readonly ColumnProfile[], records: number): Table {
  const texts = profiles.filter((profile) => isWords(profile) && profile.distinctShare > 0.1);
  return {
    profiles,
    records,
    longestText: Math.max(1, ...texts.map(({ length }) => length)),
    oneAuthor: profiles.some(isOwnRating),
  };
}

/** Returns whether a short name means a rating or review of the file's owner: `My Rating`. */
function isOwnRating({ name, concepts }: ColumnProfile): boolean {
  const short = nameWords(name).length <= 3;
  return short && concepts.has('own') && (concepts.has('rating') || concepts.has('review'));
}
