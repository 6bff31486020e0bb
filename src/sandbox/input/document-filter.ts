import {
  DOCUMENT_SOURCES,
  isOneOf,
  LANGUAGES,
  type Language,
  SENTIMENTS,
  type Sentiment,
  type SourceCode,
} from '../../service/codes.js';
import { wordsOf } from '../words.js';
import { type Expression, ExpressionError, operandsOf, parseExpression } from './expression.js';
import { readId } from './ids.js';
import type { Parameters, Reader } from './parameters.js';
import { readTimestamp } from './timestamp.js';

/** Which documents a call asks for; a filter that is not given restricts nothing. */
export interface DocumentFilter {
  /** At least one id. */
  readonly monitorings: readonly number[];
  /** When they were published; the feed has no window. */
  readonly window?: MinuteRange;
  readonly sources?: readonly SourceCode[];
  readonly viewSource?: SourceCode;
  readonly query?: Expression;
  /** Folded words, all of which the author's name must have. */
  readonly authorName?: readonly string[];
  /** Folded words, all of which the author's description must have. */
  readonly authorAbout?: readonly string[];
  readonly sentiments?: readonly Sentiment[];
  readonly languages?: readonly Language[];
  readonly tags?: readonly string[];
  readonly ignoreTags?: readonly string[];
  /** When given, `tags` and `ignoreTags` do not count. */
  readonly tagExpression?: Expression;
  readonly authors?: readonly number[];
  readonly authorTags?: readonly string[];
  readonly onlyVerifiedAuthors?: boolean;
  readonly onlyWithPersonalUrl?: boolean;
  readonly contributors?: readonly number[];
}

/** Minutes, as milliseconds since 1970 of their starts. */
export interface MinuteRange {
  /** The first minute that counts. */
  readonly start: number;
  /** The last minute that counts; unless it is later than `start`, nothing matches. */
  readonly end: number;
}

/** The filters that any call may leave out. */
export const OPTIONAL_FILTERS: readonly string[] = [
  ...['sources', 'viewSource', 'query', 'authorName', 'authorAbout', 'sentiments', 'languages'],
  ...['tags', 'ignoreTags', 'tagExpression', 'authors', 'authorTags', 'onlyVerifiedAuthors'],
  ...['onlyWithPersonalUrl', 'contributors'],
];

const IDS = 'ids with commas between';
const CODES = 'known source codes with commas between';

/** Reads all filters but the window. What is wrong stands in the parameters' faults. */
export function readFilter(parameters: Parameters): DocumentFilter {
  const { read } = parameters;
  const words = 'words, at least one letter or digit';
  const expression = 'an expression of words, phrases, AND, OR, NOT and parentheses';
  return withoutUndefined({
    monitorings: read('monitorings', `monitoring ${IDS}`, readIds) ?? [],
    sources: read('sources', CODES, listOf(DOCUMENT_SOURCES)),
    viewSource: read('viewSource', 'one known source code', oneOf(DOCUMENT_SOURCES)),
    query: readExpression(parameters, 'query', hasWord, expression),
    authorName: read('authorName', words, readWords),
    authorAbout: read('authorAbout', words, readWords),
    sentiments: read('sentiments', 'B, N, R with commas between', listOf(SENTIMENTS)),
    languages: read('languages', `${LANGUAGES.join(', ')} with commas between`, listOf(LANGUAGES)),
    tags: read('tags', `tag ${IDS}`, readTexts),
    ignoreTags: read('ignoreTags', `tag ${IDS}`, readTexts),
    tagExpression: readExpression(parameters, 'tagExpression', isFilled, expression),
    authors: read('authors', `author ${IDS}`, readIds),
    authorTags: read('authorTags', `tag ${IDS}`, readTexts),
    onlyVerifiedAuthors: read('onlyVerifiedAuthors', 'true or false', readBoolean),
    onlyWithPersonalUrl: read('onlyWithPersonalUrl', 'true or false', readBoolean),
    contributors: read('contributors', `user ${IDS}`, readIds),
  });
}

/** Reads `start` and `end`. */
export function readWindow({ read }: Parameters): MinuteRange {
  const start = read('start', 'a time as yyyy-MM-dd HH:mm', readMinute);
  const end = read('end', 'a time as yyyy-MM-dd HH:mm', readMinute);
  return { start: start ?? 0, end: end ?? 0 };
}

type Given<T> = { [Key in keyof T]: T[Key] | undefined };

function withoutUndefined(filter: Given<DocumentFilter>): DocumentFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as DocumentFilter;
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

function readExpression(
  { faults, read }: Parameters,
  name: string,
  isOperand: (text: string) => boolean,
  expected: string,
): Expression | undefined {
  return read(name, expected, (text) => {
    try {
      const expression = parseExpression(text);
      if (operandsOf(expression).every(isOperand)) return expression;
      throw new ExpressionError('has a word or phrase without a letter or digit');
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      faults.push(`${name} ${error.message}.`);
      return null;
    }
  });
}

function hasWord(text: string): boolean {
  return wordsOf(text).length > 0;
}

function isFilled(text: string): boolean {
  return text !== '';
}
