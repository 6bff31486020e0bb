import { DOCUMENT_SOURCES, isOneOf, LANGUAGES, SENTIMENTS } from '../../service/codes.js';
import { wordsOf } from '../words.js';
import { readTimestamp } from './checks.js';
import { type Expression, ExpressionError, operandsOf, parseExpression } from './expression.js';
import { type Parameters, type Reader, readId } from './parameters.js';

const CODES = 'known source codes with commas between';
const IDS = 'ids with commas between';
const WORDS = 'words, at least one letter or digit';
const EXPRESSION = 'an expression of words, phrases, AND, OR, NOT and parentheses';

/** The filters that any call may leave out: what each has to be, and how it is read. */
const OPTIONAL = {
  sources: [CODES, listOf(DOCUMENT_SOURCES)],
  viewSource: ['one known source code', oneOf(DOCUMENT_SOURCES)],
  query: [EXPRESSION, expressionOf(hasWord)],
  /** Folded words, all of which the author's name must have. */
  authorName: [WORDS, readWords],
  /** Folded words, all of which the author's description must have. */
  authorAbout: [WORDS, readWords],
  sentiments: ['B, N, R with commas between', listOf(SENTIMENTS)],
  languages: [`${LANGUAGES.join(', ')} with commas between`, listOf(LANGUAGES)],
  tags: [`tag ${IDS}`, readTexts],
  ignoreTags: [`tag ${IDS}`, readTexts],
  /** When given, `tags` and `ignoreTags` do not count. */
  tagExpression: [EXPRESSION, expressionOf(isFilled)],
  authors: [`author ${IDS}`, readIds],
  authorTags: [`tag ${IDS}`, readTexts],
  onlyVerifiedAuthors: ['true or false', readBoolean],
  onlyWithPersonalUrl: ['true or false', readBoolean],
  contributors: [`user ${IDS}`, readIds],
} as const satisfies Readonly<Record<string, readonly [expected: string, Reader<unknown>]>>;

type Optional = typeof OPTIONAL;

/** Which documents a call asks for; a filter that is not given restricts nothing. */
export type DocumentFilter = {
  readonly [Name in keyof Optional]?: NonNullable<ReturnType<Optional[Name][1]>>;
} & {
  /** At least one id. */
  readonly monitorings: readonly number[];
  /** When they were published; the feed has no window. */
  readonly window?: MinuteRange;
};

/** Minutes, as milliseconds since 1970 of their starts. */
export interface MinuteRange {
  /** The first minute that counts. */
  readonly start: number;
  /** The last minute that counts; unless it is later than `start`, nothing matches. */
  readonly end: number;
}

/** Their names. */
export const OPTIONAL_FILTERS: readonly string[] = Object.keys(OPTIONAL);

/** Reads all filters but the window. What is wrong stands in the parameters' faults. */
export function readFilter({ read }: Parameters): DocumentFilter {
  const given = Object.entries(OPTIONAL).flatMap(([name, [expected, reader]]) => {
    const value = read<unknown>(name, expected, reader);
    return value === undefined ? [] : [[name, value]];
  });
  const monitorings = read('monitorings', `monitoring ${IDS}`, readIds) ?? [];
  return { monitorings, ...Object.fromEntries(given) };
}

/** Reads `start` and `end`. */
export function readWindow({ read }: Parameters): MinuteRange {
  const start = read('start', 'a time as yyyy-MM-dd HH:mm', readMinute);
  const end = read('end', 'a time as yyyy-MM-dd HH:mm', readMinute);
  return { start: start ?? 0, end: end ?? 0 };
}

function readIds(text: string): number[] | null {
  const ids = text.split(',').map(readId);
  return ids.every((id) => id !== null) ? [...new Set(ids)] : null;
}

function readTexts(text: string): string[] | null {
  const texts = text.split(',');
  return texts.every(isFilled) ? texts : null;
}

function readMinute(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(text)) return null;
  return readTimestamp(`${text.replace(' ', 'T')}:00Z`);
}

function readBoolean(text: string): boolean | null {
  return text === 'true' || (text === 'false' ? false : null);
}

function readWords(text: string): string[] | null {
  const words = wordsOf(text);
  return words.length > 0 ? words : null;
}

function oneOf<Code extends string>(codes: readonly Code[]): Reader<Code> {
  return (text) => (isOneOf(codes, text) ? text : null);
}

function listOf<Code extends string>(codes: readonly Code[]): Reader<Code[]> {
  return (text) => {
    const list = text.split(',');
    return list.every((code) => isOneOf(codes, code)) ? list : null;
  };
}

/** Reads an expression each of whose operands passes a test. */
function expressionOf(isOperand: (text: string) => boolean): Reader<Expression> {
  return (text) => {
    const expression = parseExpression(text);
    if (operandsOf(expression).every(isOperand)) return expression;
    throw new ExpressionError('has a word or phrase without a letter or digit');
  };
}

function hasWord(text: string): boolean {
  return wordsOf(text).length > 0;
}

function isFilled(text: string): boolean {
  return text !== '';
}
