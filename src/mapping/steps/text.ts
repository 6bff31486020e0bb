import { createHash } from 'node:crypto';
import { languageDetector } from '../../model/language-detector.js';
import type { RecordValue } from '../../model/record.js';
import { firstGraphemes } from '../../model/text.js';
import type { Locales, Replacements, RuleObject, Scalar } from '../mapping.js';
import {
  blankToUndefined,
  type CompiledRule,
  Failure,
  failure,
  gather,
  isList,
  type Step,
  type Subject,
  type Value,
} from './value.js';

/**
 * Step `match`: gives the first group that matched, or the whole match; `undefined` without one.
 */
export function compileMatch(source: string, trimmed: boolean): Step {
  const pattern = new RegExp(source, 'u');
  return (value) => {
    const found = pattern.exec(String(value));
    if (found === null) return undefined;
    const matched =
      found.length > 1 ? found.slice(1).find((group) => group !== undefined) : found[0];
    return matched === undefined ? undefined : blankToUndefined(matched, trimmed);
  };
}

/** Step `replace`: replaces all matches, expression by expression in the order written. */
export function compileReplace(
  replacements: Replacements | readonly Replacements[],
  trimmed: boolean,
): Step {
  const lists = Array.isArray(replacements) ? replacements : [replacements];
  const replacers = lists
    .flatMap((list: Replacements) => Object.entries(list))
    .map(([source, replacement]) => ({ pattern: new RegExp(source, 'gu'), replacement }));
  return (value) => {
    let text = String(value);
    for (const { pattern, replacement } of replacers) text = text.replace(pattern, replacement);
    return blankToUndefined(text, trimmed);
  };
}

export function compileCase(to: 'lower' | 'upper', locales: Locales): Step {
  const [locale] = [locales].flat();
  return to === 'lower'
    ? (value) => String(value).toLocaleLowerCase(locale)
    : (value) => String(value).toLocaleUpperCase(locale);
}

/** Step `split`: gives a list of trimmed parts without blanks. */
export function compileSplit(separator: string, trimmed: boolean): Step {
  return (value) =>
    gather(
      String(value)
        .split(separator)
        .map((piece) => blankToUndefined(piece, trimmed)),
    );
}

/** Step `truncate`: cuts after a number of grapheme clusters. */
export function compileTruncate(max: number): Step {
  return (value) => firstGraphemes(String(value), max);
}

/**
 * Step `values`: looks a value up. A value listed as `""` gives nothing; so does an unlisted one,
 * unless the rule has `unlisted: invalid`.
 */
export function compileValues(
  values: Readonly<Record<string, Scalar>>,
  { unlisted }: Pick<RuleObject, 'unlisted'>,
  subject: Subject,
): Step {
  const known = new Map(
    Object.entries(values).map(([text, value]) => [text, value === '' ? undefined : value]),
  );
  return (value) => {
    const text = String(value);
    if (unlisted === undefined || known.has(text)) return known.get(text);
    return failure('unlisted-value', subject, value, 'a value listed in values');
  };
}

/** Input `join`: joins the values that aren't blank; lists contribute their elements. */
export function compileJoin(
  parts: readonly CompiledRule[],
  separator: string,
  trimmed: boolean,
): CompiledRule {
  return (record) => {
    const values = parts.map((part) => part(record)).filter((value) => value !== undefined);
    // Fast path: usually there are one or two texts.
    const texts = values.every((value) => typeof value === 'string') ? values : gather(values);
    if (texts === undefined || texts instanceof Failure) return texts;
    return blankToUndefined(texts.join(separator), trimmed);
  };
}

/** Input `hash`: computes a stable id; see {@link hashValues}. */
export function compileHash(parts: readonly CompiledRule[]): CompiledRule {
  return (record) => {
    const values = parts.map((part) => part(record));
    const failed = gather(values.filter((value) => value instanceof Failure));
    return failed ?? hashValues(values.map(hashPart));
  };
}

