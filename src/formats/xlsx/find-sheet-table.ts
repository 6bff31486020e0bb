import type { TextRow } from '../format.js';
import type { SourceOptions } from '../options.js';
import type { TableRow } from '../table/compare-rows.js';
import { type FoundTable, findTable } from '../table/find-table.js';

export interface SheetTable extends FoundTable {
  /** Name of the sheet, for messages. */
  readonly title: string;
  /** Rows before `skipLines`, also blank ones. */
  readonly above: readonly (readonly string[])[];
  /** Rows in which the table was found. */
  readonly rows: readonly TableRow[];
}

/** Finds the table in the first rows of a sheet; `undefined` if they are empty. */
export function findSheetTable(
  title: string,
  all: readonly TextRow[],
  options: SourceOptions,
  whole: boolean,
): SheetTable | undefined {
  const { skipLines = 0 } = options;
  const cellsOf = new Map(all.map(({ number, cells }) => [number, cells]));
  const above = Array.from({ length: skipLines }, (_, index) => cellsOf.get(index + 1) ?? []);
  const own = all.filter(({ number }) => number > skipLines);
  if (own.length === 0) return undefined;
  const width = Math.max(...own.map(({ cells }) => cells.length));
  const rows = own.map(({ number, cells }, at) => ({
    number,
    afterBlank: at > 0 && number > (own[at - 1]?.number ?? 0) + 1,
    cells: Array.from({ length: width }, (_, column) => cells[column] ?? ''),
  }));
  const name = title.replace(/,$/u, '');
  const found = findTable(rows, options, { name, unit: 'row', whole });
  const named = found.columns.findLastIndex((column) => column !== '') + 1;
  return { ...found, columns: found.columns.slice(0, named), title, above, rows };
}
