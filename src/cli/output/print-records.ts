import { say } from '../say.js';
import type { Batches, Row } from './batches.js';
import { csv } from './csv.js';
import { jsonLines, jsonList } from './json.js';
import type { Kind } from './kind.js';
import type { Output } from './output-options.js';
import { table } from './table.js';
import { writeOut } from './write-out.js';

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
