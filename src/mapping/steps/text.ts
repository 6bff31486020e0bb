/** Steps that take a text: `match`, `replace`, `case`, `split`. */
import { createHash } from 'node:crypto';
import { languageDetector } from '../../model/language-detector.js';
import type { RecordValue } from '../../model/record.js';
import type { Locales, Replacements, Scalar } from '../mapping.js';
import {
  type CompiledRule,
  Failure,
  gather,
  isList,
  type Step,
  trim,
  type Value,
} from './value.js';

/** Keeps the first group that took part, or the whole match; no match gives nothing. */
export function compileMatch(source: string, trimmed: boolean): Step {
  const find = compileExpression(source, 'u', (pattern, text) => pattern.exec(text));
  return (value) => {
    const found = find(String(value));
    if (found === null) return undefined;
    const kept = found.length > 1 ? found.slice(1).find((group) => group !== undefined) : found[0];
    return kept === undefined ? undefined : finish(kept, trimmed);
  };
}

/** Replaces every match, expression by expression, in the order written. */
export function compileReplace(
  replacements: Replacements | readonly Replacements[],
  trimmed: boolean,
): Step {
  const lists = Array.isArray(replacements) ? replacements : [replacements];
  const replacers = lists
    .flatMap((list: Replacements) => Object.entries(list))
    .map(([source, instead]) =>
      compileExpression(source, 'gu', (pattern, text) => text.replace(pattern, instead)),
    );
  return (value) => {
    let text = String(value);
    for (const replace of replacers) text = replace(text);
    return finish(text, trimmed);
  };
}

/** Changes case as the locale does it. */
export function compileCase(to: 'lower' | 'upper', locales: Locales): Step {
  const [locale] = [locales].flat();
  return to === 'lower'
    ? (value) => String(value).toLocaleLowerCase(locale)
    : (value) => String(value).toLocaleUpperCase(locale);
}

/** Makes a list; parts are trimmed, blank ones dropped. */
export function compileSplit(separator: string, trimmed: boolean): Step {
  return (value) =>
    gather(
      String(value)
        .split(separator)
        .map((piece) => finish(piece, trimmed)),
    );
}

/** What is blank after a step is nothing. */
export function finish(text: string, trimmed: boolean): Value {
  const kept = trimmed ? trim(text) : text;
  return trim(kept) === '' ? undefined : kept;
}

/** The step `truncate`: at most so many characters, as a reader counts them, never half of one. */
export function compileTruncate(most: number): Step {
  return (value) => {
    const text = String(value);
    return text.length <= most ? text : truncate(text, most);
  };
}

let segmenter: Intl.Segmenter | undefined;

function truncate(text: string, most: number): string {
  // Of these characters none ever joins the one before it.
  const head = text.slice(0, most + 1);
  if (/^[\n\u0020-\u02ff]*$/u.test(head)) return text.slice(0, most);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === most) return text.slice(0, index);
    count++;
  }
  return text;
}

/** The step `values`: looks a value up; one that is not listed gives nothing. */
export function compileValues(values: Readonly<Record<string, Scalar>>): Step {
  const known = new Map(Object.entries(values));
  return (value) => known.get(String(value));
}

/** The values that are not blank, joined; lists give their elements. */
export function compileJoin(
  parts: readonly CompiledRule[],
  separator: string,
  trimmed: boolean,
): CompiledRule {
  return (record) => {
    const values = parts.map((part) => part(record)).filter((value) => value !== undefined);
    // Mostly there are one or two texts, and nothing to gather.
    const texts = values.every((value) => typeof value === 'string') ? values : gather(values);
    if (texts === undefined || texts instanceof Failure) return texts;
    return finish(texts.join(separator), trimmed);
  };
}

/** A stable id of the values; see {@link hashValues}. */
export function compileHash(parts: readonly CompiledRule[]): CompiledRule {
  return (record) => {
    const values = parts.map((part) => part(record));
    const failed = gather(values.filter((value) => value instanceof Failure));
    return failed ?? hashValues(values.map(hashPart));
  };
}

