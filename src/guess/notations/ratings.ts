/** Reads ratings in their various notations. */
import { trim } from '../../mapping/steps/value.js';
import { phrasesOf, plainText } from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

/** A way to write a rating, with the steps that read it. */
export interface RatingNotation {
  /** Describes the notation in messages; unique. */
  readonly name: string;
  /** Step `match` that extracts the number; absent if the text is the number. */
  readonly match?: string;
  /** Whether other things are written like this, too, for example `Room 12`. */
  readonly loose?: true;
  /** Whether other shares are written like this, too, for example discounts. */
  readonly shares?: true;
  /** Highest number of the scale, if the notation states it. */
  readonly highest?: number;
  /** Numbers by text, if ratings aren't written in digits. */
  readonly values?: Readonly<Record<string, number>>;
}

/** A rating read from a text. */
export interface ReadRating {
  readonly notation: RatingNotation;
  readonly value: number;
  /** The text without its number. */
  readonly around: string;
  /** The digits as written. */
  readonly digits: string;
}

const NUMBER = '(\\d{1,3}(?:[.,]\\d+)?)';
const OF = `(?:/|(?:${WORDS.outOf.join('|')})(?=\\s))`;
/** Words between the highest number and the rating: `5つ星のうち4.0`. */
const OF_FIRST = `(?:${WORDS.outOfFirst.join('|')})`;
const OUT_OF = `${NUMBER}\\s*(?:\\p{L}+\\s+)?${OF}\\s*`;
const UNIT =
  '(?:stars?|sterne?n?|estrellas?|[eé]toiles?|sterren|ster|estrelas?|hvězd\\p{L}*|points?|punkte?|puntos?|pontos?|bod\\p{L}*|bubbles?|★|⭐)';
/** A number as ratings are written; coordinates have more decimals. */
const PLAIN = /^(\d{1,3}(?:[.,]\d{1,3})?)$/u;
const OUT_OF_FIRST = new RegExp(`(?<!\\d)(\\d{1,3})\\s*${OF_FIRST}\\s*${NUMBER}`, 'iu');
/** A month and a day: ratings have no leading zeros. */
const MONTH_AND_DAY = /^0\d[.,]\d\d$/u;
const PERCENT = /^(\d{1,3}(?:[.,]\d+)?)\s?%$/u;
const SHARE = `^${NUMBER}\\s?%`;
const OUT_OF_ANY = new RegExp(`${OUT_OF}(\\d{1,3})(?![\\d.,]*\\d)`, 'iu');
const BUBBLE = /(?:bubble|stars?|rating|score|note)s?[_-]?(\d{2})(?!\d)/iu;
const CLASS = /(?:bubble|stars?|rating|score|note)s?[_-]?(\d(?:[.,]\d)?)(?!\d)/iu;
const WITH_UNIT = new RegExp(`${NUMBER}\\s*-?\\s*${UNIT}`, 'iu');
const UNIT_FIRST = new RegExp(`${UNIT}\\s*:?\\s*${NUMBER}`, 'iu');
const LEADING = new RegExp(`^${NUMBER}(?=\\s*[-–—:,(]|\\s)`, 'u');
const TRAILING = new RegExp(`${NUMBER}$`, 'u');
const STARS = /^(?:[★⭐🌟✭✮●☆✩✰○½⯨⯪]\ufe0f?\s*)+$/u;
/** Length of a rating's text, in UTF-16 code units; markup may be longer. */
const MAX_LENGTH = 80;
const MAX_MARKUP_LENGTH = 400;

/** Reads the rating in a text; `undefined` if there is none. */
export function readRating(text: string): ReadRating | undefined {
  if (text.length > (text.startsWith('<') ? MAX_MARKUP_LENGTH : MAX_LENGTH)) return undefined;
  const plain = PLAIN.exec(text);
  if (plain && MONTH_AND_DAY.test(text)) return undefined;
  if (plain) return read({ name: 'numbers' }, plain[1]);
  if (STARS.test(text)) return readStars(text);
  return (
    readOutOf(text) ?? readPercent(text) ?? readBubble(text) ?? readUnit(text) ?? readLoose(text)
  );
}

function read(notation: RatingNotation, digits: string | undefined): ReadRating | undefined {
  if (digits === undefined) return undefined;
  return { notation, digits, around: '', value: Number(digits.replace(',', '.')) };
}

function readOutOf(text: string): ReadRating | undefined {
  const [, first, rated] = OUT_OF_FIRST.exec(text) ?? [];
  if (first !== undefined && Number(rated?.replace(',', '.')) <= Number(first)) {
    const match = `${first}\\s*${OF_FIRST}\\s*${NUMBER}`;
    return read({ name: `numbers out of ${first}`, match, highest: Number(first) }, rated);
  }
  const [, digits, highest] = OUT_OF_ANY.exec(text) ?? [];
  const top = Number(highest);
  if (digits === undefined || !(top >= 2 && top <= 100)) return undefined;
  if (Number(digits.replace(',', '.')) > top) return undefined;
  const match = `${NUMBER}\\D+${top}(?![\\d.,]*\\d)`;
  return read({ name: `numbers out of ${top}`, match, highest: top }, digits);
}

