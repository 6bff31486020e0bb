import type { UndecodableColumn } from '../model/documents.js';
import type { UndecodableField } from '../model/record.js';

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
