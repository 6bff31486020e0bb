import type { Dialect } from '../../model/chunk.js';

/** What the scanner needs to know about a layout, as bytes. */
export interface RecordRules {
  readonly delimiter: Buffer;
  /** The quote's byte; -1 when quotes mean nothing. */
  readonly quote: number;
  /** The escape's byte, equal to `quote` when quotes are doubled; -1 when there is none. */
  readonly escape: number;
  readonly comment: Buffer | null;
  /** Whether a line of blanks is no record; an empty line never is. */
  readonly skipsBlankLines: boolean;
  /** Number of fields that a record should have; 0 when that is not known or not to be checked. */
  readonly columns: number;
  /** Longer records are not read. */
  readonly maxRecordBytes: number;
}

type RuleLimits = Partial<Pick<RecordRules, 'columns' | 'maxRecordBytes'>>;

/** The rules of a CSV dialect. */
export function csvRules(
  dialect: Dialect,
  { columns = 0, maxRecordBytes = Number.MAX_SAFE_INTEGER }: RuleLimits = {},
): RecordRules {
  return {
    delimiter: Buffer.from(dialect.delimiter),
    quote: byteOf(dialect.quote),
    escape: dialect.quote === null ? -1 : byteOf(dialect.escape),
    comment: dialect.comment === null ? null : Buffer.from(dialect.comment),
    skipsBlankLines: false,
    columns,
    maxRecordBytes,
  };
}

/** The rules of one record a line. */
export function lineRules(maxRecordBytes: number = Number.MAX_SAFE_INTEGER): RecordRules {
  return {
    delimiter: Buffer.alloc(0),
    quote: -1,
    escape: -1,
    comment: null,
    skipsBlankLines: true,
    columns: 0,
    maxRecordBytes,
  };
}

function byteOf(character: string | null): number {
  return character === null ? -1 : character.charCodeAt(0);
}

/** How many fields a record has; its quotes must make sense. */
export function countFields(bytes: Buffer, start: number, end: number, rules: RecordRules): number {
  return fieldStarts(bytes.subarray(start, end), rules).length;
}

/** Where each field of a record starts; its quotes must make sense. */
export function fieldStarts(record: Buffer, rules: RecordRules): readonly number[] {
  const { delimiter, quote } = rules;
  const starts = [0];
  let at = 0;
  for (;;) {
    if (quote >= 0 && record[at] === quote) at = afterQuoted(record, at + 1, rules);
    const found = record.indexOf(delimiter, at);
    if (found < 0) return starts;
    at = found + delimiter.length;
    starts.push(at);
  }
}

/** Where a quoted field ends, whose content starts at `from`. */
function afterQuoted(record: Buffer, from: number, rules: RecordRules): number {
  const { quote, escape: mark } = rules;
  let at = from;
  while (at < record.length) {
    const byte = record[at];
    if (byte === mark && (mark !== quote || record[at + 1] === quote)) at += 2;
    else if (byte === quote) return at + 1;
    else at += 1;
  }
  return at;
}
