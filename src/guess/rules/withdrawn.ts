/** Asks about reviews that were deleted, hidden or not approved, lack consent, or are unfinished. */
import { thousands } from '../../model/figures.js';
import { conceptsOf, hasAny, isNegation, nameWords } from '../lexicon/name-concepts.js';
import { hasConsentWord, isShown, recommends, withholdsName } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';
import { valuesInFile } from '../repairs.js';
import {
  columnLabel,
  type DraftField,
  type GuessQuestion,
  questionOf,
  quoted,
  type RuleContext,
} from './draft.js';

/** Asks whether to import the records whose status means that their review isn't to be shown. */
export function withdrawnQuestions(
  { profiles, records }: RuleContext,
  fields: readonly DraftField[],
): readonly GuessQuestion[] {
  return profiles.flatMap((profile) => {
    const values = withdrawnValues(profile);
    const times = profile.filled.filter((text) => values.includes(text)).length;
    if (times === 0 || times === records) return [];
    const stated = values.map(quoted).join(' or ');
    const ask = `${columnLabel(profile)} is ${stated} in ${thousands(times)} of ${thousands(records)} records: check whether to import them`;
    const value = { from: profile.name, in: valuesInFile([profile], values) };
    const edits = [{ path: ['skip', '-'], value }];
    return questionOf({ field: null, ask, when: 'To leave them out', edits }, fields);
  });
}

/** Maximum number of different values in a column of statuses. */
const MAX_STATUSES = 20;

/** Lists the values of a column that mean "not shown": of `Status` deleted and spam, of `approved` no. */
function withdrawnValues(profile: ColumnProfile): readonly string[] {
  const { name, concepts, distinct, filled, column, unknownWords } = profile;
  if (column.list || distinct > MAX_STATUSES) return [];
  const texts = [...new Set(filled)];
  if (namesConsent(name)) {
    const answers = texts.map((text) => agrees(text) ?? (withholdsName(text) || undefined));
    return answers.includes(undefined) ? [] : texts.filter((_, at) => answers[at] === false);
  }
  if (hasAny(profile, 'statusOfOther')) return [];
  if (concepts.has('status') && (unknownWords === 0 || concepts.has('review'))) {
    const found = texts.filter((text) => isShown(text) === false);
    if (found.length > 0) return found;
  }
  const flag = name.split('.').at(-1) ?? name;
  const isFlag = texts.every((text) => recommends(text) !== undefined) && namesStatus(flag);
  return isFlag ? texts.filter((text) => recommends(text) !== isShown(flag)) : [];
}

/** Returns whether an answer begins with yes or no. */
function agrees(answer: string): boolean | undefined {
  return recommends(nameWords(answer)[0] ?? '');
}

/** Returns whether a name asks to publish the review, or means consent or a finished form, and nothing else. */
export function namesConsent(name: string): boolean {
  const words = nameWords(name);
  const isOf = (word: string, group: 'ofFlag' | 'otherConsent'): boolean =>
    hasAny({ concepts: conceptsOf(word) }, group);
  if (asksToPublish(words)) return !words.some((word) => isOf(word, 'otherConsent'));
  const others = words.filter((word) => !hasConsentWord([word], 'whole'));
  return others.length < words.length && others.every((word) => isOf(word, 'ofFlag'));
}

/** Returns whether words ask to publish a review, to quote it, or for permission to use it. */
function asksToPublish(words: readonly string[]): boolean {
  if (hasConsentWord(words, 'publish')) return true;
  if (!hasConsentWord(words, 'permission')) return false;
  const isText = (word: string): boolean =>
    hasAny({ concepts: conceptsOf(word) }, ['text', 'review']);
  return hasConsentWord(words, 'quote') || (hasConsentWord(words, 'use') && words.some(isText));
}

/** Lists the answers of a column that don't allow to show the author's name. */
export function refusalsOfName({ name, filled, distinct, column }: ColumnProfile): string[] {
  if (column.list || distinct > MAX_STATUSES) return [];
  const asksForName = asksToPublish(nameWords(name)) && hasConsentWord(nameWords(name), 'name');
  const asks = namesConsent(name);
  return [...new Set(filled)].filter((text) =>
    asksForName ? agrees(text) === false : withholdsName(text) && (asks || agrees(text)),
  );
}

/** Returns whether a name means that a review is shown or not, and nothing else: `is_deleted`, `Review approved`. */
function namesStatus(name: string): boolean {
  const others = nameWords(name).filter((word) => isShown(word) === undefined && !isNegation(word));
  const isOnly = others.every((word) => hasAny({ concepts: conceptsOf(word) }, 'ofFlag'));
  return isShown(name) !== undefined && isOnly;
}
