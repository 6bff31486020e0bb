/** A mapping in the making: a rule for each field, with what speaks for it. */
import { isDeepStrictEqual } from 'node:util';
import { literally } from '../../mapping/dates/parse-format.js';
import type { Rule, RuleObject, SkipCondition } from '../../mapping/mapping.js';
import { flow } from '../../mapping/rules.js';
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

/** Another rule for a field, and its column; none of a rule that needs no column of its own. */
export type RivalField = DraftField & { readonly column: string | null };

/** Makes fields from the columns that were chosen. */
export type MakeFields = (from: Chosen) => readonly DraftField[];

/** Most columns that are tried for a field. */
const MAX_RIVALS = 5;

/** The role whose column fills a field, where it is one. */
const ROLES: Readonly<Record<string, Role>> = {
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

/** Fields that can do without a column of their own, and how. */
const COLUMNLESS: Readonly<Partial<Record<Role, string>>> = {
  sourceId: 'a hash of what tells reviews apart, the same in every export',
  language: 'detected in the text of each review',
  sentiment: 'it follows from the rating',
};

/** The rivals of a field, best first; a rule without a column of its own comes last. */
export function rivalsOf(field: DraftField, from: Chosen, make: MakeFields): readonly RivalField[] {
  const place = field.path.join('.');
  const role = ROLES[place];
  if (role === undefined) return [];
  const { roles, candidates } = from.assignment;
  const [winner] = roles.get(role) ?? [];
  const others = candidates
    .filter((one) => one.role === role && one.profile !== winner?.profile)
    .slice(0, MAX_RIVALS);
  const withoutColumn = winner === undefined ? undefined : COLUMNLESS[role];
  const ways = [...others, ...(withoutColumn === undefined ? [] : [undefined])];
  const known = new Set([flow(field.rule)]);
  return ways.flatMap((way) => {
    const made = make(withRole(from, role, way)).find(({ path }) => path.join('.') === place);
    if (made === undefined || known.has(flow(made.rule))) return [];
    known.add(flow(made.rule));
    return [
      way === undefined
        ? { ...made, column: null, evidence: withoutColumn ?? made.evidence }
        : { ...made, column: way.profile.name },
    ];
  });
}

/** The same choice with another column, or none, in a role. */
function withRole(from: Chosen, role: Role, way: Candidate | undefined): Chosen {
  const { roles, candidates } = from.assignment;
  const others = [...roles].map(
    ([one, chosen]) => [one, chosen.filter(({ profile }) => profile !== way?.profile)] as const,
  );
  const changed = new Map([...others, [role, way === undefined ? [] : [way]]]);
  return { ...from, assignment: { candidates, roles: changed } };
}

/** The same rule, each column and each fallback named once. */
export function simplify(rule: Rule): Rule {
  if (typeof rule !== 'object') return rule;
  const simple: RuleObject = {
    ...rule,
    ...(Array.isArray(rule.from) ? { from: columnsOnce(rule.from) } : {}),
    ...(rule.join === undefined ? {} : { join: once(rule.join.map(simplify)) }),
    ...(rule.detect === undefined ? {} : { detect: simplify(rule.detect) }),
    ...(rule.else === undefined ? {} : { else: simplify(rule.else) }),
  };
  return withoutEqualElse(simple);
}

function columnsOnce(from: readonly string[]): string | readonly string[] {
  const columns = once(from);
  const [only] = columns;
  return columns.length === 1 && only !== undefined ? only : columns;
}

/** What gave nothing the first time gives nothing the second time. */
function withoutEqualElse(rule: RuleObject): Rule {
  const first = main(rule);
  let otherwise = rule.else;
  while (otherwise !== undefined && isDeepStrictEqual(first, main(otherwise))) {
    otherwise = typeof otherwise === 'object' ? otherwise.else : undefined;
  }
  const { else: _, onError, ...rest } = rule;
  if (otherwise === undefined) return rest;
  return { ...rest, else: otherwise, ...(onError === undefined ? {} : { onError }) };
}

function main(rule: Rule): Rule {
  if (typeof rule !== 'object') return rule;
  const { else: _, onError: __, ...rest } = rule;
  return rest;
}

function once<T>(list: readonly T[]): readonly T[] {
  return list.filter((one, at) => list.findIndex((other) => isDeepStrictEqual(one, other)) === at);
}
