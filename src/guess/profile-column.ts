/** Profiles a column's name and values; proposals are based on profiles only. */
import { repairEncoding } from '../mapping/steps/repair-encoding.js';
import type { Column } from './columns.js';
import { type Concept, conceptsOf, unknownWords } from './lexicon/name-concepts.js';
import { isCount } from './notations/counts.js';
import { type DateColumn, dateColumn } from './notations/date-column.js';
import { isPlaceholder, type LanguageColumn, languageColumn } from './notations/known-values.js';
import { type RatingColumn, ratingColumn } from './notations/rating-column.js';
import { readVerdicts } from './notations/ratings.js';
import { conceptsOfParent, isOfParent, ownName } from './parent-columns.js';
import { frequencies } from './ranking.js';

/** Statistics of a column. Shares are of its non-blank values, from 0 to 1. */
export interface ColumnProfile {
  readonly column: Column;
  readonly name: string;
  readonly concepts: ReadonlySet<Concept>;
  /** Number of words in the name that aren't in the lexicon. */
  readonly unknownWords: number;
  /** The non-blank values. */
  readonly filled: readonly string[];
  /** Share of records with a value. */
  readonly filledShare: number;
  readonly distinct: number;
  readonly distinctShare: number;
  /** Mean number of words. */
  readonly words: number;
  /** Mean number of characters. */
  readonly length: number;
  readonly urls: number;
  /** Share of values that look like ids: no white space, and a digit. */
  readonly codes: number;
  readonly integers: number;
  /** Share of values that are numbers of any kind. */
  readonly numbers: number;
  /** Share of values with one whole number among few words: `3 people found this helpful`. */
  readonly counted: number;
  readonly markup: number;
  /** Share of values with bytes that can't be decoded. */
  readonly broken: number;
  readonly emails: number;
  readonly booleans: number;
  /** Share of values that are a time of day. */
  readonly clocks: number;
  /** Whether the values are row numbers. */
  readonly isRowNumber: boolean;
  readonly rating: RatingColumn | undefined;
  readonly date: DateColumn | undefined;
  readonly language: LanguageColumn | undefined;
  /** If the column has two verdicts, for example thumbs up and down: for each text whether it is the good one. */
  readonly sides: ReadonlyMap<string, boolean> | undefined;
}

/**
 * Profiles a column.
 * @param numbers record numbers in the source, one for each value
 */
