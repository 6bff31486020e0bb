import { rawColumn } from '../mapping/column.js';
import type { Mapping } from '../mapping/mapping.js';
import { mappingColumns } from '../mapping/mapping-columns.js';
import { mayBeIn } from '../mapping/undecodable-names.js';
import type { ParsedRecord } from '../model/record.js';

/**
 * A record, or a problem, if it lacks a column of the mapping and one of its keys that can't be
 * decoded may be that column: its document would have lost it.
 */
export function withEveryColumn(parsed: ParsedRecord, mapping: Mapping): ParsedRecord {
  const { value, undecodableKeys = [] } = parsed;
  if (value === undefined) return parsed;
  for (const column of mappingColumns(mapping)) {
    if (rawColumn(column, null)(value) !== undefined) continue;
    const key = undecodableKeys.find(({ path }) => mayBeIn(path, column));
    if (key === undefined) continue;
    const message = `a key that may be ${JSON.stringify(column)}: ${key.message}`;
    return { problem: { kind: 'not-utf8', field: null, message } };
  }
  return parsed;
}
