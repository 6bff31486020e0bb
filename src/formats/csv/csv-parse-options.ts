import type { Options } from 'csv-parse/sync';
import type { Dialect } from '../../model/chunk.js';

/**
 * How csv-parse is told to read a dialect. The scanner in this folder follows the same rules, and
 * lets nothing through to csv-parse of which the quotes make no sense.
 */
export function csvParseOptions(dialect: Dialect): Options & { columns: false } {
  return {
    columns: false,
    bom: false,
    delimiter: Buffer.from(dialect.delimiter),
    quote: bufferOf(dialect.quote),
    escape: bufferOf(dialect.escape),
    comment: dialect.comment,
    comment_no_infix: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  };
}

function bufferOf(character: string | null): Buffer | null {
  return character === null ? null : Buffer.from(character);
}
