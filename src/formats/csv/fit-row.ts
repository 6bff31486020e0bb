import type { ParsedRecord } from '../../model/record.js';
import { escapesFormulas, fieldCount, withoutApostrophe } from '../../model/reject-columns.js';
import type { CsvLayout } from './dialect.js';

/**
 * Makes sure that a row has a field for each column; those of rejects come behind the others.
 * @param unwraps whether some field of the chunk may be `="text"`
 */
export function fitRow(fields: string[], layout: CsvLayout, unwraps: boolean): ParsedRecord {
  const columns = fieldCount(layout);
  let row: string[] | undefined = fields;
  if (fields.length !== columns)
    row = layout.ragged === 'pad' ? padded(fields, columns) : undefined;
  if (row === undefined) return ragged(fields, columns, layout);
  const { order } = layout;
  if (order !== undefined) {
    const unordered = row;
    row = order.map((at) => unordered[at] as string);
  }
  if (layout.header === 'rejects' && escapesFormulas(layout.dialect))
    row = row.map(withoutApostrophe);
  return { value: unwraps ? row.map(unwrapped) : row };
}

/** Empty fields for the last columns, or without those behind them; nothing if one isn't empty. */
function padded(fields: readonly string[], columns: number): string[] | undefined {
  if (!isBlank(fields.slice(columns))) return undefined;
  return Array.from({ length: columns }, (_, column) => fields[column] ?? '');
}

function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => field.trim() === '');
}

/** `="00123"` is how a text is kept from becoming a number when a spreadsheet opens the file. */
export function unwrapped(field: string): string {
  const inside = /^="((?:[^"]|"")*)"$/.exec(field)?.[1];
  return inside === undefined ? field : inside.replaceAll('""', '"');
}

function ragged(fields: readonly string[], columns: number, { dialect }: CsvLayout): ParsedRecord {
  const tooMany = fields.length > columns;
  const delimiter = dialect.delimiter === '\t' ? 'tab' : `"${dialect.delimiter}"`;
  const cause = tooMany
    ? `perhaps a field holds a ${delimiter} and is not quoted`
    : 'perhaps a delimiter or a quote is missing, or the record is cut';
  const pad = 'set ragged: pad (--ragged pad)';
  const cure = tooMany
    ? isBlank(fields.slice(columns))
      ? `fix the record, or ${pad} to leave out empty fields behind the last column`
      : 'fix the record'
    : `fix the record, or ${pad} if only its last fields are left out, being empty`;
  const message = `has ${count(fields.length, 'field')} where the header has ${count(columns, 'column')}; ${cause}: ${cure}`;
  return { problem: { kind: 'ragged', field: null, message } };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
