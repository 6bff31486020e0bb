import { hasAny, listWords, nameWords } from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };
import { namesThings } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';
import {
  type Candidate,
  candidate,
  describesThing,
  MIN_SCORE,
  type Propose,
  type Table,
  weigh,
} from './candidate.js';
import { areChoices, isSurvey } from './choices.js';

/** Proposes columns of words: the text, its title, praise, complaints, and answers. */
export const proposeText: Propose = (profile, table) => {
  if (!isWords(profile) || isClosed(profile, table)) return [];
  return [
    ...candidate('text', profile, textScore(profile, table)),
    ...titleCandidate(profile, table),
    ...praiseAndComplaintCandidates(profile),
    ...answerCandidate(profile, table),
  ];
};

/** Returns whether a survey's answers are chosen from a list; a sentence may be written several times. */
function isClosed(profile: ColumnProfile, table: Table): boolean {
  return isSurvey(table) && areChoices(profile) && !areSentences(profile, MIN_ANSWERS);
}

/** Returns whether a column holds words, not numbers, dates, ratings or URLs. */
export function isWords(profile: ColumnProfile): boolean {
  const { filled, rating, date, urls, emails, booleans, clocks, numbers } = profile;
  if (filled.length === 0 || urls > 0.3 || emails > 0.3 || booleans > 0.9) return false;
  if (clocks > 0.9 || numbers > 0.9 || profile.sides !== undefined) return false;
  return (rating?.share ?? 0) < 0.7 && (date?.share ?? 0) < 0.7;
}

/** Distinct texts per template from which values count as generated. */
const MIN_PER_TEMPLATE = 3;
const MIN_RECORDS = 6;

/** Returns whether values differ only in their numbers: `3 people found this helpful`. */
export function isTemplated({ filled, distinct, words }: ColumnProfile): boolean {
  if (distinct < MIN_RECORDS || words < 1.5) return false;
  const templates = new Set(filled.map((text) => text.replace(/\d+/gu, '0')));
  return templates.size * MIN_PER_TEMPLATE <= distinct;
}

function areCounts(profile: ColumnProfile): boolean {
  return profile.counted > 0.9 && (profile.words < MIN_SENTENCE || isTemplated(profile));
}

/** Weights of what a column's values say about it as the text of reviews. */
const TEXT_WEIGHTS = {
  /** Of a text as long as the longest one; a shorter text has its share of it. */
  length: 0.5,
  sentences: 0.1,
  varied: 0.15,
  repeated: -0.5,
  /** For each further record that is blank. */
  blank: -0.4,
  /** Words that may be somebody else's, so that the author's win where there are any. */
  ofSpeaker: -0.35,
  /** For a name like `title`; less for the longest text of a file, which may be called so. */
  title: -0.35,
  longestTitle: -0.05,
};

/** Share of records that a text may leave blank without a penalty. */
const HALF = 0.5;

function textScore(profile: ColumnProfile, { longestText }: Table): number {
  const { words, length, distinctShare, concepts } = profile;
  if ((words < 1.5 && !concepts.has('text')) || isInternal(profile)) return 0;
  if (areCounts(profile)) return 0;
  const longest = length >= longestText * 0.99 && words > 10;
  const { longestTitle, title, varied, repeated } = TEXT_WEIGHTS;
  const name = weigh(profile, 'text', { title: longest ? longestTitle : title });
  const long = TEXT_WEIGHTS.length * Math.min(1, length / Math.max(1, longestText));
  const closed = isDegree(profile) && words < 6;
  const variety = distinctShare > 0.5 ? varied : distinctShare > 0.1 && !closed ? 0 : repeated;
  const sentences = words > 6 ? TEXT_WEIGHTS.sentences : 0;
  const blank = TEXT_WEIGHTS.blank * Math.max(0, HALF - profile.filledShare);
  const others = isOfSpeaker(profile) ? TEXT_WEIGHTS.ofSpeaker : 0;
  return name + long + variety + sentences + blank + others;
}

/** Number of values from which a column with only two different ones isn't a title. */
const MIN_VALUES = 10;

/** Words for a title, or for the category of a request: `Subject`. */
const TOPICS = new Set(listWords(WORDS.topics).flatMap(nameWords));

/** Share of different values below which titles, and topics, are categories. */
const MIN_TITLES = 0.02;
const MIN_TOPICS = 0.15;
/** Topics of a request are few, while titles that repeat, such as `Super`, aren't. */
const MAX_TOPICS = 30;

