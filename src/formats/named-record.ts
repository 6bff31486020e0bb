import { type Layout, tableColumns } from '../model/chunk.js';
import type { RecordValue } from '../model/record.js';

/** A record by column or key: fields of CSV and cells of a row under their columns' names. */
export function namedRecord(value: RecordValue, layout: Layout): Readonly<Record<string, unknown>> {
  const columns = tableColumns(layout);
  if (columns === undefined) return value as Readonly<Record<string, unknown>>;
  const fields = value as readonly unknown[];
  return Object.fromEntries(columns.map((column, at) => [column, fields[at]]));
}
