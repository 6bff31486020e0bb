/** What is to be known of bytes that can't be decoded, beside the values that hold them. */
import { rawColumn } from '../mapping/compile/column.js';
import type { Mapping } from '../mapping/mapping.js';
import { mappingColumns } from '../mapping/rules/walk-rules.js';
import { mayBeIn } from '../mapping/undecodable-names.js';
import type { UndecodableColumn } from '../model/documents.js';
import type { ParsedRecord, UndecodableField } from '../model/record.js';

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

/** Columns that are counted each by itself: objects may have any number of keys. */
const MAX_COLUMNS = 100;

/** Counts a chunk's records with bytes that can't be decoded, column by column. */
export class UndecodableColumns {
  readonly #columns = new Map<string | null, UndecodableColumn>();

  /** @param index which record of the chunk, from 0; records come in their order */
  add(index: number, fields: readonly UndecodableField[]): void {
    const seen = new Set<string | null>();
    for (const { column, bytes } of fields) {
      const known = this.#columns.get(column);
      if (seen.has(column) || (known === undefined && this.#columns.size >= MAX_COLUMNS)) continue;
      seen.add(column);
      this.#columns.set(
        column,
        known === undefined
          ? { column, records: 1, first: { index, bytes } }
          : { ...known, records: known.records + 1 },
      );
    }
  }

  list(): readonly UndecodableColumn[] {
    return [...this.#columns.values()];
  }
}
