import type { Rule } from '../../mapping/mapping.js';
import { columnRule } from '../../mapping/rules.js';
import { isStartOf } from '../../mapping/steps/text.js';
import { count, thousands } from '../../model/figures.js';
import { hasAny } from '../lexicon/name-concepts.js';
import { absentWords, noComplaints } from '../notations/known-values.js';
import { askedText, type ColumnProfile, isQuestion, shortened } from '../profile-column.js';
import { isSurvey } from '../propose/choices.js';
import type { Role } from '../propose/roles.js';
import {
  isInternal,
  isOfSpeaker,
  isOtherText,
  isTemplated,
  isWords,
  MIN_SENTENCE,
  occursIn,
} from '../propose/text.js';
import { translates } from '../propose/translation.js';
import { valuesInFile } from '../repairs.js';
import {
  anyExcept,
  type ChecklistEntry,
  type Confidence,
  columnFor,
  columnLabel,
  columnsFor,
  confidenceOf,
  type DraftField,
  type DraftSkip,
  type FieldChoice,
  isTaken,
  quoted,
  type RuleContext,
  sharePercent,
  without,
  withRole,
} from './draft.js';

/** Roles that make up the text, in the order in which they are joined. */
const PARTS: readonly Role[] = ['title', 'text', 'positive', 'negative'];

/** Lists the columns that make up the text, in the order of joining. */
export function textColumns(context: RuleContext): readonly ColumnProfile[] {
  const profiles = (role: Role): readonly ColumnProfile[] =>
    columnsFor(context, role).map(({ profile }) => profile);
  const inFileOrder = (...roles: readonly Role[]): readonly ColumnProfile[] =>
    roles.flatMap(profiles).toSorted((a, b) => a.column.position - b.column.position);
  const all = inFileOrder('text', 'answer', 'positive', 'negative');
  // Keep a survey's answers in the order of its questions.
  const parts = context.profiles.some(isQuestion)
    ? all
    : [...inFileOrder('text', 'answer'), ...profiles('positive'), ...profiles('negative')];
  const columns = [...profiles('title'), ...parts];
  return columns.length > 0 ? columns : longestColumn(context);
}

/** Maximum share of codes in a text. */
const MAX_CODES = 0.5;

/** Mean number of words from which a column without a telling name may be the text. */
const MIN_FALLBACK = 1.5;

/** Falls back to the free column with the longest texts if none looks like a review. */
function longestColumn(context: RuleContext): readonly ColumnProfile[] {
  const isFree = (profile: ColumnProfile): boolean =>
    isWords(profile) &&
    profile.words >= MIN_FALLBACK &&
    !isInternal(profile) &&
    profile.codes <= MAX_CODES &&
    profile.date === undefined &&
    !isTaken(profile, context);
  return context.profiles
    .filter(isFree)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 1);
}

/** Makes the text: title, text, praise and complaints, joined. */
export function textFields(context: RuleContext): readonly DraftField[] {
  const columns = textColumns(context);
  if (columns.length === 0) return [];
  const best = Math.max(0, ...PARTS.map((role) => columnFor(context, role)?.score ?? 0));
  const confidence = columns.every(isTemplated) ? 'low' : confidenceOf(best);
  const isMany = columns.length > MAX_CLEAR;
  const names = isMany ? count(columns.length, 'column') : columns.map(columnLabel).join(', ');
  const markup = columns.some(({ markup: share }) => share > 0) ? '; markup is removed' : '';
  return [
    {
      path: ['text'],
      rule: textRule(
        columns,
        columnFor(context, 'title')?.profile,
        columnFor(context, 'text')?.profile,
      ),
      confidence: isMany && confidence === 'high' ? 'medium' : confidence,
      evidence: `${names}: ${describe(columns)}${markup}`,
      ...textQuestion(context, columns, confidence),
    },
  ];
}

/**
 * Joins columns in this order.
 * @param title left out where `text` begins with it
 */
export function textRule(
  columns: readonly ColumnProfile[],
  title: ColumnProfile | undefined,
  text: ColumnProfile | undefined,
): Rule {
  const hasHeadings = columns.filter(isQuestion).length > MAX_WITHOUT_HEADINGS;
  const rules = columns.map((profile) => {
    if (profile === title && text !== undefined) return titleRule(profile, text);
    const rule = partRule(profile);
    return hasHeadings && isQuestion(profile) ? withHeading(rule, profile) : rule;
  });
  const [only] = rules;
  return rules.length === 1 && only !== undefined ? only : { join: rules, with: '\n\n' };
}

/** Number of a survey's open questions whose answers are clear without them. */
const MAX_WITHOUT_HEADINGS = 2;

