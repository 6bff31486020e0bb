/** Recognises languages, places and placeholders by their words. */
import {
  isNegation,
  keysOf,
  listWords,
  nameWords,
  phrasesOf,
  plainText,
} from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };
import { frequencies } from '../ranking.js';

/** Languages that are recognised, by ISO 639-1 code. */
const CODES = listWords(WORDS.languages);
/** Languages in which names of all languages are recognised. */
const NAMED_IN = ['en', 'es', 'fr', 'de', 'pt', 'nl', 'cs'];
let names: ReadonlyMap<string, string> | undefined;

/** Maps normalised names of languages, also in their own language, to codes. */
function languageNames(): ReadonlyMap<string, string> {
  if (names !== undefined) return names;
  const made = new Map<string, string>();
  for (const code of CODES) {
    for (const locale of [...NAMED_IN, code]) {
      const name = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }).of(code);
      if (name !== undefined) made.set(plainText(name), code);
    }
  }
  names = made;
  return made;
}

/** Analysis of a column of languages. */
export interface LanguageColumn {
  /** Share of the distinct values that are languages. */
  readonly share: number;
  /** `code`: two lower-case letters; `tag`: for example en-US or EN; `name`: anything else. */
  readonly kind: 'code' | 'tag' | 'name';
  /** Language code for each recognised value. */
  readonly codes: Readonly<Record<string, string>>;
}

/** Analyses distinct values as languages; `undefined` if fewer than 60% are. */
export function languageColumn(distinct: readonly string[]): LanguageColumn | undefined {
  if (distinct.length === 0 || distinct.length > 150) return undefined;
  const codes = distinct.flatMap((text) => {
    const code = languageCode(text);
    return code === undefined ? [] : [[text, code] as const];
  });
  const share = codes.length / distinct.length;
  if (share < 0.6) return undefined;
  const isCode = codes.every(([text, code]) => text === code);
  const isTag = codes.every(
    ([text, code]) => text.slice(0, 2).toLowerCase() === code && /^[a-z]{2}(?:[-_]|$)/iu.test(text),
  );
  return {
    share,
    kind: isCode ? 'code' : isTag ? 'tag' : 'name',
    codes: Object.fromEntries(codes),
  };
}

/** Languages by names that only some sites use. */
const ALIASES: Readonly<Record<string, string>> = WORDS.languageNames;

