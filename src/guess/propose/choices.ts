/** Proposes the closed questions of a survey: one choice or several, a number, yes or no. */
import { nameWords } from '../lexicon/name-concepts.js';
import { type ColumnProfile, isDateColumn, isQuestion } from '../profile-column.js';
import { frequencies } from '../ranking.js';
import { MIN_SCORE, type Propose, type Table } from './candidate.js';

/** Proposes with the lowest score, so that any other purpose of a column wins. */
export const proposeChoices: Propose = (profile, table) => {
  if (!isSurvey(table) || profile.distinct < 2 || isDateColumn(profile)) return [];
  const isAnswered = isQuestion(profile)
    ? profile.numbers > NEARLY_ALL || areChoices(profile)
    : isStatement(profile) && areChoices(profile);
  return isAnswered ? [{ role: 'choice', profile, score: MIN_SCORE }] : [];
};

const NEARLY_ALL = 0.9;

/** Number of questions from which a table is a survey. */
const MIN_QUESTIONS = 4;

/** Returns whether a table has a column for each question of a form. */
export function isSurvey({ profiles }: Pick<Table, 'profiles'>): boolean {
  return profiles.filter(isQuestion).length >= MIN_QUESTIONS;
}

/** Minimum number of words of a statement to agree with: `The room was clean`. */
const MIN_STATEMENT = 4;

function isStatement({ name }: ColumnProfile): boolean {
  return nameWords(name).length >= MIN_STATEMENT;
}

/** Number of times that people choose an option at least, and minimum share of such options. */
const MIN_TIMES = 3;
const MIN_REPEATED = 0.8;
/** Between the options that one person chose. */
const SEPARATORS = [/;/u, /,/u, /\||\n/u, /$/u];

/**
 * Returns whether values are chosen from a list, one or several: `Wi-Fi; Breakfast`. A few people may
 * have written something else.
 */
export function areChoices({ filled }: ColumnProfile): boolean {
  return SEPARATORS.some((separator) => {
    const options = filled.flatMap((text) => text.split(separator)).map((text) => text.trim());
    const chosen = frequencies(options.filter((text) => text !== ''));
    const times = chosen.map(([, count]) => count).filter((count) => count >= MIN_TIMES);
    const repeated = times.reduce((sum, count) => sum + count, 0);
    return times.length > 1 && repeated >= options.length * MIN_REPEATED;
  });
}