/** Puts the question above an answer, where there is one. */
function withHeading(rule: Rule, profile: ColumnProfile): Rule {
  const heading = askedText(profile);
  if (typeof rule === 'string') return `${heading.replace(/[{}]/gu, '$&$&')}\n${rule}`;
  if (typeof rule !== 'object' || rule.join !== undefined) return rule;
  return { ...rule, replace: { '^(?=[\\s\\S])': `${heading.replaceAll('$', '$$$$')}\n` } };
}

/** Number of a survey's answers that are the review without a question. */
const MAX_CLEAR = 4;

/** Asks whether the chosen columns are the text, or a different one. */
function textQuestion(
  context: RuleContext,
  columns: readonly ColumnProfile[],
  confidence: Confidence,
): Pick<DraftField, 'doubts' | 'choices'> {
  const unclear = columns.filter((profile) => columns.length > 1 && hasUnclearName(profile));
  const translated = translationsOf(columns, context);
  const unused = context.profiles.filter(
    (profile) =>
      (mayBeWords(profile, context) || maySpeak(profile)) &&
      !translated.some((one) => one.profile === profile) &&
      !columns.some((column) => column === profile || occursIn(profile, column)),
  );
  const isDoubted = columns.length > MAX_CLEAR || unclear.length + unused.length > 0;
  if (isSurvey(context) && isDoubted) {
    return { choices: [checklistChoice(context, columns, unused)] };
  }
  const templated = columns.find(isTemplated);
  const choices =
    templated === undefined
      ? [
          ...unclear.map((profile) => partChoice(profile, UNCLEAR_PART, context)),
          ...translated.map((one) => translationChoice(one, columns, context)),
          ...(unused.length === 0 ? [] : [unusedChoice(unused, context)]),
        ]
      : [partChoice(templated, `what the author wrote: ${generated(templated)}`, context)];
  if (choices.length > 0) return { choices };
  return { doubts: confidence === 'low' ? ['no column clearly is'] : [] };
}

const UNCLEAR_PART = 'part of the review: only its sentences suggest it';

function partChoice(profile: ColumnProfile, what: string, context: RuleContext): FieldChoice {
  const ask = `check that ${columnLabel(profile)} is ${what}`;
  return { ask, when: 'If not', change: without(context, [profile]) };
}

function unusedChoice(unused: readonly ColumnProfile[], context: RuleContext): FieldChoice {
  const belong = unused.length === 1 ? 'belongs' : 'belong';
  const ask = `check whether ${columnNames(unused)} ${belong} to the text`;
  return { ask, when: 'If so', change: withParts(context, unused) };
}

/** A column that says in another language what one of the text says. */
interface Translation {
  readonly profile: ColumnProfile;
  readonly original: ColumnProfile;
}

function translationsOf(
  columns: readonly ColumnProfile[],
  { profiles }: RuleContext,
): readonly Translation[] {
  return profiles.flatMap((profile) => {
    const original = columns.find((column) => translates(profile, column));
    return original === undefined || columns.includes(profile) ? [] : [{ profile, original }];
  });
}

function translationChoice(
  { profile, original }: Translation,
  columns: readonly ColumnProfile[],
  context: RuleContext,
): FieldChoice {
  const [label, other] = [profile, original].map(columnLabel);
  const swapped = columns.map((column) => (column === original ? profile : column));
  return {
    ask: `check that ${other} is the original: ${label} says the same in another language`,
    when: `If ${label} is to be the text`,
    change: withText(context, swapped),
  };
}

function generated({ filled }: ColumnProfile): string {
  return `its values look counted or generated, for example ${quoted(filled[0] ?? '')}`;
}

/** Copies the context with further columns as parts of the text. */
function withParts(context: RuleContext, columns: readonly ColumnProfile[]): RuleContext {
  const parts = columns.map((profile) => ({ role: 'answer' as const, profile, score: 1 }));
  const roles = new Map(context.assignment.roles);
  roles.set('answer', [...columnsFor(context, 'answer'), ...parts]);
  return { ...context, assignment: { ...context.assignment, roles } };
}

/** Copies the context with these columns as the whole text. */
export function withText(context: RuleContext, columns: readonly ColumnProfile[]): RuleContext {
  const bare = [...PARTS, 'answer' as const].reduce(
    (one, role) => withRole(one, role, undefined),
    context,
  );
  return withParts(bare, columns);
}

/** Returns whether a column isn't a question, and its name doesn't mean a part of a review. */
function hasUnclearName(profile: ColumnProfile): boolean {
  const isClear = isQuestion(profile) || profile.column.unnamed || hasAny(profile, 'partOfReview');
  return !isClear;
}

function maySpeak(profile: ColumnProfile): boolean {
  return isOfSpeaker(profile) && profile.words >= MIN_SENTENCE;
}

