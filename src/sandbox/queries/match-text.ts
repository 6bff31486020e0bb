import type { Expression } from '../input/expression.js';
import { wordsOf } from '../words.js';

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
export function matchOf(expression: Expression): Match {
  if (expression.kind === 'operand') return { match: phrase(expression.text), negated: false };
  if (expression.kind === 'not') {
    const { match, negated } = matchOf(expression.part);
    return { match, negated: !negated };
  }
  const parts = expression.parts.map(matchOf);
  const positive = parts.filter(({ negated }) => !negated).map(({ match }) => match);
  const negative = parts.filter(({ negated }) => negated).map(({ match }) => match);
  const isOr = expression.kind === 'or';
  // By De Morgan: `a OR NOT b` is everything but `b NOT a`.
  const [all, none] = isOr ? [negative, positive] : [positive, negative];
  if (all.length === 0) return { match: joined(none, 'OR'), negated: !isOr };
  const match = joined(all, 'AND');
  if (none.length === 0) return { match, negated: isOr };
  return { match: `(${match} NOT ${joined(none, 'OR')})`, negated: isOr };
}

/** Quotes adjacent words, so that FTS5 takes none of them as an operator. */
function phrase(text: string): string {
  return `"${wordsOf(text).join(' ')}"`;
}

/** Joins operands as a balanced tree, because FTS5 limits the depth. */
function joined(operands: readonly string[], operator: 'AND' | 'OR'): string {
  if (operands.length === 1) return operands[0] as string;
  const middle = operands.length >> 1;
  const [left, right] = [operands.slice(0, middle), operands.slice(middle)];
  return `(${joined(left, operator)} ${operator} ${joined(right, operator)})`;
}
