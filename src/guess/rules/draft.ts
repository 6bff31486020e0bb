/** Parts of a draft: rules with their confidence, their evidence and the questions about them. */
import { isDeepStrictEqual } from 'node:util';
import type { Rule, RuleObject, Scalar, SkipCondition } from '../../mapping/mapping.js';
import { flowYaml, yamlScalar } from '../../mapping/mapping-text.js';
import { columnRule } from '../../mapping/rules.js';
import { capital, escapeRegExp } from '../../model/text.js';
import type { Assignment } from '../assign-roles.js';
import { type ColumnProfile, shortened } from '../profile-column.js';
import type { Candidate } from '../propose/candidate.js';
import type { Role } from '../propose/roles.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import DATA from './fields.json' with { type: 'json' };

export type Confidence = 'high' | 'medium' | 'low';

/** A guessed rule for a field. */
export interface DraftField {
  /** Path in the mapping's `document`, for example `metrics`, `score`. */
  readonly path: readonly string[];
  readonly rule: Rule;
  readonly confidence: Confidence;
  /** One sentence. */
  readonly evidence: string;
  /** Records that repeat an earlier one: that they share its id is no reason for a doubt. */
  readonly repeats?: number;
  /** Reasons to check the rule, as clauses. */
  readonly doubts?: readonly string[];
  /** Questions whose answer is a different rule; an answer to a doubt only removes this one. */
  readonly choices?: readonly FieldChoice[];
  /** The questions, once the draft is verified. */
  readonly questions?: readonly GuessQuestion[];
}

/** A question about a rule, and what changes if the rule is wrong. */
export interface FieldChoice {
  /** The question, as a clause. */
  readonly ask: string;
  /** When to change it: `If the month comes first`. */
  readonly when: string;
  /** Other columns or roles, edits of the mapping, or what to do instead. */
  readonly change: RuleContext | { readonly edits: readonly Edit[] } | WordedChange;
}

/** A change in words: `guess again with --encoding`. */
export interface WordedChange extends Pick<GuessQuestion, 'checklist'> {
  readonly words: string;
}

/** A column that may be part of a field. */
export interface ChecklistEntry {
  readonly column: string;
  /** Whether the mapping has it in the field. */
  readonly isChosen: boolean;
  /** Mean number of words. */
  readonly words: number;
  /** A value of usual length, shortened. */
  readonly sample: string;
}

/** A question that the mapping's text asks in a TODO. */
export interface GuessQuestion {
  /** Dotted name of the field; `null` if it is about how the file is read. */
  readonly field: string | null;
  /** The question without its answers, as a clause. */
  readonly ask: string;
  /** The whole question, as the TODO words it. */
  readonly todo: string;
  /** Answers that change the mapping; none if it can only be changed by hand. */
  readonly answers: readonly QuestionAnswer[];
  /** Columns of which any number may be right, in the order of the file. */
  readonly checklist?: readonly ChecklistEntry[];
}

export interface QuestionAnswer {
  /** For a button: `The month comes first`. */
  readonly label: string;
  readonly changes: readonly Edit[];
  /** Its one change sets a day, for example 2026-03-31, which the user may replace. */
  readonly input?: 'date';
}

/** A value for a place of the mapping; none to remove what is there. */
export interface Edit {
  /**
   * From the top: `document`, `metrics`, `score`. In a list, `-` is the place after the last entry,
   * and `-blank` that of the first with the key `blank`.
   */
  readonly path: readonly string[];
  readonly value?: unknown;
}

/** The dotted name of a field: `metrics.score`. */
export function dottedName({ path }: Pick<DraftField, 'path'>): string {
  return path.join('.');
}

/** A guessed condition for skipping records. */
export interface DraftSkip {
  readonly condition: SkipCondition;
  readonly evidence: string;
}

/** Input for making rules. */
export interface RuleContext {
  readonly assignment: Assignment;
  readonly profiles: readonly ColumnProfile[];
  /** Number of sampled records. */
  readonly records: number;
  /** Day on which the file was last changed: `2024-06-15`. */
  readonly day: string;
}

/** Returns the first column of a role. */
export function columnFor({ assignment }: RuleContext, role: Role): Candidate | undefined {
  return assignment.roles.get(role)?.[0];
}

/** Copies the context with another column, or none, in a role. */
export function withRole(
  context: RuleContext,
  role: Role,
  column: Candidate | undefined,
): RuleContext {
  const { roles: others } = without(
    context,
    column === undefined ? [] : [column.profile],
  ).assignment;
  const roles = new Map([...others, [role, column === undefined ? [] : [column]] as const]);
  return { ...context, assignment: { ...context.assignment, roles } };
}

/** Copies the context without some columns. */
export function without(context: RuleContext, columns: readonly ColumnProfile[]): RuleContext {
  return replaceColumns(context, (profile) => (columns.includes(profile) ? [] : [profile]));
}

