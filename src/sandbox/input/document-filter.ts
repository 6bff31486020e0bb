import { DOCUMENT_SOURCES, isOneOf, LANGUAGES, SENTIMENTS } from '../../service/codes.js';
import { searchWords } from '../words.js';
import { type Expression, ExpressionError, operandsOf, parseExpression } from './expression.js';
import { type Parameters, type Reader, readId } from './parameters.js';
import { readTimestamp } from './timestamp.js';

const CODES = 'known source codes, separated by commas';
const IDS = 'ids, separated by commas';
const WORDS = 'words, at least one letter or digit';
const EXPRESSION = 'an expression of words, phrases, AND, OR, NOT and parentheses';

/** Optional filters: the expected value for messages, and the reader. */
const OPTIONAL = {
  sources: [CODES, codeList(DOCUMENT_SOURCES)],
  viewSource: ['one known source code', oneOf(DOCUMENT_SOURCES)],
  query: [EXPRESSION, readQuery],
  /** Folded words that the author's name must all contain. */
  authorName: [WORDS, readWords],
  /** Folded words that the author's description must all contain. */
  authorAbout: [WORDS, readWords],
  sentiments: ['B, N, R, separated by commas', codeList(SENTIMENTS)],
  languages: [`${LANGUAGES.join(', ')}, separated by commas`, codeList(LANGUAGES)],
  tags: [`tag ${IDS}`, readTexts],
  ignoreTags: [`tag ${IDS}`, readTexts],
  /** Replaces `tags` and `ignoreTags`. */
  tagExpression: [EXPRESSION, readTagExpression],
  authors: [`author ${IDS}`, readIds],
  authorTags: [`tag ${IDS}`, readTexts],
  onlyVerifiedAuthors: ['true or false', readBoolean],
  onlyWithPersonalUrl: ['true or false', readBoolean],
  contributors: [`user ${IDS}`, readIds],
} as const satisfies Readonly<Record<string, readonly [expected: string, Reader<unknown>]>>;

type Optional = typeof OPTIONAL;

/** Selects documents; a missing filter doesn't restrict anything. */
export type DocumentFilter = {
  readonly [Name in keyof Optional]?: NonNullable<ReturnType<Optional[Name][1]>>;
} & {
  readonly monitorings: readonly number[];
  /** Time of publication; the feed has no window. */
  readonly window?: MinuteRange;
};

/** A range of minutes, as the milliseconds since 1970 at which they start. */
export interface MinuteRange {
  readonly start: number;
  /** Last minute of the range; nothing matches unless it is later than `start`. */
  readonly end: number;
}

export const OPTIONAL_FILTERS: readonly string[] = Object.keys(OPTIONAL);

/** Reads all filters except the window. Mistakes are added to the faults of the parameters. */
export function readFilter({ read }: Parameters): DocumentFilter {
  const given = Object.entries(OPTIONAL).flatMap(([name, [expected, reader]]) => {
    const value = read<unknown>(name, expected, reader);
    return value === undefined ? [] : [[name, value]];
  });
  const monitorings = read('monitorings', `monitoring ${IDS}`, readIds) ?? [];
  return { monitorings, ...Object.fromEntries(given) };
}

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
  return texts.every((text) => text !== '') ? texts : null;
}

function readMinute(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(text)) return null;
  return readTimestamp(`${text.replace(' ', 'T')}:00Z`);
}

function readBoolean(text: string): boolean | null {
  return text === 'true' || (text === 'false' ? false : null);
}

function readWords(text: string): string[] | null {
  const words = [...new Set(searchWords(text))];
  if (words.length > MAX_WORDS) throw new ExpressionError(`holds more than ${MAX_WORDS} words`);
  return words.length > 0 ? words : null;
}

/** Each is looked for in the words of each author. */
const MAX_WORDS = 500;

function oneOf<Code extends string>(codes: readonly Code[]): Reader<Code> {
  return (text) => (isOneOf(codes, text) ? text : null);
}

function codeList<Code extends string>(codes: readonly Code[]): Reader<Code[]> {
  return (text) => {
    const list = text.split(',');
    return list.every((code) => isOneOf(codes, code)) ? list : null;
  };
}

function readQuery(text: string): Expression {
  const expression = parseExpression(text);
  if (operandsOf(expression).every((operand) => searchWords(operand).length > 0)) return expression;
  throw new ExpressionError('has a word or phrase without a letter or digit');
}

/** Each tag is a condition of its own, which SQLite nests. */
const MAX_TAGS = 500;

function readTagExpression(text: string): Expression {
  const expression = parseExpression(text);
  const tags = operandsOf(expression);
  if (tags.length > MAX_TAGS) throw new ExpressionError(`holds more than ${MAX_TAGS} tags`);
  if (tags.every((tag) => tag !== '')) return expression;
  throw new ExpressionError('has an empty tag');
}
