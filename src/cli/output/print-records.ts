import type { Writable } from 'node:stream';
import type { Output } from '../options/output.js';
import { say } from '../print.js';
import { type Batches, csv, inBatches, jsonLines, jsonList, type Row } from './formats.js';
import type { Kind } from './kinds.js';
import { table } from './table.js';

/** Where there is no terminal, a table is as wide as this. */
const USUAL_WIDTH = 120;

/**
 * Writes records to stdout as they come. A batch is written before the next one is asked for.
 * @returns whether somebody read to the end
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
      return table(batches, kind.table, process.stdout.columns || USUAL_WIDTH);
    case 'json':
      return jsonList(batches);
    case 'jsonl':
      return jsonLines(batches);
    case 'csv':
      return csv(batches, kind.csv, say);
    default:
      return output satisfies never;
  }
}

/** Writes records to stdout up to a limit, and asks for no more than those. */
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

/** What was printed. */
interface Printed {
  readonly count: number;
  /** Whether it ended at the limit, so that there may be more. */
  readonly cut: boolean;
}

/**
 * Writes texts one after the other, and asks for the next one only when the last one has been
 * handed on. Ends quietly when nobody reads any more, as after `| head`.
 * @returns whether everything was written
 * @throws what the stream says, if it fails otherwise
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

/** How a stream says that its reader has gone. */
const CLOSED = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);
