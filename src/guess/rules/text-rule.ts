import type { Rule } from '../../mapping/mapping.js';
import { isStartOf } from '../../mapping/steps/text.js';
import { thousands } from '../../model/figures.js';
import { absentWords } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/candidate.js';
import { isTemplated, isWords } from '../propose/text.js';
import {
  anyExcept,
  type Confidence,
  columnFor,
  columnLabel,
  columnRule,
  columnsFor,
  confidenceOf,
  type DraftField,
  type DraftSkip,
  percent,
  quoted,
  type RuleContext,
} from './draft.js';

/** Roles that make up the text, in the order in which they are joined. */
const PARTS: readonly Role[] = ['title', 'text', 'positive', 'negative'];

/** Lists the columns that make up the text, in the order in which they are joined. */
export function textColumns(context: RuleContext): readonly ColumnProfile[] {
  const profiles = (role: Role): readonly ColumnProfile[] =>
    columnsFor(context, role).map(({ profile }) => profile);
  // Keep a survey's answers in the order of its questions.
  const answers = [...profiles('text'), ...profiles('answer')].toSorted(
    (a, b) => a.column.position - b.column.position,
  );
  const parts = PARTS.flatMap((role) => (role === 'text' ? answers : profiles(role)));
  return parts.length > 0 ? parts : longestColumn(context);
}

/** Falls back to the column with the longest texts if none looks like a review. */
function longestColumn({ profiles }: RuleContext): readonly ColumnProfile[] {
  const words = profiles.filter(isWords).toSorted((a, b) => b.length - a.length);
  return words.slice(0, 1);
}

/** Makes the text: title, text, praise and complaints, joined. */
export function textField(context: RuleContext): DraftField | undefined {
  const columns = textColumns(context);
  if (columns.length === 0) return undefined;
  const title = columnFor(context, 'title')?.profile;
  const text = columnFor(context, 'text');
  const rules = columns.map((profile) =>
    profile === title && text !== undefined ? titleRule(profile, text.profile) : partRule(profile),
  );
  const [only] = rules;
  const rule: Rule =
    rules.length === 1 && only !== undefined ? only : { join: rules, with: '\n\n' };
  const best = Math.max(0, ...PARTS.map((role) => columnFor(context, role)?.score ?? 0));
  const confidence = confidenceOf(best);
  const markup = columns.some(({ markup: share }) => share > 0) ? '; markup is removed' : '';
  const todo = textTodo(context, columns, confidence);
  const evidence = `${columns.map(columnLabel).join(', ')}: ${describe(columns)}${markup}`;
  return { path: ['text'], rule, confidence, evidence, todo };
}

/** Asks whether the chosen columns are the text, or whether another one is. */
function textTodo(
  context: RuleContext,
  columns: readonly ColumnProfile[],
  confidence: Confidence,
): string | undefined {
  const templated = columns.find(isTemplated);
  if (templated !== undefined) {
    return `check that ${columnLabel(templated)} is what the author wrote: its values look counted or generated, for example ${quoted(templated.filled[0] ?? '')}`;
  }
  const rejected = context.profiles.find(
    (profile) => !columns.includes(profile) && looksGenerated(profile) && isNamedText(profile),
  );
  if (rejected !== undefined) {
    return `check the text: ${columnLabel(rejected)} was not used, as its values look counted or generated, for example ${quoted(rejected.filled[0] ?? '')}`;
  }
  const nameless = context.profiles.filter(
    (profile) => !columns.includes(profile) && mayBeWords(profile, context),
  );
  if (nameless.length > 0) {
    return `check whether ${nameless.slice(0, 4).map(columnLabel).join(', ')} belong to the text, for example as its title: their names are unknown`;
  }
  return confidence === 'low'
    ? 'check that this is what the author wrote: no column clearly is'
    : undefined;
}