/** Share of a column's values that may hold bytes that can't be decoded. */
const MAX_BROKEN = 0.05;
/** Minimum mean number of words of titles, in a column with an unknown name. */
const MIN_TITLE = 2.2;
/** Maximum number of columns named in a question. */
const MAX_NAMED = 4;

function columnNames(profiles: readonly ColumnProfile[]): string {
  return profiles.slice(0, MAX_NAMED).map(columnLabel).join(', ');
}

/** Returns whether an unused column with an unknown name may hold words. */
function mayBeWords(profile: ColumnProfile, context: RuleContext): boolean {
  const { concepts, column, distinctShare, filled, length, unknownWords, words } = profile;
  if (column.unnamed || !isWords(profile) || isOtherText(profile, context)) return false;
  if (words < MIN_SENTENCE && (concepts.size > 0 || unknownWords === 0)) return false;
  if (words < MIN_TITLE) return false;
  if (profile.broken > MAX_BROKEN || isTaken(profile, context)) return false;
  if (profile.codes > MAX_CODES || length < 4 || filled.length === 0) return false;
  return profile.distinct > 5 && distinctShare > 0.1 && profile.date === undefined;
}

function describe(columns: readonly ColumnProfile[]): string {
  const counts = columns.map(({ words }) => Math.round(words)).toSorted((a, b) => a - b);
  const [least = 1] = counts;
  const most = counts.at(-1) ?? least;
  return `${least === most ? '' : `${thousands(least)} to `}${count(most, 'word')} per value on average`;
}

function partRule(profile: ColumnProfile): Rule {
  const strip = profile.markup > 0 ? ({ strip: 'html' } as const) : {};
  const absent = absentValues(profile);
  if (profile.column.list) return { join: [{ from: profile.name, ...strip }], with: '\n' };
  if (absent.length > 0) return { from: profile.name, ...strip, match: anyExcept(absent) };
  return profile.markup > 0 ? { from: profile.name, ...strip } : columnRule(profile);
}

/** Lists the texts of a column that mean "nothing was written". */
function absentValues({ column, concepts, filled }: ColumnProfile): readonly string[] {
  if (column.list) return [];
  return [...absentWords(filled), ...(concepts.has('negative') ? noComplaints(filled) : [])];
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

/** Returns whether titles are made from the first words of texts. A truncated one proves it. */
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
  const [first = '', ...others] = columns.map(({ name }) => name);
  if (columns.length === 0) return [];
  const absent = [...new Set(columns.flatMap(absentValues))];
  let blank = 0;
  for (let index = 0; index < context.records; index += 1) {
    const texts = columns.flatMap(({ column }) => column.texts[index] ?? []);
    if (texts.every((text) => absent.includes(text))) blank += 1;
  }
  const verb = absent.length === 1 ? 'counts' : 'count';
  const means = absent.length === 0 ? '' : `; ${absent.map(quoted).join(', ')} ${verb} as none`;
  return [
    {
      condition: {
        from: others.length === 0 ? first : [first, ...others],
        blank: true,
        ...(absent.length === 0 ? {} : { in: valuesInFile(columns, absent) }),
      },
      evidence:
        blank === 0
          ? 'every record of the sample has a text'
          : `${sharePercent(blank / context.records)} of the records have no text (${thousands(blank)} of ${thousands(context.records)})${means}`,
    },
  ];
}

/**
 * Asks about all columns that may be the review.
 * @param chosen those that the draft joins
 */
function checklistChoice(
  { profiles }: RuleContext,
  chosen: readonly ColumnProfile[],
  others: readonly ColumnProfile[],
): FieldChoice {
  const listed = profiles.filter((one) => chosen.includes(one) || others.includes(one));
  const entries = listed.map((profile) => entryOf(profile, chosen.includes(profile)));
  return {
    ask: `which answers are the review? ${chosen.length} of ${listed.length} are proposed`,
    when: 'To change that',
    change: { words: checklistText(entries), checklist: entries },
  };
}

function entryOf({ name, words, filled }: ColumnProfile, isChosen: boolean): ChecklistEntry {
  const [sample = ''] = filled.toSorted((a, b) => b.length - a.length).slice(filled.length / 2);
  return { column: name, isChosen, words: Math.round(words), sample: shortened(sample) };
}

/** Words the edit, with a line for each column below it. */
function checklistText(entries: readonly ChecklistEntry[]): string {
  const edit =
    'add or delete a column under text, language and skip (docferry studio changes all three)';
  const lines = entries.map(
    ({ column, isChosen, words, sample }) =>
      `${isChosen ? '[x]' : '[ ]'} ${quoted(column)}, ${count(words, 'word')}: ${quoted(sample)}`,
  );
  return [`${edit}:`, ...lines].join('\n');
}