function titleCandidate(profile: ColumnProfile, table: Table): readonly Candidate[] {
  const { concepts, distinctShare, length } = profile;
  if (length > Math.max(80, table.longestText * 0.8)) return [];
  // Yes and no, in some language.
  if (profile.distinct < 3 && profile.filled.length >= MIN_VALUES) return [];
  if (table.oneAuthor || !concepts.has('title')) return [];
  const name = weigh(profile, 'title');
  const repeats = distinctShare > 0.3 ? 0.15 : 0;
  const isTopic = nameWords(profile.name).some((word) => TOPICS.has(word));
  const isFew = distinctShare < MIN_TOPICS && profile.distinct <= MAX_TOPICS;
  const isCategory = distinctShare < MIN_TITLES || (isTopic && isFew);
  const other = isCategory || describesThing(profile, table) ? -0.45 : repeats;
  return candidate('title', profile, name + other);
}

/** Maximum number of different answers to a closed question. */
const MAX_CLOSED_ANSWERS = 10;

/** Returns whether values are few and repeated, as those of a category are. */
function isDegree({ distinct, distinctShare }: ColumnProfile): boolean {
  return distinct <= MAX_CLOSED_ANSWERS && distinctShare <= 0.5;
}

function praiseAndComplaintCandidates(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, words, distinct } = profile;
  const positive = concepts.has('positive');
  const negative = concepts.has('negative');
  const asked = profile.name.includes('?');
  if (positive === negative || words < (asked ? 1.2 : 1.5) || distinct < 3) return [];
  if (areCounts(profile)) return [];
  const rest = weigh(profile, 'side');
  const score = 0.7 + rest + (words > 3 ? 0.1 : 0);
  return candidate(positive ? 'positive' : 'negative', profile, score);
}

/** Minimum mean number of words of answers to an open question. */
const MIN_ANSWER = 2;
/** Minimum mean number of words of sentences. */
export const MIN_SENTENCE = 4;

const ADDRESSING = new Set(listWords(WORDS.addressing));
const INTERNAL = new Set(listWords(WORDS.internal));
const COLLEAGUES = new Set(listWords(WORDS.colleagues));
const NOTES = new Set(listWords(WORDS.notes));
const MAX_SPEAKER_WORDS = 4;

/**
 * Returns whether words are those of an agency, shop or host by their name: `sellerComment` or `Staff
 * notes`, but not `comment_to_seller`.
 */
export function isOfSpeaker(profile: ColumnProfile): boolean {
  const { name, concepts } = profile;
  const words = nameWords(name);
  if (words.length > MAX_SPEAKER_WORDS || words.some((word) => ADDRESSING.has(word))) return false;
  if (isInternal(profile)) return true;
  return concepts.has('speaker') && concepts.has('text') && !concepts.has('review');
}

/** Tests whether a name means notes that staff write for each other: `Internal comment`. */
export function isInternal({ name, concepts }: ColumnProfile): boolean {
  const words = nameWords(name);
  const isNote = words.some((word) => NOTES.has(word));
  if (words.some((word) => INTERNAL.has(word))) return isNote || concepts.has('text');
  return isNote && (concepts.has('speaker') || words.some((word) => COLLEAGUES.has(word)));
}

/** Returns whether sentences are another author's, or describe the reviewed thing. */
export function isOtherText(profile: ColumnProfile, table: Pick<Table, 'profiles'>): boolean {
  if (isTemplated(profile) || isOfSpeaker(profile)) return true;
  return hasAny(profile, 'ofOthers') || describesThing(profile, table);
}

/** Proposes further columns of sentences: the open questions of a survey, or `comment_2`. */
function answerCandidate(profile: ColumnProfile, table: Table): readonly Candidate[] {
  const { name, column, words, distinctShare, concepts } = profile;
  const isOpen = !isDegree(profile) || areSentences(profile, MIN_ANSWERS);
  const unlikely = hasAny(profile, 'hardlyReview');
  if (!isOpen || words < MIN_ANSWER || (words < MIN_SENTENCE && unlikely)) return [];
  if (`${name} ${column.label ?? ''}`.includes('?')) {
    return candidate('answer', profile, 0.4 + weigh(profile, 'answer'));
  }
  if (words < MIN_SENTENCE || distinctShare <= 0.5) return [];
  if (unlikely || isOtherText(profile, table)) return [];
  const named = concepts.has('text') || concepts.has('review');
  return candidate('answer', profile, named ? 0.5 : MIN_SCORE);
}

/** Minimum number of different answers in sentences to an open question. */
const MIN_ANSWERS = 5;

/** Returns whether most values end as sentences do, unlike the choices of a closed question. */
function areSentences({ filled, distinct, words }: ColumnProfile, least: number): boolean {
  const ended = filled.filter((text) => /[.!?。！？…]$/u.test(text));
  return distinct >= least && words >= MIN_SENTENCE && ended.length > filled.length / 2;
}

