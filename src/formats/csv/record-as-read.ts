import type { RecordAsRead } from '../../model/record.js';
import { fieldCount, type Origin, originsIn } from '../../model/reject-columns.js';
import { csvRules, fieldStarts } from '../boundaries/record-rules.js';
import type { CsvLayout } from './dialect.js';
import { parseCsv } from './parse-csv.js';

/** A record as it was read, and how it can stand beside others. */
export function csvAsRead(raw: Uint8Array, layout: CsvLayout): RecordAsRead {
  const rules = csvRules(layout.dialect);
  const { length } = rules.delimiter;
  // What is to stand behind it must begin a field, also where a delimiter could begin too early.
  const starts = fieldStarts(Buffer.concat([raw, rules.delimiter]), rules);
  const isWhole = starts.length === fieldCount(layout) + 1 && starts.at(-1) === raw.length + length;
  if (!isWhole) return { raw, shape: 'ragged' };
  if (layout.header !== 'rejects') return { raw, shape: 'whole' };
  const at = (starts[layout.columns.length] as number) - length;
  return { raw, shape: 'whole', earlier: { at, origins: originsOf(raw, layout) } };
}

/** Which records of earlier runs a record is, by the last of the columns that those appended. */
function originsOf(bytes: Uint8Array, layout: CsvLayout): readonly Origin[] {
  const position = { byte: 0, record: 1, line: 1 };
  const [parsed] = parseCsv({
    kind: 'bytes',
    source: '',
    input: 0,
    layout,
    position,
    records: 1,
    bytes,
  });
  const fields = parsed?.value;
  return Array.isArray(fields) ? originsIn(String(fields.at(-1))) : [];
}
