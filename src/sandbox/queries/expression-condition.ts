import type { Expression } from '../input/expression.js';
import type { Condition } from './conditions.js';

/** The condition that an expression holds, given the one for an operand. */
export function matches(expression: Expression, operand: (text: string) => Condition): Condition {
  switch (expression.kind) {
    case 'operand':
      return operand(expression.text);
    case 'not': {
      const { sql, values } = matches(expression.part, operand);
      return { sql: `NOT (${sql})`, values };
    }
    case 'and':
    case 'or': {
      const parts = expression.parts.map((part) => matches(part, operand));
      const sql = parts.map((part) => part.sql).join(expression.kind === 'and' ? ' AND ' : ' OR ');
      return { sql: `(${sql})`, values: parts.flatMap((part) => part.values) };
    }
    default:
      return expression satisfies never;
  }
}