export function profileColumn(column: Column, numbers: readonly number[]): ColumnProfile {
  const filled = column.texts.filter((text) => text !== undefined);
  const distinct = new Set(filled);
  const share = (test: (text: string) => boolean): number =>
    filled.length === 0 ? 0 : filled.filter(test).length / filled.length;
  const words = mean(filled.map(countWords));
  const short = words <= 20;
  const rating = short ? ratingColumn(filled) : undefined;
  const concepts: ColumnProfile['concepts'] = column.unnamed
    ? new Set()
    : conceptsOfColumn(`${column.name} ${column.label ?? ''}`);
  const date = short ? dateColumn(filled, concepts.has('date')) : undefined;
  const stated = [...distinct].filter((text) => !isPlaceholder(text));
  const sides = short && stated.length === 2 ? readVerdicts(stated)?.sides : undefined;
  const language = words <= 3 ? languageColumn([...distinct]) : undefined;
  return {
    column,
    name: column.name,
    concepts,
    unknownWords: column.unnamed ? 0 : unknownWords(ownName(column.name)),
    filled,
    filledShare: column.texts.length === 0 ? 0 : filled.length / column.texts.length,
    distinct: distinct.size,
    distinctShare: filled.length === 0 ? 0 : distinct.size / filled.length,
    words,
    length: mean(filled.map((text) => text.length)),
    urls: share((text) => /^https?:\/\/[^\s/?#]\S*$/iu.test(text)),
    codes: share(isCode),
    counted: share(isCount),
    integers: share((text) => /^\d{1,18}$/u.test(text)),
    numbers: share((text) => /^[-+]?\d+(?:[.,]\d+)*$/u.test(text)),
    markup: share((text) => /<\/?[a-z][^>]*>|&(?:#x?[\da-f]+|[a-z]{2,8});/iu.test(text)),
    broken: share((text) => text.includes('\ufffd')),
    emails: share((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text)),
    booleans: share((text) =>
      /^(?:true|false|yes|no|ja|nein|nee|oui|non|si|sí|sim|não|ano|ne)$/iu.test(text),
    ),
    clocks: share((text) => /^\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?$/iu.test(text)),
    isRowNumber: isRowNumber(column, numbers),
    rating,
    date,
    language,
    sides,
  };
}

/** Minimum number of rows of a matrix, and the question before the name of a row: `How was it? [Bed]`. */
const MIN_ROWS = 3;
const MATRIX = /^(.{3,}?)(?:\s*\[[^\]]+\]|\s[-–]\s.+|:\s.+)$/u;

/** Takes all rated rows of a matrix for aspects where the name of one means an aspect. */
export function withMatrices(profiles: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const questions = profiles.map(({ name }) => MATRIX.exec(name)?.[1]);
  return profiles.map((profile, at) => {
    const rows = profiles.filter((_, other) => questions[other] === questions[at]);
    const isMatrix = questions[at] !== undefined && rows.length >= MIN_ROWS;
    const isRated = (profile.rating?.share ?? 0) >= 0.9;
    if (!isMatrix || !isRated || !rows.some((row) => row.concepts.has('aspect'))) return profile;
    return { ...profile, concepts: new Set<Concept>([...profile.concepts, 'aspect']) };
  });
}

/** Returns whether a column holds dates, and not sentences with a date in them. */
export function isDateColumn({ date, words }: ColumnProfile): boolean {
  return (date?.share ?? 0) >= 0.9 && words < 15;
}

/** Number of values that may be broken, or share of them if that is more. */
const MAX_BROKEN = 2;
const MAX_BROKEN_SHARE = 0.005;

/** Returns whether more than a few records would be invalid if a mapping used the column. */
export function isBroken({ broken, filled }: ColumnProfile): boolean {
  return broken * filled.length > Math.max(MAX_BROKEN, filled.length * MAX_BROKEN_SHARE);
}

/** Returns whether a column's name, or the description below it, is a question. */
export function isQuestion({ name, column }: Pick<ColumnProfile, 'name' | 'column'>): boolean {
  return `${name} ${column.label ?? ''}`.includes('?');
}

/** The question of a survey's column; if pages of explanation come with it, its last sentence only. */
export function askedText({ name, column }: Pick<ColumnProfile, 'name' | 'column'>): string {
  const { label = '' } = column;
  const whole = repairEncoding(label.includes('?') || !name.includes('?') ? label || name : name);
  if (whole.length <= MAX_ASKED) return whole;
  const [last] = /[^.!?\n]+\?(?=[^?]*$)/u.exec(whole) ?? [whole];
  return shortened(last.trim());
}

/** Maximum length of a question that is written out. */
const MAX_ASKED = 200;

/** Letters of scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
/** Mean length of a word in these scripts. */
const UNSPACED_LENGTH = 2;

/** Counts a text's words; in scripts without spaces, by their usual length. */
export function countWords(text: string): number {
  const letters = text.match(UNSPACED)?.length ?? 0;
  return Math.max(text.split(/\s+/u).length, Math.ceil(letters / UNSPACED_LENGTH));
}

function conceptsOfColumn(name: string): ReadonlySet<Concept> {
  const concepts = conceptsOf(ownName(name));
  return isOfParent(name) ? conceptsOfParent(concepts) : concepts;
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0
    ? 0
    : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function isCode(text: string): boolean {
  const mixed = /\d/u.test(text) && /\p{L}/u.test(text);
  if (/\s/u.test(text) || text.length < (mixed ? 3 : 5)) return false;
  // Random ids may happen to have no digit.
  if (/^(?=\w*[a-z][A-Z]|\w*[A-Z]{2}\w*[a-z])[\w-]{12,40}$/u.test(text)) return true;
  if (/^[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/iu.test(text)) return true;
  return /^[\w:.\-=+/]{3,200}$/u.test(text) && /\d/u.test(text) && !/^\d+[.,]\d+$/u.test(text);
}

/**
 * Returns whether values have a constant distance to the record numbers, so that they identify
 * rows, not reviews; or are the day of the export with a number for each row, in any order.
 */
function isRowNumber({ texts }: Column, numbers: readonly number[]): boolean {
  const rest = numbersOfDay(texts);
  if (rest.length < 3 || !rest.every((text) => text && /^\d{1,12}$/u.test(text))) return false;
  const values = rest.map(Number);
  const ordered = rest === texts ? values : values.toSorted((a, b) => a - b);
  const distances = ordered.map((value, at) => value - (numbers[at] ?? 0));
  return (frequencies(distances)[0]?.[1] ?? 0) >= values.length * 0.95;
}

/** A day, or the seconds since 1970. */
const DAY =
  /(?:19|20)\d\d([-./_]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])|\d\d([-./_])\d\d\2(?:19|20)\d\d|1[5-9]\d{8}/u;

/** Takes the last number beside the day that all values have, and that is no time: `20261120-7` is 7. */
function numbersOfDay(texts: Column['texts']): Column['texts'] {
  const days = new Set(texts.map((text = '') => DAY.exec(text)?.[0]));
  if (days.size !== 1 || days.has(undefined)) return texts;
  return texts.map((text) =>
    text
      ?.replace(DAY, ' ')
      .match(/(?<![:\d])\d+(?!:)/gu)
      ?.at(-1),
  );
}

const MAX_EXAMPLE_LENGTH = 80;

/** Shortens an example. */
export function shortened(text: string): string {
  const letters = [...text.slice(0, 2 * MAX_EXAMPLE_LENGTH + 2)];
  if (letters.length <= MAX_EXAMPLE_LENGTH) return text;
  return `${letters.slice(0, MAX_EXAMPLE_LENGTH - 1).join('')}…`;
}