/** A number counts as its text, so that the same record as CSV and as JSON has the same id. */
function hashPart(value: Value): string | readonly string[] {
  if (value === undefined || value instanceof Failure) return '';
  return isList(value) ? value.map(String) : String(value);
}

/** Hexadecimal digits of an id: 128 bits. */
const DIGITS = 32;

/**
 * A stable id of several values; nothing when all are blank. The values are hashed as a JSON list,
 * so that the border between two of them counts. The result is part of the contract: it must never
 * change, or records imported before would be imported again.
 */
function hashValues(parts: readonly (string | readonly string[])[]): string | undefined {
  if (parts.every((part) => part.length === 0)) return undefined;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}

/** Titles of fewer characters are the start of a text only if they end where a word does. */
const SHORT = 12;
/** What is left of "…", "...", "[…]" or "(...)" at a title's end, once it is folded. */
const ELLIPSIS = /[\s([]*\.{2,}[)\]\s]*$/u;
const QUOTES = /^["'“”„«»‘’\s]+|["'“”„«»‘’\s]+$/gu;

/** The step `unlessStartOf`: nothing, where the value only says how the other text begins. */
export function compileUnlessStartOf(other: CompiledRule): Step {
  return (value, record: RecordValue) => {
    const text = other(record);
    if (text === undefined || text instanceof Failure) return value;
    const whole = isList(text) ? text.join('\n') : String(text);
    return isStartOf(String(value), whole) ? undefined : value;
  };
}

/**
 * Whether a title is how a text begins, as far as it goes: white space, case and quotes around it
 * don't count, nor does an ellipsis at its end, behind which even a word may be cut.
 */
export function isStartOf(title: string, text: string): boolean {
  const folded = fold(title).replace(QUOTES, '');
  const start = folded.replace(ELLIPSIS, '').replace(QUOTES, '');
  const whole = fold(text).replace(QUOTES, '');
  if (!whole.startsWith(start)) return false;
  const cut = ELLIPSIS.test(folded);
  return cut || start.length >= SHORT || !/^[\p{L}\p{N}]/u.test(whole.slice(start.length));
}

/** NFKC makes three full stops of an ellipsis. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** The languages of the service's documents. */
const SERVICE = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'];

/** How far, of 1, the best language's score has to be above the second's. */
const CLEAR = 0.01;

/** How far a language that the service does not know has to be above those that it knows. */
const CLEARLY_FOREIGN = 0.08;

/**
 * The ISO 639-1 code of the text's language, or nothing when unsure. All 60 languages of the library
 * compete, and not only the seven of the service: else a Norwegian review would pass for a German
 * one. The limits were measured: see docs/decisions/language-detection.md.
 */
export function detectLanguage(text: string): string | undefined {
  const found = languageDetector().detect(text);
  if (found.language === '' || !found.isReliable()) return undefined;
  const scores = found.getScores();
  const [best = 0, second = 0] = Object.values(scores).sort((a, b) => b - a);
  if (best - second < CLEAR) return undefined;
  if (SERVICE.includes(found.language)) return found.language;
  const nearest = Math.max(...SERVICE.map((code) => scores[code] ?? 0));
  return best - nearest < CLEARLY_FOREIGN ? undefined : found.language;
}

let running: string | undefined;

/** An expression as a function; the flag `u` is always set. */
export function compileExpression<T>(
  source: string,
  flags: 'u' | 'gu',
  use: (pattern: RegExp, text: string) => T,
): (text: string) => T {
  const pattern = new RegExp(source, flags);
  return (text) => {
    running = source;
    const result = use(pattern, text);
    running = undefined;
    return result;
  };
}

/** The expression that was ended while it ran, since this was asked last. */
export function endedExpression(): string | undefined {
  const ended = running;
  running = undefined;
  return ended;
}
