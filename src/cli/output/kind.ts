import type { TableColumn } from './table.js';

/** How records of one kind are shown where not all of their fields fit. */
export interface Kind<R> {
  /** Paths, as `flatten` makes them. */
  readonly csv: readonly string[];
  readonly table: readonly TableColumn<R>[];
}
