import type { DocumentFilter } from '../input/document-filter.js';
import type { Expression } from '../input/expression.js';
import { scopeExpression } from '../scope-words.js';
import { wordsOf } from '../words.js';
import type { Condition } from './conditions.js';
import { matches } from './expression-condition.js';
import { spanOf } from './span.js';

/** That title or text match the filter's `query`; `null` without one. */
export function textMatches({ query, monitorings, window }: DocumentFilter): Condition | null {
  if (!query) return null;
  const scope = scopeExpression(monitorings, window && spanOf(window));
  const inIndex = (expression: string): Condition => ({
    sql: 'd.id IN (SELECT rowid FROM documents_text WHERE documents_text MATCH ?)',
    values: [scope === undefined ? expression : `${scope} AND (${expression})`],
  });
  // The index answers most expressions as a whole, which is quicker than word by word.
  const whole = inIndexLanguage(query);
  if (whole !== undefined) return inIndex(whole);
  return matches(query, (phrase) => inIndex(quoted(phrase)));
}

/**
 * An expression in the language of FTS5; `undefined` where it can't say it: its NOT only takes
 * something away from something else.
 */
function inIndexLanguage(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'operand':
      return quoted(expression.text);
    case 'not':
      return undefined;
    case 'or':
      return joined(expression.parts, 'OR');
    case 'and': {
      const wanted = joined(
        expression.parts.filter(({ kind }) => kind !== 'not'),
        'AND',
      );
      const unwanted = joined(
        expression.parts.flatMap((part) => (part.kind === 'not' ? [part.part] : [])),
        'OR',
      );
      if (!wanted || unwanted === undefined) return undefined;
      return unwanted === '' ? wanted : `(${wanted}) NOT (${unwanted})`;
    }
    default:
      return expression satisfies never;
  }
}

function joined(parts: readonly Expression[], operator: 'AND' | 'OR'): string | undefined {
  const texts = parts.map(inIndexLanguage);
  if (texts.some((text) => text === undefined)) return undefined;
  return texts.map((text) => `(${text})`).join(` ${operator} `);
}

/** Words that follow each other in title or text; in quotes, none of them is an operator. */
function quoted(phrase: string): string {
  return `"${wordsOf(phrase).join(' ')}"`;
}