/** Minimum share of values within those of another column, and their minimum mean length. */
const MIN_WITHIN = 0.9;
const MIN_LENGTH = 8;

/** Returns whether the values of a column occur in those of a different column. */
export function occursIn(inner: ColumnProfile, outer: ColumnProfile): boolean {
  if (inner.length > outer.length * 1.01 || inner.length < MIN_LENGTH) return false;
  if (inner.distinct < 3) return false;
  const found = inner.column.texts.filter((text, at) => {
    const whole = outer.column.texts[at];
    if (text === undefined || whole === undefined) return false;
    return folded(whole).includes(folded(text).replace(CUT, ''));
  });
  return found.length >= inner.filled.length * MIN_WITHIN;
}

/** End of a cut text: an ellipsis, or a broken character. */
const CUT = /(?:…|\.{3}|\ufffd)+$/u;

function folded(text: string): string {
  return text.replace(/\s+/gu, ' ').toLowerCase();
}

/** Proposes columns with the author's name or id. */
export const proposeAuthor: Propose = (profile, table) => [
  ...candidate('username', profile, table.oneAuthor ? 0 : nameScore(profile)),
  ...candidate('authorId', profile, idScore(profile)),
];

/** Number of records below which names of things may all differ, like names of people. */
const FEW_RECORDS = 60;

/** Most names that may be a question's answers instead of people. */
const MAX_ANSWER_NAMES = 10;

/** Weights of what a column's values say about them as names of authors. */
const NAME_WEIGHTS = {
  varied: 0.2,
  partlyVaried: 0.05,
  repeated: -0.15,
  fewAnswers: -0.2,
  languages: -0.4,
  hashes: -0.4,
  mayBeThings: -0.25,
  things: -0.5,
};

function nameScore(profile: ColumnProfile): number {
  const { words, length, concepts, column } = profile;
  if (!isWords(profile) || words > 5 || length > 45 || column.list) return 0;
  const name = weigh(profile, 'username', {
    // `comment_author` and `author.text` hold names if their values are as short as names.
    text: words < 2.5 && concepts.has('author') ? -0.1 : -0.4,
  });
  return name + nameValueScore(profile) + (column.unnamed ? unnamedScore(profile) : 0);
}

/** Scores the values alone: varied, no languages, hashes or names of things. */
function nameValueScore(profile: ColumnProfile): number {
  const { length, distinctShare, language, concepts, codes, filled, unknownWords } = profile;
  const { varied, partlyVaried, repeated } = NAME_WEIGHTS;
  const languages = language !== undefined && language.share > 0.9 ? NAME_WEIGHTS.languages : 0;
  const hashes = codes > 0.9 && length >= 16 ? NAME_WEIGHTS.hashes : 0;
  const asked = profile.name.includes('?') || !concepts.has('author');
  const isFew = asked && profile.distinct <= MAX_ANSWER_NAMES && distinctShare <= 0.15;
  const spread = distinctShare > 0.4 ? varied : distinctShare > 0.15 ? partlyVaried : repeated;
  const variety = (isFew ? NAME_WEIGHTS.fewAnswers : 0) + spread;
  const score = languages + hashes + variety;
  if (concepts.has('author')) return score;
  // `drugName` isn't a person's name; among few records its values may all differ, too.
  const mayBeThings =
    filled.length < FEW_RECORDS && unknownWords > 0 ? NAME_WEIGHTS.mayBeThings : 0;
  return score + mayBeThings + (namesThings(filled) ? NAME_WEIGHTS.things : 0);
}

/** Scores values of an unnamed column as names: capitalised words. */
function unnamedScore({ filled, words }: ColumnProfile): number {
  if (words > 3.5) return 0;
  const share = (test: RegExp): number =>
    filled.filter((text) => test.test(text)).length / filled.length;
  return share(/^\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){0,3}$/u) > 0.8 ? 0.25 : 0;
}

/** Minimum mean length of ids in a column without a telling name. */
const MIN_ID_LENGTH = 6;

function idScore(profile: ColumnProfile): number {
  const { concepts, codes, integers, words, urls, emails, date } = profile;
  if (date !== undefined && date.share > 0.9 && !concepts.has('id')) return 0;
  if (!concepts.has('author') || words > 1.1 || urls > 0.1 || emails > 0.1) return 0;
  if (codes < 0.8 && integers < 0.95 && profile.length < 8) return 0;
  if (!concepts.has('id') && (profile.length < MIN_ID_LENGTH || isDegree(profile))) return 0;
  return weigh(profile, 'authorId');
}
