import type { Chunk, Layout } from '../../model/chunk.js';
import type { RecordAsRead } from '../../model/record.js';
import { fieldCount, type Origin, originsIn } from '../../model/reject-columns.js';
import { fieldStarts } from '../boundaries/count-fields.js';
import { asBuffer } from '../boundaries/line-ends.js';
import { csvRules } from '../boundaries/record-rules.js';
import { rawRecord } from '../record-at.js';
import { parseCsv } from './parse-csv.js';

type CsvLayout = Layout & { readonly format: 'csv' };

/** A record as it was read, and how it can stand beside others. */
export function recordAsRead(chunk: Chunk, index: number): RecordAsRead {
  const raw = rawRecord(chunk, index);
  if (chunk.kind === 'broken') return { raw, shape: 'broken' };
  return chunk.layout.format === 'csv' ? csvRecord(raw, chunk.layout) : { raw, shape: 'whole' };
}

function csvRecord(raw: Uint8Array, layout: CsvLayout): RecordAsRead {
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
export function originsOf(raw: Uint8Array, layout: Layout): readonly Origin[] {
  if (layout.format !== 'csv' || layout.header !== 'rejects') return [];
  const [parsed] = parseCsv(asBuffer(raw), layout);
  const fields = parsed?.value;
  return Array.isArray(fields) ? originsIn(String(fields.at(-1))) : [];
}
