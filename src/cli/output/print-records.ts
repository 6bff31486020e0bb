import type { Writable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { isObject } from '../../model/record.js';
import { printable } from '../../model/text.js';
import type { Output } from '../options/output.js';
import { jsonText, log } from '../print.js';
import type { Kind } from './kinds.js';
import { type TableColumn, table } from './table.js';
import { terminalOf } from './terminal-of.js';

/** Width of tables without a terminal, in columns; texts of documents would make them too long. */
const DEFAULT_WIDTH = 120;

/**
 * Writes records to stdout as they arrive. A batch is written before the next one is requested.
 * @returns `false` if the reader has closed stdout
 */
export async function printRecords<R extends Row>(
  batches: Batches<R>,
  kind: Kind<R>,
  output: Output,
): Promise<boolean> {
  return await writeOut(textOf(batches, kind, output), process.stdout);
}

function textOf<R extends Row>(
  batches: Batches<R>,
  kind: Kind<R>,
  output: Output,
): AsyncGenerator<string> {
  switch (output) {
    case 'table':
      return tableFor(batches, kind.table);
    case 'json':
      return jsonList(batches);
    case 'jsonl':
      return jsonLines(batches);
    case 'csv':
      return csv(batches, kind.csv, log);
    case 'csv-bom':
      return withBom(csv(batches, kind.csv, log));
    default:
      return output satisfies never;
  }
}

async function* withBom(texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield '\ufeff';
  yield* texts;
}

/** Writes records to stdout up to a limit, and requests no more than that. */
export async function printFirst<R extends Row>(
  records: AsyncIterable<R>,
  { kind, limit, output }: { kind: Kind<R>; limit: number; output: Output },
): Promise<Printed> {
  let count = 0;
  async function* first(): AsyncGenerator<R> {
    for await (const record of records) {
      count += 1;
      yield record;
      if (count >= limit) return;
    }
  }
  const whole = await printRecords(inBatches(first()), kind, output);
  return { count, cut: whole && count >= limit };
}

interface Printed {
  readonly count: number;
  /** Whether the limit was reached, so that there may be more. */
  readonly cut: boolean;
}

/**
 * Writes texts one after another, requesting each once the last is flushed. Ends without an error
 * if the reader has closed the stream, as after `| head`.
 * @returns whether everything was written
 * @throws any other error of the stream
 */
export async function writeOut(
  texts: AsyncIterable<string> | Iterable<string>,
  stream: Writable,
): Promise<boolean> {
  for await (const text of texts) {
    if (text !== '' && !(await written(text, stream))) return false;
  }
  return true;
}

function written(text: string, stream: Writable): Promise<boolean> {
  if (stream.destroyed || !stream.writable) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined) resolve(true);
      else if (CLOSED.has((error as NodeJS.ErrnoException).code ?? '')) resolve(false);
      else reject(error);
    });
  });
}

const CLOSED = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/**
 * Batches of records to print. A format yields the text of a batch before it requests the next one,
 * so the supplier of batches knows what was written.
 */
export type Batches<R> = AsyncIterable<readonly R[]>;

/** Any record of the service; formats access its fields by path. */
export type Row = Readonly<Record<string, unknown>>;

/** Number of records per write, a compromise between the number of writes and memory. */
const BATCH_SIZE = 100;

async function* inBatches<R>(records: AsyncIterable<R>): AsyncGenerator<readonly R[]> {
  let batch: R[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* oneBatch<R>(records: readonly R[]): AsyncGenerator<readonly R[]> {
  yield records;
}

/**
 * Flattens a record into cells by path, for example `author.username`. Metrics are keyed by name
 * (`metrics.likes`). A list becomes one cell, its items joined by `; `, and the values of objects
 * in it by commas. `null` becomes an empty cell.
 */
function flatten(record: Row): ReadonlyMap<string, string> {
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
 * Formats CSV with a header. Columns are fixed, so that all runs of a command write the same ones;
 * fields without a column are reported once at the end.
 */
export async function* csv(
  batches: Batches<Row>,
  columns: readonly string[],
  log: (message: string) => void,
): AsyncGenerator<string> {
  const omitted = new Set<string>();
  if (columns.length > 0) yield stringify([columns]);
  for await (const batch of batches) {
    const rows = batch.map((record) => {
      const cells = flatten(record);
      for (const [path, text] of cells) if (text !== '') omitted.add(path);
      return columns.map((column) => cells.get(column) ?? '');
    });
    if (rows.length > 0) yield stringify(rows, { quoted_empty: columns.length === 1 });
  }
  for (const column of columns) omitted.delete(column);
  if (omitted.size > 0) {
    log(`The CSV has no columns for ${[...omitted].join(', ')}: --output jsonl has every field.`);
  }
}

export async function* jsonLines(batches: Batches<unknown>): AsyncGenerator<string> {
  for await (const batch of batches) {
    yield batch.map((record) => `${printable(JSON.stringify(record))}\n`).join('');
  }
}

/** Formats one JSON list, which is complete only at the end. */
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

export async function printJson(value: unknown): Promise<void> {
  await writeOut([`${jsonText(value)}\n`], process.stdout);
}

export async function printTable<R>(
  records: readonly R[],
  columns: readonly TableColumn<R>[],
): Promise<void> {
  await writeOut(tableFor(oneBatch(records), columns), process.stdout);
}

function tableFor<R>(
  batches: Batches<R>,
  columns: readonly TableColumn<R>[],
): AsyncGenerator<string> {
  const terminal = terminalOf(process.stdout);
  const width = Number.isFinite(terminal.width) ? terminal.width : DEFAULT_WIDTH;
  return table(batches, columns, { ...terminal, width });
}
