import { isUtf8 } from 'node:buffer';
import { csvParseOptions } from '../boundaries/csv-parse-options.js';
import { asBuffer } from '../boundaries/line-ends.js';
import type { Layout } from '../chunk.js';
import { onDemand } from '../on-demand.js';
import { escapesFormulas, fieldCount, withoutApostrophe } from '../reject-columns.js';
import { notUtf8 } from './not-utf8.js';
import { isPlain, parsePlainCsv } from './parse-plain-csv.js';
import type { ParsedRecord } from './parsed-record.js';

const csvParse = onDemand<typeof import('csv-parse/sync')>('csv-parse/sync');

type CsvLayout = Layout & { readonly format: 'csv' };

/** Reads whole CSV records. */
export function parseCsv(bytes: Uint8Array, layout: CsvLayout): ParsedRecord[] {
  const buffer = asBuffer(bytes);
  if (isUtf8(buffer)) {
    return parseRows(buffer, layout, 'utf8').map((fields) => counted(fields, layout));
  }
  // Byte for byte, so that each field can be checked on its own.
  return parseRows(buffer, layout, 'latin1').map((fields) => decoded(fields, layout));
}

function parseRows(
  buffer: Buffer,
  { dialect }: CsvLayout,
  encoding: 'utf8' | 'latin1',
): readonly string[][] {
  const rows = isPlain(dialect) ? parsePlainCsv(buffer.toString(encoding), dialect) : undefined;
  return rows ?? csvParse().parse(buffer, { ...csvParseOptions(dialect), encoding });
}

/** Makes sure that a record has a field for each column; those of rejects stay behind the others. */
function counted(fields: string[], layout: CsvLayout): ParsedRecord {
  const columns = fieldCount(layout);
  const { dialect } = layout;
  if (fields.length === columns) {
    const escaped = layout.header === 'rejects' && escapesFormulas(dialect);
    return { value: escaped ? fields.map(withoutApostrophe) : fields };
  }
  const tooMany = fields.length > columns;
  const delimiter = dialect.delimiter === '\t' ? 'tab' : `"${dialect.delimiter}"`;
  const cause = tooMany
    ? `perhaps a field holds a ${delimiter} and is not quoted`
    : 'perhaps a delimiter or a quote is missing, or the record is cut';
  const message = `has ${count(fields.length, 'field')} where the header has ${count(columns, 'column')}; ${cause}: mend the record`;
  return { problem: { kind: 'ragged', field: null, message } };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Decodes fields that were read byte for byte. */
function decoded(fields: readonly string[], layout: CsvLayout): ParsedRecord {
  const texts: string[] = [];
  for (const [index, field] of fields.entries()) {
    const bytes = Buffer.from(field, 'latin1');
    if (!isUtf8(bytes)) return { problem: notUtf8(bytes, layout.columns[index] ?? null) };
    texts.push(bytes.toString('utf8'));
  }
  return counted(texts, layout);
}
