import type { DocumentFilter } from '../input/document-filter.js';
import type { Expression } from '../input/expression.js';
import type { Store, StoreValue } from '../store/database.js';
import { searchWords, toStored } from '../words.js';

/** Part of a WHERE clause over `documents AS d`, with the values of its placeholders. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly StoreValue[];
}

/** Builds the condition for a filter and for what is visible now. */
export function conditionOf(store: Store, filter: DocumentFilter): Condition {
  const hidden = store.visibility
    .hidden()
    .map((range) => ({ sql: 'd.id NOT BETWEEN ? AND ?', values: range }));
  const parts = FILTERS.map((part) => part(filter)).filter((part) => part != null);
  return allOf([...parts, ...hidden]);
}

export function allOf(parts: readonly Condition[]): Condition {
  return {
    sql: parts.map(({ sql }) => sql).join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

const FILTERS: readonly ((filter: DocumentFilter) => Condition | null | undefined)[] = [
  ({ monitorings }) => {
    // With a single id the index already yields the order of the response, without sorting.
    if (monitorings.length === 1) return { sql: 'd.monitoring_id = ?', values: monitorings };
    return inList('d.monitoring_id', monitorings);
  },
  // Both ends are inclusive, to the minute: an end at 10:30 includes 10:30:59.
  ({ window }) => {
    if (!window) return null;
    const { start, end } = window;
    const before = start < end ? end + MINUTE_MS : start;
    return { sql: 'd.published_ms >= ? AND d.published_ms < ?', values: [start, before] };
  },
  ({ sources }) => sources && inList('d.source', sources),
  ({ viewSource }) => viewSource && { sql: 'd.source = ?', values: [viewSource] },
  ({ sentiments }) => sentiments && inList('d.sentiment', sentiments),
  ({ languages }) => languages && inList('d.language', languages),
  ({ authors }) => authors && inList('d.author_id', authors),
  ({ query }) => query && hasText(query),
  ({ authorName }) =>
    authorName && authorHas("a.name_words || ' ' || a.username_words", authorName),
  ({ authorAbout }) => authorAbout && authorHas('a.about_words', authorAbout),
  ({ onlyVerifiedAuthors: wanted }) => author('a.is_verified = ?', wanted),
  ({ onlyWithPersonalUrl: wanted }) => author('a.has_personal_url = ?', wanted),
  ({ authorTags }) =>
    authorTags &&
    linked('author_tags', 'author_id', 'd.author_id', inList('t.tag', authorTags.map(toStored))),
  ({ tags, tagExpression }) => (tags && !tagExpression ? tagged(tags) : null),
  ({ ignoreTags, tagExpression }) =>
    ignoreTags && !tagExpression ? not(tagged(ignoreTags)) : null,
  ({ tagExpression }) => tagExpression && hasTags(tagExpression),
  ({ contributors }) =>
    contributors &&
    linked('document_reviewers', 'document_id', 'd.id', inList('t.reviewer', contributors)),
];

const MINUTE_MS = 60_000;

/** Passes a list as one value, because SQLite limits the number of placeholders. */
function inList(column: string, list: readonly StoreValue[]): Condition {
  return {
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(list)],
  };
}

function author(sql: string, wanted: boolean | undefined): Condition | null {
  if (wanted === undefined) return null;
  return { sql: ofAuthor(sql), values: [wanted ? 1 : 0] };
}

function authorHas(column: string, words: readonly string[]): Condition {
  const wanted = words.map((word) => ` ${word} `);
  const missing = `SELECT 1 FROM json_each(?) AS word WHERE instr(${column}, word.value) = 0`;
  return { sql: ofAuthor(`NOT EXISTS (${missing})`), values: [JSON.stringify(wanted)] };
}

function ofAuthor(sql: string): string {
  return `EXISTS (SELECT 1 FROM authors AS a WHERE a.id = d.author_id AND ${sql})`;
}

function tagged(tags: readonly string[]): Condition {
  return linked('document_tags', 'document_id', 'd.id', inList('t.tag', tags.map(toStored)));
}

/**
 * Requires a row in a link table that joins the document or its author to a listed value. The list is
 * looked up once, not for each document.
 * @param key column of the table that joins it
 * @param joined column of the document that it joins
 */
function linked(table: string, key: string, joined: string, { sql, values }: Condition): Condition {
  return { sql: `${joined} IN (SELECT t.${key} FROM ${table} AS t WHERE ${sql})`, values };
}

function not({ sql, values }: Condition): Condition {
  return { sql: `NOT (${sql})`, values };
}

function hasText(query: Expression): Condition {
  const { match, negated } = ftsMatch(query);
  const rows = 'SELECT rowid FROM documents_text WHERE documents_text MATCH ?';
  return { sql: `d.id ${negated ? 'NOT IN' : 'IN'} (${rows})`, values: [match] };
}

/** An expression of FTS5, and whether the documents that match it are those to leave out. */
interface Match {
  readonly match: string;
  readonly negated: boolean;
}

/**
 * Translates words and phrases, which title or text must have, into one expression of FTS5. It has
 * any number of them; conditions of SQLite are limited. FTS5's NOT needs a left operand, so a lone
 * one moves outwards.
 */
function ftsMatch(expression: Expression): Match {
  if (expression.kind === 'operand') return { match: phrase(expression.text), negated: false };
  if (expression.kind === 'not') {
    const { match, negated } = ftsMatch(expression.part);
    return { match, negated: !negated };
  }
  const parts = expression.parts.map(ftsMatch);
  const positive = parts.filter(({ negated }) => !negated).map(({ match }) => match);
  const negative = parts.filter(({ negated }) => negated).map(({ match }) => match);
  const isOr = expression.kind === 'or';
  // By De Morgan: `a OR NOT b` is everything but `b NOT a`.
  const [all, none] = isOr ? [negative, positive] : [positive, negative];
  if (all.length === 0) return { match: joinOperands(none, 'OR'), negated: !isOr };
  const match = joinOperands(all, 'AND');
  if (none.length === 0) return { match, negated: isOr };
  return { match: `(${match} NOT ${joinOperands(none, 'OR')})`, negated: isOr };
}

/** Quotes adjacent words, so that FTS5 takes none of them as an operator. */
function phrase(text: string): string {
  return `"${searchWords(text).join(' ')}"`;
}

/** Joins operands as a balanced tree, because FTS5 limits the depth. */
function joinOperands(operands: readonly string[], operator: 'AND' | 'OR'): string {
  if (operands.length === 1) return operands[0] as string;
  const middle = operands.length >> 1;
  const [left, right] = [operands.slice(0, middle), operands.slice(middle)];
  return `(${joinOperands(left, operator)} ${operator} ${joinOperands(right, operator)})`;
}

function hasTags(expression: Expression): Condition {
  switch (expression.kind) {
    case 'operand':
      return tagged([expression.text]);
    case 'not':
      return not(hasTags(expression.part));
    case 'and':
    case 'or': {
      const parts = expression.parts.map(hasTags);
      const sql = parts.map((part) => part.sql).join(expression.kind === 'and' ? ' AND ' : ' OR ');
      return { sql: `(${sql})`, values: parts.flatMap((part) => part.values) };
    }
    default:
      return expression satisfies never;
  }
}
