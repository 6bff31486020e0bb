import { OptionError } from '../../model/errors.js';
import { kindOf, rowsOf } from '../kinds/unknown.js';
import { oneBatch } from './batches.js';
import { jsonLines, jsonText } from './json.js';
import type { Output } from './output-options.js';
import { printRecords } from './print-records.js';
import { writeOut } from './write-out.js';

/** Writes one value to stdout as JSON. */
export async function printJson(value: unknown): Promise<void> {
  await writeOut([`${jsonText(value)}\n`], process.stdout);
}

/**
 * Writes an answer whose shape is not known for sure: its rows, if it has any. A table of what has
 * no rows is JSON.
 * @throws OptionError if it would have to be a CSV
 */
export async function printAnswer(answer: unknown, output: Output): Promise<void> {
  const rows = rowsOf(answer);
  if (output === 'json') return await printJson(answer);
  if (rows !== undefined) {
    await printRecords(oneBatch(rows), kindOf(rows), output);
  } else if (output === 'csv') {
    throw new OptionError('The answer is no list, so that it can be no CSV: use --output json.');
  } else if (output === 'jsonl') {
    await writeOut(jsonLines(oneBatch([answer])), process.stdout);
  } else {
    await printJson(answer);
  }
}
