import type { Origin, RecordAsRead } from '../../model/record.js';
import {
  couldBeFormula,
  escapesFormulas,
  fieldCount,
  originsIn,
} from '../../model/reject-columns.js';
import { csvRules, fieldStarts } from '../boundaries/record-scanner.js';
import { type CsvLayout, parseCsv } from './parse-csv.js';

const CR = 0x0d;
const APOSTROPHE = 0x27;

/** A record as it was read, and how it can stand beside others. */
export function csvAsRead(raw: Uint8Array, layout: CsvLayout): RecordAsRead {
  const rules = csvRules(layout.dialect);
  // What is to stand behind it must begin a field, also where a delimiter could begin too early.
  const record = Buffer.concat([raw, rules.delimiter]);
  const starts = fieldStarts(record, rules);
  if (starts.at(-1) !== record.length) return { raw, shape: 'ragged' };
  const found = starts.slice(1).map((end, at) => record.subarray(starts[at], end));
  const row = inColumns(found, layout, rules.delimiter);
  if (row === undefined) return { raw, shape: 'ragged' };
  const own = row.slice(0, layout.columns.length);
  const fields = withoutFormulas(Buffer.concat(own), layout);
  if (layout.header !== 'rejects') return { raw, shape: 'whole', fields };
  return { raw, shape: 'whole', fields, origins: originsOf(raw, layout) };
}

/** A field for each column, with a delimiter behind each; nothing if they don't fit. */
function inColumns(
  found: readonly Buffer[],
  layout: CsvLayout,
  delimiter: Buffer,
): readonly Buffer[] | undefined {
  const columns = fieldCount(layout);
  if (found.length !== columns && layout.ragged !== 'pad') return undefined;
  // Those behind the last column are empty: others would have made the record invalid.
  return Array.from({ length: columns }, (_, column) => found[column] ?? delimiter);
}

/**
 * Fields with an apostrophe before each that a spreadsheet would take for a formula, unless it got
 * one when it was rejected before. A later import of the rejects takes them off again.
 * @param record with a delimiter behind its last field, too
 */
function withoutFormulas(record: Buffer, layout: CsvLayout): Uint8Array {
  const rules = csvRules(layout.dialect);
  const starts = fieldStarts(record, rules);
  const end = (starts.at(-1) ?? 0) - rules.delimiter.length;
  if (!escapesFormulas(layout.dialect)) return record.subarray(0, end);
  const parts: Buffer[] = [];
  let kept = 0;
  for (let field = 0; field + 1 < starts.length; field += 1) {
    const isQuoted = record[starts[field] as number] === rules.quote;
    const start = (starts[field] as number) + Number(isQuoted);
    const behind = (starts[field + 1] as number) - rules.delimiter.length;
    const content = isQuoted ? record.lastIndexOf(rules.quote, behind - 1) : endOf(record, behind);
    const beginning = record.toString('latin1', start, beginningOf(record, start, content));
    const hasApostrophe = layout.header === 'rejects' && beginning.startsWith("'");
    if (!couldBeFormula(beginning) || hasApostrophe) continue;
    parts.push(record.subarray(kept, start), Buffer.of(APOSTROPHE));
    kept = start;
  }
  return Buffer.concat([...parts, record.subarray(kept, end)]);
}

/** A record that was cut at LF has the CR of its line end still on it. */
function endOf(record: Buffer, behind: number): number {
  return record[behind - 1] === CR ? behind - 1 : behind;
}

/** Behind the first byte that is no apostrophe. */
function beginningOf(record: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && record[at] === APOSTROPHE) at += 1;
  return Math.min(at + 1, end);
}

/** By the last of the columns that earlier runs appended. */
function originsOf(bytes: Uint8Array, layout: CsvLayout): readonly Origin[] {
  const position = { byte: 0, record: 1, line: 1 };
  const base = { kind: 'bytes', source: '', input: 0, records: 1 } as const;
  const [parsed] = parseCsv({ ...base, layout, position, bytes });
  const fields = parsed?.value;
  return Array.isArray(fields) ? originsIn(String(fields.at(-1))) : [];
}

/** Texts as a line of CSV, with its end. A single empty text is quoted: an empty line is no record. */
export function csvLine(texts: readonly string[]): string {
  const [only] = texts;
  return texts.length === 1 && only === '' ? '""\n' : `${texts.map(field).join(',')}\n`;
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
