import type { BrokenChunk, Dialect } from '../../model/chunk.js';
import type { Break } from './record-scanner.js';

type BrokenProblem = BrokenChunk['problem'];

/** What to say of a record whose quotes make no sense. */
export function quoteProblem(
  { kind, after }: Break,
  line: number,
  dialect: Dialect,
  following: string,
): BrokenProblem {
  const quote = dialect.quote ?? '';
  const remedy = `remove the quote, or ${quotedQuote(dialect)}`;
  if (kind === 'unclosed-quote') {
    return {
      kind,
      message: `the quote (${quote}) that opens a field on line ${line} is never properly closed; only this line is left out: close the quote, ${remedy}`,
    };
  }
  const found = after < 0 ? '' : ` ${JSON.stringify(following)} stands`;
  return {
    kind,
    message: `the quoted field that opens on line ${line} is closed, but then${found} where only a delimiter (${shown(dialect.delimiter)}) or the end of the line may follow: ${remedy}; if quotes mean nothing in this file, set quote to null (--quote "")`,
  };
}

/** What to say of a record that is too long. */
export function lengthProblem(maxRecordBytes: number): BrokenProblem {
  return {
    kind: 'too-long',
    message: `the record is longer than ${maxRecordBytes} bytes: set maxRecordBytes higher if it really is one record`,
  };
}

function quotedQuote(dialect: Dialect): string {
  if (dialect.quote === null || dialect.escape === null) return 'choose another quote';
  return `write a quote inside of a quoted field as ${dialect.escape}${dialect.quote}`;
}

function shown(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}
