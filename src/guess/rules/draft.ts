/** A mapping in the making: a rule for each field, with what speaks for it. */
import { literally } from '../../mapping/dates/plan-format.js';
import type { Rule, SkipCondition } from '../../mapping/mapping.js';
import type { Assignment } from '../assign-roles.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Candidate, Role } from '../propose/candidate.js';

/** How sure a guess is. */
export type Confidence = 'high' | 'medium' | 'low';

/** A rule for a field. */
export interface DraftField {
  /** Place in the mapping's `document`, such as `metrics`, `score`. */
  readonly path: readonly string[];
  readonly rule: Rule;
  readonly confidence: Confidence;
  /** One sentence. */
  readonly evidence: string;
  /** What a person has to look at; absent where nothing is open. */
  readonly todo?: string | undefined;
}

/** A condition under which records are left out. */
export interface DraftSkip {
  readonly condition: SkipCondition;
  readonly evidence: string;
}

/** What rules are made from. */
export interface Chosen {
  readonly assignment: Assignment;
  readonly profiles: readonly ColumnProfile[];
  /** Number of sampled records. */
  readonly records: number;
  /** How many records at the start repeat what the columns hold, and are no reviews. */
  readonly subheaders: number;
}

/** The first column of a role. */
export function chosen({ assignment }: Chosen, role: Role): Candidate | undefined {
  return assignment.roles.get(role)?.[0];
}

/** All columns of a role. */
export function allChosen({ assignment }: Chosen, role: Role): readonly Candidate[] {
  return assignment.roles.get(role) ?? [];
}

/** What a score means. */
export function confidenceOf(score: number): Confidence {
  if (score >= 0.65) return 'high';
  return score >= 0.48 ? 'medium' : 'low';
}

/** The column as a template, or by its name where a template can't hold it. */
export function columnRule(profile: Pick<ColumnProfile, 'name'>): Rule {
  return /[{}]/u.test(profile.name) || profile.name.trim() === ''
    ? { from: profile.name }
    : `{${profile.name}}`;
}

/** A field that takes a column's value as it is, with a question where it is not sure. */
export function columnField(
  path: readonly string[],
  { profile, score }: Candidate,
  evidence: string,
  question = `check that ${called(profile)} belongs here: neither its name nor its values prove it`,
): DraftField {
  const confidence = confidenceOf(score);
  const todo = confidence === 'low' ? question : undefined;
  return { path, rule: columnRule(profile), confidence, evidence, todo };
}

/** `97%`; never `100%` unless it is all. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return `${(Math.floor(share * 1000) / 10).toFixed(1)}%`;
  if (rounded === 0 && share > 0) return 'under 1%';
  return `${rounded}%`;
}

/** A value as a comment can show it. */
export function example(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 39)}…` : line);
}

/** The column's name as sentences show it. */
export function called({ name, column }: ColumnProfile): string {
  if (name === '') return 'the column without a name';
  return column.unnamed ? `column ${name}` : JSON.stringify(name);
}

/** Expression for every text but these, which stand for "none". */
export function otherThan(absent: readonly string[]): string {
  return `^(?!(?:${absent.map(literally).join('|')})$)[\\s\\S]+$`;
}
