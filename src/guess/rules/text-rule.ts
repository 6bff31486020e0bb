import type { Rule } from '../../mapping/mapping.js';
import { isStartOf } from '../../mapping/steps/text.js';
import { thousands } from '../../model/figures.js';
import { absentWords } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/candidate.js';
import { isTemplated, isWords } from '../propose/text.js';
import {
  allChosen,
  type Chosen,
  type Confidence,
  called,
  chosen,
  columnRule,
  confidenceOf,
  type DraftField,
  type DraftSkip,
  example,
  otherThan,
  percent,
} from './draft.js';

const PARTS: readonly Role[] = ['title', 'text', 'positive', 'negative'];

/** The columns that make up the text, in the order in which they are joined. */
export function textColumns(from: Chosen): readonly ColumnProfile[] {
  const profiles = (role: Role): readonly ColumnProfile[] =>
    allChosen(from, role).map(({ profile }) => profile);
  // A survey's answers stand in the order of its questions, whichever of them is the text.
  const answers = [...profiles('text'), ...profiles('answer')].toSorted(
    (a, b) => a.column.position - b.column.position,
  );
  const parts = PARTS.flatMap((role) => (role === 'text' ? answers : profiles(role)));
  return parts.length > 0 ? parts : longestColumn(from);
}

/** When nothing looks like a review, the longest words have to do. */
function longestColumn({ profiles }: Chosen): readonly ColumnProfile[] {
  const words = profiles.filter(isWords).toSorted((a, b) => b.length - a.length);
  return words.slice(0, 1);
}

/** The rule for the text: title, text, what was liked and what was not, joined. */
export function textField(from: Chosen): DraftField | undefined {
  const columns = textColumns(from);
  if (columns.length === 0) return undefined;
  const title = chosen(from, 'title')?.profile;
  const text = chosen(from, 'text');
  const rules = columns.map((profile) =>
    profile === title && text !== undefined ? titleRule(profile, text.profile) : partRule(profile),
  );
  const [only] = rules;
  const rule: Rule =
    rules.length === 1 && only !== undefined ? only : { join: rules, with: '\n\n' };
  const best = Math.max(0, ...PARTS.map((role) => chosen(from, role)?.score ?? 0));
  const confidence = confidenceOf(best);
  const markup = columns.some(({ markup: share }) => share > 0) ? '; markup is taken off' : '';
  const todo = textTodo(from, columns, confidence);
  const evidence = `${columns.map(called).join(', ')}: ${describe(columns)}${markup}`;
  return { path: ['text'], rule, confidence, evidence, todo };
}

/** What a person has to look at: whether it is the text, or whether another column rather is. */
function textTodo(
  from: Chosen,
  columns: readonly ColumnProfile[],
  confidence: Confidence,
): string | undefined {
  const templated = columns.find(isTemplated);
  if (templated !== undefined) {
    return `check that ${called(templated)} is what the author wrote: its values look counted or filled in, such as ${example(templated.filled[0] ?? '')}`;
  }
  const passedOver = from.profiles.find(
    (profile) => !columns.includes(profile) && looksMade(profile) && speaksOfText(profile),
  );
  if (passedOver !== undefined) {
    return `check the text: ${called(passedOver)} was passed over, as its values look counted or filled in, such as ${example(passedOver.filled[0] ?? '')}`;
  }
  const nameless = from.profiles.filter(
    (profile) => !columns.includes(profile) && mayBeWords(profile, from),
  );
  if (nameless.length > 0) {
    return `check whether ${nameless.slice(0, 4).map(called).join(', ')} belong to it, such as its title: nothing is known of such names`;
  }
  return confidence === 'low'
    ? 'check that this is what the author wrote: no column looks like it for sure'
    : undefined;
}

/** Whether a column that serves no purpose, and whose name means nothing known, holds words. */
function mayBeWords(profile: ColumnProfile, { assignment }: Chosen): boolean {
  const { concepts, column, distinctShare, filled, length, unknown } = profile;
  if (concepts.size > 0 || unknown === 0 || column.unnamed || !isWords(profile)) return false;
  const taken = [...assignment.roles.values()].flat().some((one) => one.profile === profile);
  if (taken || profile.codes > 0.5 || length < 4 || filled.length === 0) return false;
  return profile.distinct > 5 && distinctShare > 0.1 && profile.date === undefined;
}

function looksMade(profile: ColumnProfile): boolean {
  return profile.counted > 0.9 || isTemplated(profile);
}

function speaksOfText(profile: ColumnProfile): boolean {
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
  return `up to ${Math.max(1, Math.round(longest))} words a value on average`;
}

function partRule(profile: ColumnProfile): Rule {
  const strip = profile.markup > 0 ? ({ strip: 'html' } as const) : {};
  const absent = absentWords(profile.filled);
  if (profile.column.list) return { join: [{ from: profile.name, ...strip }], with: '\n' };
  if (absent.length > 0) return { from: profile.name, ...strip, match: otherThan(absent) };
  return profile.markup > 0 ? { from: profile.name, ...strip } : columnRule(profile);
}

/** A title that is the text's first words is not said twice. */
function titleRule(title: ColumnProfile, text: ColumnProfile): Rule {
  const rule = partRule(title);
  if (!repeatsText(title, text)) return rule;
  const unlessStartOf = partRule(text);
  return typeof rule === 'object' && rule.from !== undefined
    ? { ...rule, unlessStartOf }
    : { from: title.name, unlessStartOf };
}

/** A text may begin with its title by chance, as long as that is seldom. */
const SELDOM = 0.05;
const FEW = 2;

/** Whether titles are made of the texts' first words. One that was cut is made so beyond doubt. */
function repeatsText(title: ColumnProfile, text: ColumnProfile): boolean {
  const starts = title.column.texts.filter((value, index) => {
    const whole = text.column.texts[index];
    return value !== undefined && whole !== undefined && isStartOf(value, whole);
  });
  if (starts.some((value) => /(?:…|\.\.\.)\W*$/u.test(value ?? ''))) return true;
  return starts.length > FEW && starts.length >= title.filled.length * SELDOM;
}

/** Records without a word are left out: the platform shows texts, and there is none to show. */
export function blankTextSkips(from: Chosen): readonly DraftSkip[] {
  const columns = textColumns(from);
  const names = columns.map(({ name }) => name);
  if (names.length === 0) return [];
  let blank = 0;
  for (let index = 0; index < from.records; index += 1) {
    if (columns.every(({ column }) => column.texts[index] === undefined)) blank += 1;
  }
  const [only] = columns;
  const single = names.length === 1 && only !== undefined;
  const skip: DraftSkip = {
    condition: { from: single ? only.name : names, blank: true },
    evidence:
      blank === 0
        ? 'no record of the sample is without a text'
        : `${percent(blank / from.records)} of the records have no text (${thousands(blank)} of ${thousands(from.records)})`,
  };
  const absent = single ? absentWords(only.filled) : [];
  if (!single || absent.length === 0) return [skip];
  const evidence = `${absent.map(example).join(', ')} in ${called(only)} stands for no text`;
  return [skip, { condition: { from: only.name, in: absent }, evidence }];
}