/** Copies the context with another analysis of a column's values. */
export function withProfile(
  context: RuleContext,
  profile: ColumnProfile,
  changes: Partial<ColumnProfile>,
): RuleContext {
  const changed = { ...profile, ...changes };
  return replaceColumns(context, (one) => [one === profile ? changed : one]);
}

/** Replaces columns wherever the context has them; a column without a replacement is left out. */
function replaceColumns(
  context: RuleContext,
  by: (profile: ColumnProfile) => readonly ColumnProfile[],
): RuleContext {
  const { candidates, roles } = context.assignment;
  const inList = (list: readonly Candidate[]): readonly Candidate[] =>
    list.flatMap((one) => by(one.profile).map((profile) => ({ ...one, profile })));
  return {
    ...context,
    profiles: context.profiles.flatMap(by),
    assignment: {
      candidates: inList(candidates),
      roles: new Map([...roles].map(([role, chosen]) => [role, inList(chosen)])),
    },
  };
}

/** Returns whether some role has the column. */
export function isTaken(profile: ColumnProfile, { assignment }: RuleContext): boolean {
  return [...assignment.roles.values()].flat().some((one) => one.profile === profile);
}

/** Returns all columns of a role. */
export function columnsFor({ assignment }: RuleContext, role: Role): readonly Candidate[] {
  return assignment.roles.get(role) ?? [];
}

export function confidenceOf(score: number): Confidence {
  if (score >= 0.65) return 'high';
  return score >= 0.48 ? 'medium' : 'low';
}

/** Makes a field that takes a column's value unchanged, with a doubt if confidence is low. */
export function columnField(
  path: readonly string[],
  { profile, score }: Candidate,
  evidence: string,
): DraftField {
  const confidence = confidenceOf(score);
  const doubts = confidence === 'low' ? [UNCLEAR] : [];
  return { path, rule: columnRule(profile), confidence, evidence, doubts };
}

/** Reason to check a column that was chosen for want of a better one. */
export const UNCLEAR = 'neither its name nor its values show it clearly';

/** Formats a share: `97%`. Rounds neither up to 100% nor down to 0%. */
export function sharePercent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return `${(Math.floor(share * 1000) / 10).toFixed(1)}%`;
  if (rounded === 0 && share > 0) return 'under 1%';
  return `${rounded}%`;
}

/** Quotes a value on one line, shortened, for use in a comment. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 39)}…` : line);
}

/** Names a column in a sentence. */
export function columnLabel({ name, column }: ColumnProfile): string {
  if (name === '') return 'the column without a name';
  return column.unnamed ? `column ${name}` : JSON.stringify(shortened(name));
}

/** Makes a regular expression that matches every text except these, which mean "no value". */
export function anyExcept(absent: readonly string[]): string {
  return `^(?!(?:${absent.map(escapeRegExp).join('|')})$)[\\s\\S]+$`;
}

/** Maximum number of different texts that a rule lists as having no value. */
const MAX_WITHOUT_VALUE = 10;

/**
 * Looks texts up. A text that the sample lacks makes its record invalid, instead of losing the
 * field; those of the sample without a value are listed with `""`.
 */
export function lookUp(
  { name, filled, column }: ColumnProfile,
  values: Readonly<Record<string, Scalar>>,
): RuleObject {
  if (column.list) return { from: name, values };
  const others = [...new Set(filled)].filter((text) => !Object.hasOwn(values, text));
  if (others.length > MAX_WITHOUT_VALUE) return { from: name, values };
  const none = Object.fromEntries(others.map((text) => [text, '']));
  return { from: name, values: { ...values, ...none }, unlisted: 'invalid' };
}

/** Makes the rules of some fields. */
export type MakeFields = (context: RuleContext) => readonly DraftField[];

interface FieldFacts {
  /** Role of the column that fills it. */
  readonly role: Role;
  /** Expectation of its column, if the name is too vague: `names the author of the review`. */
  readonly meaning?: string;
  /** Whether a complete document has it. */
  readonly isExpected?: boolean;
  /** Whether nearly every record of an export has it, if it has it at all. */
  readonly isUsual?: boolean;
  /** Whether exports often have several columns for it, one of them the review's. */
  readonly isContested?: boolean;
}

export const FIELDS = DATA as Readonly<Partial<Record<string, FieldFacts>>>;

/** A question about the mapping, and the edits that its answer makes. */
interface EditQuestion extends Pick<GuessQuestion, 'field' | 'ask'> {
  /** Condition of the answer: `If "Review" is the text`. */
  readonly when: string;
  readonly edits: readonly Edit[];
}

/** Words a question, and its answer for a button. */
export function questionOf(
  { field, ask, when, edits }: EditQuestion,
  fields: readonly DraftField[],
): GuessQuestion {
  const todo = `${ask}. ${when}, ${editText(edits, fields)}`;
  return { field, ask, todo, answers: [{ label: answerLabel(when), changes: edits }] };
}

