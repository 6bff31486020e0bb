import { OptionError } from '../../model/errors.js';
import { isObject } from '../../model/record.js';
import type { Monitoring } from '../../service/resources.js';
import type { Output } from '../options/output.js';
import { jsonText } from '../print.js';
import { flatten, jsonLines, oneBatch, type Row } from './formats.js';
import { type Kind, SEARCH_KIND, searchRows } from './kinds.js';
import { printRecords, writeOut } from './print-records.js';
import { oneLine } from './table.js';

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

/**
 * The rows of an answer whose shape the reference does not show: the answer itself if it is a list
 * of objects, or the one such list in it.
 */
function rowsOf(answer: unknown): readonly Row[] | undefined {
  if (isRows(answer)) return answer;
  if (!isObject(answer)) return undefined;
  const lists = Object.values(answer).filter(Array.isArray);
  return lists.length === 1 && isRows(lists[0]) ? lists[0] : undefined;
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isObject);
}

/** Columns for all fields that any of the rows has. */
function kindOf(rows: readonly Row[]): Kind<Row> {
  const paths = [...new Set(rows.flatMap((row) => [...flatten(row).keys()]))];
  return {
    csv: paths,
    table: paths.map((path) => ({
      title: path,
      cell: (row) => flatten(row).get(path),
      ...(isFigure(rows.map((row) => row[path])) ? { align: 'right' as const } : {}),
    })),
  };
}

function isFigure(values: readonly unknown[]): boolean {
  const given = values.filter((value) => value !== undefined && value !== null);
  return given.length > 0 && given.every((value) => typeof value === 'number');
}

/** Writes one monitoring to stdout: as it is, or as a head and a row for each search. */
export async function printMonitoring(monitoring: Monitoring, output: Output): Promise<void> {
  if (output === 'json') return await printJson(monitoring);
  if (output === 'jsonl') {
    await writeOut(jsonLines(oneBatch([monitoring])), process.stdout);
    return;
  }
  if (output === 'table') await writeOut([headOf(monitoring)], process.stdout);
  const rows = searchRows(monitoring);
  const shown = output === 'table' ? rows.filter(({ search }) => search !== null) : rows;
  await printRecords(oneBatch(shown), SEARCH_KIND, output);
}

function headOf({ id, title, status, searches }: Monitoring): string {
  const count = searches.length === 1 ? '1 search' : `${searches.length} searches`;
  return `${id}  ${oneLine(title)}  (${status}, ${count})\n`;
}