function readPercent(text: string): ReadRating | undefined {
  const [, digits] = PERCENT.exec(text) ?? [];
  return read({ name: 'percentages', match: SHARE, highest: 100, shares: true }, digits);
}

/** Reads CSS class names: `bubble_45` is 4.5 bubbles. */
function readBubble(text: string): ReadRating | undefined {
  const [whole, tens] = BUBBLE.exec(text) ?? [];
  if (whole !== undefined && tens !== undefined && Number(tens) <= 50) {
    const word = whole.replace(/\d.*$/u, '');
    return read({ name: `names like ${word}50`, match: `${word}(\\d{2})`, highest: 50 }, tens);
  }
  const [name, digit] = CLASS.exec(text) ?? [];
  if (name === undefined || Number(digit?.replace(',', '.')) > 5) return undefined;
  const word = name.replace(/\d.*$/u, '');
  const match = `${word}(\\d(?:[.,]\\d)?)(?!\\d)`;
  return read({ name: `names like ${word}5`, match, highest: 5 }, digit);
}

function readUnit(text: string): ReadRating | undefined {
  const [, before] = WITH_UNIT.exec(text) ?? [];
  if (before !== undefined) return read({ name: 'numbers with a unit', match: NUMBER }, before);
  const [, behind] = UNIT_FIRST.exec(text) ?? [];
  return read({ name: 'numbers with a unit', match: NUMBER }, behind);
}

/** Reads a number at the start or end of a few words: `4 - Good`, `Scored 9.0`. */
function readLoose(text: string): ReadRating | undefined {
  if (text.length > 40 || /^[-+]\d|\d[-/.:]\d+[-/.:]\d/u.test(text)) return undefined;
  const [, leading] = LEADING.exec(text) ?? [];
  const [, trailing] = TRAILING.exec(text) ?? [];
  const around = text.replace(leading ?? trailing ?? '', '');
  if (/\d/u.test(around)) return undefined;
  const found =
    leading === undefined
      ? read({ name: 'numbers at the end', match: `${NUMBER}$`, loose: true }, trailing)
      : read({ name: 'numbers at the start', match: `^${NUMBER}`, loose: true }, leading);
  return found === undefined ? undefined : { ...found, around };
}

const FULL = /[★⭐🌟✭✮●]/gu;
const HALF = /[½⯨⯪]/gu;

function readStars(text: string): ReadRating | undefined {
  const full = text.match(FULL)?.length ?? 0;
  const half = text.match(HALF)?.length ?? 0;
  const value = full + half / 2;
  if (value > 10) return undefined;
  const notation = { name: 'stars', values: { [trim(text)]: value } };
  return { notation, value, around: '', digits: String(value) };
}

/** Strengths above and below which a verdict is clearly good or bad. */
const GOOD = 70;
const BAD = 30;
const MAX_VERDICTS = 14;

let strengths: ReadonlyMap<string, number> | undefined;

function strengthOf(text: string): number | undefined {
  if (text.length > 40) return undefined;
  strengths ??= new Map(
    WORDS.verdicts.flatMap(({ strength, words }) =>
      phrasesOf(words).map((word) => [word, strength] as const),
    ),
  );
  // `satisfecho/a`, `zufrieden(e)`
  return strengths.get(plainText(text.replace(/[/(]-?\p{L}{1,2}\)?(?=\s|$)/gu, '')));
}

/** Ratings of a column in words, for example `excellent`. */
export interface Verdicts {
  /** If there are only two levels, good and bad: for each text whether it is good. */
  readonly sides?: ReadonlyMap<string, boolean>;
  /** If there are more levels: for each text its rating from 1 to 5. */
  readonly ratings?: Readonly<Record<string, number>>;
}

/**
 * Reads a column's distinct texts as verdicts; `undefined` unless all are. With three levels or more,
 * one text may be unknown.
 */
export function readVerdicts(distinct: readonly string[]): Verdicts | undefined {
  if (distinct.length < 2 || distinct.length > MAX_VERDICTS) return undefined;
  const found = new Map<string, number>();
  for (const text of distinct) {
    const strength = strengthOf(text);
    if (strength !== undefined) found.set(text, strength);
  }
  const unknown = distinct.length - found.size;
  const levels = [...new Set(found.values())].toSorted((a, b) => a - b);
  if (levels.length < 2 || unknown > (levels.length > 2 ? 1 : 0)) return undefined;
  if (levels.length === 2) return verdictSides(found);
  const entries = [...found].map(([text, strength]) => [text, ratingOf(strength, levels)] as const);
  return { ratings: Object.fromEntries(entries.toSorted(([, a], [, b]) => b - a)) };
}

function verdictSides(found: ReadonlyMap<string, number>): Pick<Verdicts, 'sides'> {
  const isClear = [...found.values()].every((strength) => strength > GOOD || strength < BAD);
  const sides = new Map([...found].map(([text, strength]) => [text, strength > GOOD]));
  return isClear && new Set(sides.values()).size === 2 ? { sides } : {};
}

/** Rates a verdict: five levels are 1 to 5 in order; with fewer or more, by strength. */
function ratingOf(strength: number, levels: readonly number[]): number {
  if (levels.length === 5) return 1 + levels.indexOf(strength);
  if (strength === levels.at(-1) && strength > GOOD) return 5;
  return Math.min(5, Math.max(1, Math.round(1 + strength / 25)));
}