/** Words the condition of an answer for a button: `The month comes first`. */
export function answerLabel(when: string): string {
  return capital(when.replace(/^(?:If|To) /u, ''));
}

/** Words edits: put `score: { … }` under metrics; delete `sentiment` under document. */
export function editText(edits: readonly Edit[], fields: readonly DraftField[]): string {
  const groups = new Map<string, string[]>();
  for (const edit of leastEdits(edits, fields)) {
    const { line, place } = edit.path[0] === 'skip' ? skipLine(edit) : editLine(edit, fields);
    const verb = edit.value === undefined ? 'delete' : 'put';
    const key = `${verb} LINES ${place}`;
    groups.set(key, [...(groups.get(key) ?? []), `\`${escapeBackticks(line)}\``]);
  }
  const texts = [...groups].map(([key, lines]) => key.replace('LINES', () => lines.join(' and ')));
  return texts.join('; ');
}

/** Reduces edits to the keys that change. */
export function leastEdits(edits: readonly Edit[], fields: readonly DraftField[]): readonly Edit[] {
  return edits.flatMap((one) => editParts(one, fields));
}

/** Keys of a rule that select its input. */
const SOURCE_KEYS = ['from', 'join', 'hash', 'detect', 'text'] as const;

/**
 * Reduces the edit of a rule to the keys that change, so that it keeps the answers to other
 * questions about the rule. A rule that reads something else is replaced.
 */
function editParts(edit: Edit, fields: readonly DraftField[]): readonly Edit[] {
  const { path, value } = edit;
  const { rule } = editedField(path, fields) ?? {};
  if (!isRuleObject(rule) || !isRuleObject(value)) return [edit];
  if (SOURCE_KEYS.some((key) => !isDeepStrictEqual(rule[key], value[key]))) return [edit];
  const keys = [...new Set([...Object.keys(value), ...Object.keys(rule)])] as (keyof RuleObject)[];
  return keys
    .filter((key) => !isDeepStrictEqual(rule[key], value[key]))
    .map((key) => ({ path: [...path, key], value: value[key] }));
}

function isRuleObject(value: unknown): value is RuleObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function editedField(path: Edit['path'], fields: readonly DraftField[]): DraftField | undefined {
  const name = path.slice(1).join('.');
  return path[0] === 'document' ? fields.find((one) => dottedName(one) === name) : undefined;
}

/**
 * Returns whether an answer replaces or removes rules, so that it goes after those that change
 * parts.
 */
export function isWhole(edits: readonly Edit[], fields: readonly DraftField[]): boolean {
  return leastEdits(edits, fields).some((one) => edits.includes(one));
}

/** Escapes backticks, which delimit a line: YAML has them in quotes only. */
function escapeBackticks(line: string): string {
  return line.replaceAll('`', '\\x60');
}

interface PlacedLine {
  readonly line: string;
  readonly place: string;
}

/** Words a skip condition: a further one, or one that replaces that of blank texts. */
function skipLine({ path, value }: Edit): PlacedLine {
  const isAdded = path[1] === '-';
  const place = isAdded ? 'under skip' : 'in place of the condition with blank under skip';
  return { line: `- ${flowYaml(value)}`, place };
}

/** Words a line of the mapping and its place. Adds parents that the mapping lacks, and removes those left empty. */
function editLine({ path, value }: Edit, fields: readonly DraftField[]): PlacedLine {
  const [key = ''] = path.slice(-1);
  const rule = editedField(path.slice(0, -1), fields);
  if (rule !== undefined) {
    const part = value === undefined ? yamlScalar(key) : `${yamlScalar(key)}: ${flowYaml(value)}`;
    return { line: part, place: `in the rule of ${ruleName(rule)}` };
  }
  return wholeLine({ path, value }, fields);
}

/** Names a rule; quoted if it has blanks. */
function ruleName(field: DraftField): string {
  const name = dottedName(field);
  return /^[\w.]+$/u.test(name) ? name : JSON.stringify(name);
}

function wholeLine({ path, value }: Edit, fields: readonly DraftField[]): PlacedLine {
  const field = editedField(path, fields);
  const isShared = (depth: number): boolean =>
    fields.some(
      (one) => one !== field && path.slice(1, depth).every((key, at) => one.path[at] === key),
    );
  let depth = path.length - 1;
  if (value === undefined || field === undefined) while (depth > 1 && !isShared(depth)) depth -= 1;
  const [key = '', ...inner] = path.slice(depth);
  const nested = inner.reduceRight((inside: unknown, name) => ({ [name]: inside }), value);
  const parent = path[depth - 1];
  const removed =
    parent === 'tags' && field !== undefined ? `- ${flowYaml(field.rule)}` : yamlScalar(key);
  const line = value === undefined ? removed : `${yamlScalar(key)}: ${flowYaml(nested)}`;
  return { line, place: parent === undefined ? 'at the top' : `under ${parent}` };
}