/** Returns the language that a code or a name means. */
export function languageCode(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const alias = ALIASES[text.toLowerCase()];
  if (alias !== undefined) return alias;
  const code = /^([a-z]{2,3})(?:[-_][a-z]{2,4}){0,2}$/iu.exec(text)?.[1]?.toLowerCase();
  const known = code === 'cz' ? 'cs' : Intl.getCanonicalLocales(code)[0];
  if (known !== undefined && CODES.includes(known)) return known;
  return (
    languageNames().get(plainText(text)) ??
    languageNames().get(plainText(text.replace(/\s*\(.*$/u, '')))
  );
}

/** Languages in which names of countries are recognised. */
const COUNTRY_LOCALES = listWords(WORDS.countryLocales);

let countries: ReadonlySet<string> | undefined;

/** Normalised names and codes of countries. */
function countryNames(): ReadonlySet<string> {
  if (countries !== undefined) return countries;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const made = new Set(listWords(WORDS.otherCountries));
  for (const locale of COUNTRY_LOCALES) {
    const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
    for (const code of codes) {
      const name = names.of(code);
      if (name === undefined) continue;
      made.add(plainText(name)).add(code.toLowerCase());
    }
  }
  countries = made;
  return made;
}

/** Returns whether at least half of the values are names or codes of countries. */
export function areCountries(distinct: readonly string[]): boolean {
  return distinct.filter(isCountry).length >= distinct.length / 2;
}

/** Whether a text is a name or a code of a country. */
export function isCountry(text: string): boolean {
  if (text.length > 60) return false;
  return /^[A-Z]{3}$/u.test(text) || countryNames().has(plainText(text));
}

const STATES = new Set(listWords(WORDS.states));

/** Returns whether most values look like codes of states, or a quarter are well-known states. */
export function areStates(distinct: readonly string[]): boolean {
  const codes = distinct.filter((text) => /^(?:[A-Z]{2}-)?[A-Z]{2,3}$/u.test(text));
  if (codes.length >= distinct.length * 0.8) return true;
  const known = distinct.filter((text) => STATES.has(plainText(text)));
  return known.length >= Math.max(1, distinct.length / 4);
}

/** Words for the status of a text, order or account, in columns named `state` or `status`. */
const SHOWN = statusWords('shown');
const WITHDRAWN = statusWords('withdrawn');
const MODERATION = new Set([...SHOWN, ...WITHDRAWN, ...statusWords('other')]);

function statusWords(kind: keyof typeof WORDS.moderation): ReadonlySet<string> {
  return new Set(WORDS.moderation[kind].flatMap(nameWords));
}

/** Returns whether values may be places: names, and not statuses. */
export function mayBePlaces(distinct: readonly string[]): boolean {
  const stated = distinct.filter((text) => text !== '');
  const states = stated.filter((text) => isModeration(text));
  if (states.length >= stated.length / 2) return false;
  const capital = stated.filter(
    (text) => !/^\p{Ll}/u.test(text) || (text.length === 2 && countryNames().has(text)),
  );
  return capital.length >= stated.length * 0.7;
}

function isModeration(text: string): boolean {
  const words = nameWords(text.toLowerCase());
  return words.length > 0 && words.length <= 3 && words.some((word) => MODERATION.has(word));
}

/** Maximum number of words of a status: `Removed by the moderator`. */
const MAX_STATUS = 5;

/** Whether a text is the status of something shown, or of something withdrawn; `undefined` for any other text. */
export function isShown(text: string): boolean | undefined {
  const words = nameWords(text.toLowerCase());
  if (words.length > MAX_STATUS) return undefined;
  const isNegated = words.some(isNegation);
  if (words.some((word) => WITHDRAWN.has(word))) return isNegated;
  return words.some((word) => SHOWN.has(word)) ? !isNegated : undefined;
}

/** Words of questions for consent, and of answers to them. */
const CONSENT_WORDS = new Map(
  keysOf(WORDS.consent).map((kind) => [kind, WORDS.consent[kind].flatMap(nameWords)] as const),
);

/** Kinds of words in the lexicon. */
type ConsentWord = 'publish' | 'whole' | 'permission' | 'quote' | 'use' | 'without' | 'name';

/** Returns whether some word is of a kind of words for consent. */
export function hasConsentWord(words: readonly string[], kind: ConsentWord): boolean {
  const known = CONSENT_WORDS.get(kind) ?? [];
  return words.some((word) => known.includes(word));
}

/** Returns whether an answer gives consent, but not to show a name: "Yes, but anonymously", "Ja, ohne meinen Namen". */
export function withholdsName(answer: string): boolean {
  const words = nameWords(answer.toLowerCase());
  const starts = CONSENT_WORDS.get('anonymously') ?? [];
  if (words.some((word) => starts.some((start) => word.startsWith(start)))) return true;
  const isWithout = words.some(isNegation) || hasConsentWord(words, 'without');
  return isWithout && hasConsentWord(words, 'name');
}

const SENTIMENT_LABELS = keysOf(WORDS.sentiments);

export type SentimentLabel = (typeof SENTIMENT_LABELS)[number];

const SENTIMENTS = labelsByWord(WORDS.sentiments);
const RECOMMENDS = labelsByWord(WORDS.recommends);

/** Maps the normalised words of lists to the lists' labels. */
function labelsByWord<L extends string>(
  lists: Readonly<Record<L, readonly string[]>>,
): ReadonlyMap<string, L> {
  return new Map(
    keysOf(lists).flatMap((label) => phrasesOf(lists[label]).map((word) => [word, label] as const)),
  );
}

/** Returns the sentiment that a text states as a word: `positive`, `негативный`. */
export function sentimentOf(text: string): SentimentLabel | undefined {
  return text.length > 40 ? undefined : SENTIMENTS.get(plainText(text));
}

/** Returns whether a text means yes, or recommends; `undefined` if it means neither yes nor no. */
export function recommends(text: string): boolean | undefined {
  if (/^[-+]1(?:\.0)?$/u.test(text)) return text.startsWith('+');
  const answer = RECOMMENDS.get(plainText(text));
  if (answer !== undefined) return answer === 'yes';
  if (/\bnot recommended|^not\b|\b(?:does|do|would)n['’]t recommend/iu.test(text)) return false;
  return /^recommend|\brecommended/iu.test(text) ? true : undefined;
}

const ARTICLES = new Set(listWords(WORDS.articles));
/** Minimum share of names with an article or a number among names of things. */
const MIN_THINGS = 0.15;

/** Returns whether names are those of things, like films and products, not of people. */
export function namesThings(names: readonly string[]): boolean {
  const things = names.filter((text) => {
    const [first = '', ...rest] = text.toLowerCase().split(/\s+/u);
    if (rest.length > 1 && rest.some((word) => /\d|[:&]/u.test(word))) return true;
    return rest.length > 0 && ARTICLES.has(first);
  });
  return things.length >= names.length * MIN_THINGS;
}

const PLACEHOLDERS = new Set(phrasesOf([...WORDS.placeholders, ...WORDS.noAnswer]));
const PLACEHOLDER_SIGN = /^(?:\\n|[-–—]+|\?|0000-00-00.*)$/iu;

/** Texts of booking sites where a guest wrote nothing. */
const NO_TEXT = new Set(phrasesOf(WORDS.noText));

/** Lists the texts that mean "nothing was written". */
export function absentWords(texts: readonly string[]): readonly string[] {
  const absent = texts.filter((text) => isPlaceholder(text) || NO_TEXT.has(plainText(text)));
  return frequencies(absent).map(([text]) => text);
}

/** Answers that mean "no complaint", and their maximum length. */
const NO_COMPLAINTS = new Set(phrasesOf(WORDS.nothing));
const MAX_PHRASE_LENGTH = 40;

/** Lists the texts among complaints that mean "none". A word that occurs once may be a complaint. */
export function noComplaints(texts: readonly string[]): readonly string[] {
  const none = texts.filter(
    (text) => text.length <= MAX_PHRASE_LENGTH && NO_COMPLAINTS.has(plainText(text)),
  );
  return none.length > 1 ? frequencies(none).map(([text]) => text) : [];
}

/** Names that sites show for people who gave none: `A Google user`. */
const ANONYMOUS = new Set(phrasesOf(WORDS.anonymous));

/** Returns whether a text in a column of people stands for no one in particular. */
export function isAnonymous(text: string): boolean {
  return isPlaceholder(text) || (text.length <= 40 && ANONYMOUS.has(plainText(text)));
}

/** Number of distinct unreadable texts, at most, for repeated ones to count as "none". */
const MAX_STRAYS = 3;

/** Returns whether a text means that there is no value. */
export function isPlaceholder(text: string): boolean {
  if (text.length > 40) return false;
  return PLACEHOLDER_SIGN.test(text) || PLACEHOLDERS.has(plainText(text));
}

/**
 * Lists the unreadable texts of a column that mean "none": placeholders, and a few repeated words.
 * Words that occur once are errors.
 */
export function absentTexts(unparsed: readonly string[]): readonly string[] {
  const strays = unparsed.filter((text) => !isPlaceholder(text));
  const repeated = frequencies(strays)
    .filter(([text, times]) => times > 1 && text.length <= 40)
    .map(([text]) => text);
  return [
    ...new Set(unparsed.filter(isPlaceholder)),
    ...(new Set(strays).size <= MAX_STRAYS ? repeated : []),
  ];
}

/** Languages that detection confuses. */
const SIBLINGS: readonly (readonly string[])[] = [
  ['ms', 'id'],
  ['hr', 'bs', 'sr'],
];

/** Returns the languages that detection may take this one for. */
export function siblingsOf(language: string): readonly string[] {
  const siblings = SIBLINGS.find((codes) => codes.includes(language)) ?? [];
  return siblings.filter((code) => code !== language);
}
