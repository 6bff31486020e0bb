import type { Dialect, Layout } from '../../model/chunk.js';
import { fieldCount } from '../../model/reject-columns.js';

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

/** The rules by which the records of a layout are cut; JSON documents and objects have others. */
export function rulesOf(
  layout: Layout & { format: 'csv' | 'jsonl' | 'xlsx' | 'parquet' },
  most?: number,
): RecordRules {
  return layout.format === 'csv'
    ? csvRules(layout.dialect, {
        columns: fieldCount(layout),
        ...(most === undefined ? {} : { maxRecordBytes: most }),
      })
    : lineRules(most);
}

function byteOf(character: string | null): number {
  return character === null ? -1 : character.charCodeAt(0);
}
