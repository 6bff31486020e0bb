import type { Monitoring } from '../../service/resources.js';
import { SEARCH_KIND, searchRows } from '../kinds/monitorings.js';
import { oneBatch } from './batches.js';
import { oneLine } from './fit.js';
import { jsonLines } from './json.js';
import type { Output } from './output-options.js';
import { printRecords } from './print-records.js';
import { printJson } from './print-value.js';
import { writeOut } from './write-out.js';

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
