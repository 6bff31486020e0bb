/**
 * Expression of words (`query`) or tags (`tagExpression`). The reference allows boolean operators
 * and shows `AND`; the rest is assumed: `OR`, `NOT`, parentheses, quotes for phrases, operators in
 * capitals, precedence `NOT`, `AND`, `OR`, and an implicit `AND` between adjacent operands.
 */
export type Expression =
  | { readonly kind: 'operand'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression };

/** A mistake in an expression, as the end of a sentence. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** Maximum nesting, far below the limits of SQLite and FTS5. */
const MAX_DEPTH = 20;

/** @throws ExpressionError */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text);
  const reader = { tokens, at: 0, depth: 0 };
  const expression = readOr(reader);
  const rest = tokens[reader.at];
  if (rest) throw new ExpressionError(`has one ${rest.text} too many`);
  return expression;
}

interface Token {
  readonly kind: 'operand' | 'AND' | 'OR' | 'NOT' | '(' | ')';
  readonly text: string;
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
}

const TOKEN = /\s*(?:"([^"]*)("?)|([()])|([^\s()"]+))/gy;

function tokensOf(text: string): Token[] {
  return [...text.trimEnd().matchAll(TOKEN)].map(([, phrase, closed, parenthesis, word = '']) => {
    if (closed === '') throw new ExpressionError('has an unclosed quote');
    if (phrase !== undefined) return { kind: 'operand', text: phrase };
    if (parenthesis === '(' || parenthesis === ')') return { kind: parenthesis, text: parenthesis };
    if (word === 'AND' || word === 'OR' || word === 'NOT') return { kind: word, text: word };
    return { kind: 'operand', text: word };
  });
}

function readOr(reader: Reader): Expression {
  const parts = [readAnd(reader)];
  while (takes(reader, 'OR')) parts.push(readAnd(reader));
  return joinExpressions('or', parts);
}

function readAnd(reader: Reader): Expression {
  const parts = [readNot(reader)];
  while (takes(reader, 'AND') || startsOperand(reader)) parts.push(readNot(reader));
  return joinExpressions('and', parts);
}

function readNot(reader: Reader): Expression {
  if (!takes(reader, 'NOT')) return readOperand(reader);
  return nested(reader, () => ({ kind: 'not', part: readNot(reader) }));
}

function readOperand(reader: Reader): Expression {
  const token = reader.tokens[reader.at];
  if (token === undefined) throw new ExpressionError('ends where a word is expected');
  if (takes(reader, '(')) {
    const inner = nested(reader, () => readOr(reader));
    if (!takes(reader, ')')) throw new ExpressionError('has an unclosed parenthesis');
    return inner;
  }
  if (token.kind !== 'operand') {
    throw new ExpressionError(`has ${token.text} where a word is expected`);
  }
  reader.at += 1;
  return { kind: 'operand', text: token.text };
}

function nested(reader: Reader, read: () => Expression): Expression {
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH)
    throw new ExpressionError(`is nested deeper than ${MAX_DEPTH} levels`);
  const expression = read();
  reader.depth -= 1;
  return expression;
}

function takes(reader: Reader, kind: Token['kind']): boolean {
  if (reader.tokens[reader.at]?.kind !== kind) return false;
  reader.at += 1;
  return true;
}

function startsOperand({ tokens, at }: Reader): boolean {
  const kind = tokens[at]?.kind;
  return kind === 'operand' || kind === '(' || kind === 'NOT';
}

function joinExpressions(kind: 'and' | 'or', parts: readonly Expression[]): Expression {
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind, parts };
}

export function operandsOf(expression: Expression): readonly string[] {
  if (expression.kind === 'operand') return [expression.text];
  if (expression.kind === 'not') return operandsOf(expression.part);
  return expression.parts.flatMap(operandsOf);
}