/** Whether an unused column with an unknown name may hold words. */
function mayBeWords(profile: ColumnProfile, { assignment }: RuleContext): boolean {
  const { concepts, column, distinctShare, filled, length, unknownWords } = profile;
  if (concepts.size > 0 || unknownWords === 0 || column.unnamed || !isWords(profile)) return false;
  const taken = [...assignment.roles.values()].flat().some((one) => one.profile === profile);
  if (taken || profile.codes > 0.5 || length < 4 || filled.length === 0) return false;
  return profile.distinct > 5 && distinctShare > 0.1 && profile.date === undefined;
}

function looksGenerated(profile: ColumnProfile): boolean {
  return profile.counted > 0.9 || isTemplated(profile);
}

function isNamedText(profile: ColumnProfile): boolean {
  const { concepts } = profile;
  const other = ['count', 'id', 'date', 'rating', 'author', 'likes', 'url', 'title'] as const;
  return (
    (concepts.has('review') || concepts.has('text')) &&
    !other.some((concept) => concepts.has(concept)) &&
    isWords(profile)
  );
}

function describe(columns: readonly ColumnProfile[]): string {
  const longest = Math.max(...columns.map(({ words }) => words));
  return `up to ${Math.max(1, Math.round(longest))} words per value on average`;
}

function partRule(profile: ColumnProfile): Rule {
  const strip = profile.markup > 0 ? ({ strip: 'html' } as const) : {};
  const absent = absentWords(profile.filled);
  if (profile.column.list) return { join: [{ from: profile.name, ...strip }], with: '\n' };
  if (absent.length > 0) return { from: profile.name, ...strip, match: anyExcept(absent) };
  return profile.markup > 0 ? { from: profile.name, ...strip } : columnRule(profile);
}

/** Makes the rule for a title; leaves it out where the text begins with it. */
function titleRule(title: ColumnProfile, text: ColumnProfile): Rule {
  const rule = partRule(title);
  if (!repeatsText(title, text)) return rule;
  const unlessStartOf = partRule(text);
  return typeof rule === 'object' && rule.from !== undefined
    ? { ...rule, unlessStartOf }
    : { from: title.name, unlessStartOf };
}

/** Share, and number, of texts that may begin with their title by chance. */
const MAX_CHANCE_SHARE = 0.05;
const MAX_CHANCE_COUNT = 2;

/** Whether titles are made from the first words of texts. A truncated one proves it. */
function repeatsText(title: ColumnProfile, text: ColumnProfile): boolean {
  const starts = title.column.texts.filter((value, index) => {
    const whole = text.column.texts[index];
    return value !== undefined && whole !== undefined && isStartOf(value, whole);
  });
  if (starts.some((value) => /(?:…|\.\.\.)\W*$/u.test(value ?? ''))) return true;
  return (
    starts.length > MAX_CHANCE_COUNT && starts.length >= title.filled.length * MAX_CHANCE_SHARE
  );
}

/** Skips records without a text, as the platform has nothing to show for them. */
export function blankTextSkips(context: RuleContext): readonly DraftSkip[] {
  const columns = textColumns(context);
  const names = columns.map(({ name }) => name);
  if (names.length === 0) return [];
  let blank = 0;
  for (let index = 0; index < context.records; index += 1) {
    if (columns.every(({ column }) => column.texts[index] === undefined)) blank += 1;
  }
  const [only] = columns;
  const single = names.length === 1 && only !== undefined;
  const skip: DraftSkip = {
    condition: { from: single ? only.name : names, blank: true },
    evidence:
      blank === 0
        ? 'every record of the sample has a text'
        : `${percent(blank / context.records)} of the records have no text (${thousands(blank)} of ${thousands(context.records)})`,
  };
  const absent = single ? absentWords(only.filled) : [];
  if (!single || absent.length === 0) return [skip];
  const evidence = `${absent.map(quoted).join(', ')} in ${columnLabel(only)} means "no text"`;
  return [skip, { condition: { from: only.name, in: absent }, evidence }];
}
