/**
 * Expressions over words (`query`) and over tags (`tagExpression`). The reference says that boolean
 * operators are allowed and shows `AND`; the rest is assumed: `OR`, `NOT`, parentheses, quotes for
 * phrases, operators in capitals, `NOT` before `AND` before `OR`, and `AND` where nothing stands
 * between two operands.
 */
export type Expression =
  /** A word, a phrase, or a tag. */
  | { readonly kind: 'operand'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression };

/** What is wrong with an expression, as the end of a sentence. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** SQLite takes expressions up to a depth that is far beyond this. */
const DEEPEST = 20;
const MAX_OPERANDS = 500;

/** Reads an expression. Throws {@link ExpressionError}. */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text);
  if (tokens.filter(({ kind }) => kind === 'operand').length > MAX_OPERANDS) {
    throw new ExpressionError(`holds more than ${MAX_OPERANDS} words or phrases`);
  }
  const reader = { tokens, at: 0, depth: 0 };
  const expression = readOr(reader);
  const rest = tokens[reader.at];
  if (rest) throw new ExpressionError(`has a ${rest.text} too many`);
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
    if (closed === '') throw new ExpressionError('has a quote that is not closed');
    if (phrase !== undefined) return { kind: 'operand', text: phrase };
    if (parenthesis === '(' || parenthesis === ')') return { kind: parenthesis, text: parenthesis };
    if (word === 'AND' || word === 'OR' || word === 'NOT') return { kind: word, text: word };
    return { kind: 'operand', text: word };
  });
}

function readOr(reader: Reader): Expression {
  const parts = [readAnd(reader)];
  while (takes(reader, 'OR')) parts.push(readAnd(reader));
  return joined('or', parts);
}

function readAnd(reader: Reader): Expression {
  const parts = [readNot(reader)];
  while (takes(reader, 'AND') || startsOperand(reader)) parts.push(readNot(reader));
  return joined('and', parts);
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
    if (!takes(reader, ')')) throw new ExpressionError('has a parenthesis that is not closed');
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
  if (reader.depth > DEEPEST) throw new ExpressionError(`is nested deeper than ${DEEPEST} levels`);
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

function joined(kind: 'and' | 'or', parts: readonly Expression[]): Expression {
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind, parts };
}

/** All operands of an expression. */
export function operandsOf(expression: Expression): readonly string[] {
  if (expression.kind === 'operand') return [expression.text];
  if (expression.kind === 'not') return operandsOf(expression.part);
  return expression.parts.flatMap(operandsOf);
}
