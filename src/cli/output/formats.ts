import { stringify } from 'csv-stringify/sync';
import { isObject } from '../../model/record.js';
import { printable } from '../../report/printable.js';
import { jsonText } from '../print.js';

/**
 * Records on their way to the output. A format gives back the text of a batch before it asks for
 * the next one, so that whoever supplies the batches knows what has been written.
 */
export type Batches<R> = AsyncIterable<readonly R[]>;

/** Any record of the service: formats look into it by paths. */
export type Row = Readonly<Record<string, unknown>>;

/** Enough for one write, little enough for memory. */
const BATCH = 100;

/** Gathers single records; a rest comes as a smaller batch. */
export async function* inBatches<R>(records: AsyncIterable<R>): AsyncGenerator<readonly R[]> {
  let batch: R[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Records that are there already, as one batch. */
export async function* oneBatch<R>(records: readonly R[]): AsyncGenerator<readonly R[]> {
  yield records;
}

/**
 * A record as cells by path, such as `author.username`. A metric goes by its name
 * (`metrics.likes`), a list is one cell, its items parted by `; `, and so is a list of objects,
 * whose own values are parted by commas. What is `null` or missing is empty.
 */
export function flatten(record: Row): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  addFields(cells, '', record);
  return cells;
}

function addFields(cells: Map<string, string>, prefix: string, record: Row): void {
  for (const [key, value] of Object.entries(record)) {
    const path = prefix + key;
    if (key === 'metrics' && Array.isArray(value)) addMetrics(cells, path, value);
    else if (isObject(value)) addFields(cells, `${path}.`, value);
    else cells.set(path, cellOf(value));
  }
}

function addMetrics(cells: Map<string, string>, path: string, metrics: readonly unknown[]): void {
  for (const metric of metrics) {
    if (isObject(metric)) cells.set(`${path}.${metric['name']}`, cellOf(metric['value']));
  }
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(itemOf).join('; ');
  return isObject(value) ? JSON.stringify(value) : String(value);
}

function itemOf(item: unknown): string {
  if (!isObject(item)) return cellOf(item);
  return Object.values(item)
    .map(cellOf)
    .filter((text) => text !== '')
    .join(', ');
}

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

/** One object a line. */
export async function* jsonLines(batches: Batches<unknown>): AsyncGenerator<string> {
  for await (const batch of batches) {
    yield batch.map((record) => `${printable(JSON.stringify(record))}\n`).join('');
  }
}

/** One list. It is only whole at its end. */
export async function* jsonList(batches: Batches<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    const texts = batch.map((record) => jsonText(record, '  '));
    yield before + texts.join(',\n');
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}
