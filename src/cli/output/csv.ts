import { stringify } from 'csv-stringify/sync';
import type { Batches, Row } from './batches.js';
import { flatten } from './flatten.js';

/**
 * CSV with a line of column names. The columns are given, so that every run of a command writes
 * the same ones; `say` is told once at the end which fields had no column.
 */
export async function* csv(
  batches: Batches<Row>,
  columns: readonly string[],
  say: (message: string) => void,
): AsyncGenerator<string> {
  const left = new Set<string>();
  if (columns.length > 0) yield stringify([columns]);
  for await (const batch of batches) {
    const rows = batch.map((record) => {
      const cells = flatten(record);
      for (const [path, text] of cells) if (text !== '') left.add(path);
      return columns.map((column) => cells.get(column) ?? '');
    });
    if (rows.length > 0) yield stringify(rows, { quoted_empty: columns.length === 1 });
  }
  for (const column of columns) left.delete(column);
  if (left.size > 0) {
    say(`The CSV has no columns for ${[...left].join(', ')}: --output jsonl has every field.`);
  }
}