/** Hashes numbers as text, so that the same record has the same id as CSV and as JSON. */
function hashPart(value: Value): string | readonly string[] {
  if (value === undefined || value instanceof Failure) return '';
  return isList(value) ? value.map(String) : String(value);
}

/** Length of an id in hexadecimal digits: 128 bits. */
const HASH_DIGITS = 32;
export const HASH: RegExp = new RegExp(`[0-9a-f]{${HASH_DIGITS}}`, 'u');

/**
 * Hashes values into a stable id; `undefined` if all are blank. Hashing them as a JSON list makes
 * the boundaries between values count. The result is part of the contract: if it changed, records
 * imported before would be imported again.
 */
function hashValues(parts: readonly (string | readonly string[])[]): string | undefined {
  if (parts.every((part) => part.length === 0)) return undefined;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_DIGITS);
}

/** Shorter titles count as the start of a text only if they end at a word boundary. */
const MIN_CUT_LENGTH = 12;
/** Matches "…", "...", "[…]" or "(...)" at the end of a folded title. */
const ELLIPSIS = /[\s([]*\.{2,}[)\]\s]*$/u;
const QUOTES = /^["'“”„«»‘’\s]+|["'“”„«»‘’\s]+$/gu;

/** Step `unlessStartOf`: drops a value that only repeats the start of another text. */
export function compileUnlessStartOf(other: CompiledRule): Step {
  return (value, record: RecordValue) => {
    const text = other(record);
    if (text === undefined || text instanceof Failure) return value;
    const whole = isList(text) ? text.join('\n') : String(text);
    return isStartOf(String(value), whole) ? undefined : value;
  };
}

/**
 * Returns whether a text begins with a title. White space, case and surrounding quotes are ignored,
 * and so is a final ellipsis, before which a word may be cut.
 */
export function isStartOf(title: string, text: string): boolean {
  const folded = fold(title).replace(QUOTES, '');
  const start = folded.replace(ELLIPSIS, '').replace(QUOTES, '');
  const whole = fold(text).replace(QUOTES, '');
  if (!whole.startsWith(start)) return false;
  const cut = ELLIPSIS.test(folded);
  return cut || start.length >= MIN_CUT_LENGTH || !/^[\p{L}\p{N}]/u.test(whole.slice(start.length));
}

/** Normalises for comparison; NFKC turns an ellipsis into three full stops. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

const SERVICE_LANGUAGES = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'];

/** Minimum lead (of 1) of the best language's score over the second. */
const MIN_LEAD = 0.01;

/** Minimum lead of a language unknown to the service over those that it knows. */
const MIN_FOREIGN_LEAD = 0.08;

/**
 * Detects a text's language (ISO 639-1); `undefined` if unsure. All 60 languages of the library
 * compete, not only the seven of the service: otherwise a Norwegian review would pass as German.
 * The limits were measured: see docs/decisions/language-detection.md.
 */
export function detectLanguage(text: string): string | undefined {
  if (known === undefined) return detectedIn(text);
  if (known.size > MAX_KNOWN) known.clear();
  if (!known.has(text)) known.set(text, detectedIn(text));
  return known.get(text);
}

/** Languages by text, where the same texts are read again and again. */
let known: Map<string, string | undefined> | undefined;
const MAX_KNOWN = 10_000;

/** Remembers from now on which language was detected in a text. */
export function rememberLanguages(): void {
  known ??= new Map();
}

function detectedIn(text: string): string | undefined {
  const found = languageDetector().detect(text);
  if (found.language === '' || !found.isReliable()) return undefined;
  const scores = found.getScores();
  const [best = 0, second = 0] = Object.values(scores).sort((a, b) => b - a);
  if (best - second < MIN_LEAD) return undefined;
  if (SERVICE_LANGUAGES.includes(found.language)) return found.language;
  const nearest = Math.max(...SERVICE_LANGUAGES.map((code) => scores[code] ?? 0));
  return best - nearest < MIN_FOREIGN_LEAD ? undefined : found.language;
}
