import type { RecordAsRead } from '../../model/record.js';
import {
  couldBeFormula,
  escapesFormulas,
  fieldCount,
  rejectRefsIn,
} from '../../model/reject-columns.js';
import { csvRules, fieldStarts } from '../boundaries/record-scanner.js';
import { type CsvLayout, firstRow } from './parse-csv.js';

const CR = 0x0d;
const APOSTROPHE = 0x27;

/** Prepares a record for a rejects file. */
export function csvAsRead(raw: Uint8Array, layout: CsvLayout): RecordAsRead {
  const rules = csvRules(layout.dialect);
  // The delimiter must start a new field, even one that could overlap the record's last bytes.
  const record = Buffer.concat([raw, rules.delimiter]);
  const starts = fieldStarts(record, rules);
  if (starts.at(-1) !== record.length) return { raw, shape: 'ragged' };
  const found = starts.slice(1).map((end, at) => record.subarray(starts[at], end));
  const row = inColumns(found, layout, rules.delimiter);
  if (row === undefined) return { raw, shape: 'ragged' };
  const own = row.slice(0, layout.columns.length);
  const fields = withoutFormulas(Buffer.concat(own), layout);
  if (layout.header !== 'rejects') return { raw, shape: 'whole', fields };
  // They are in the last of the columns that earlier runs appended.
  const origin = firstRow(Buffer.from(raw), layout.dialect)[fieldCount(layout) - 1] ?? '';
  return { raw, shape: 'whole', fields, rejectRefs: rejectRefsIn(origin) };
}

/** Returns a field per column, each followed by a delimiter; `undefined` if they don't fit. */
function inColumns(
  found: readonly Buffer[],
  layout: CsvLayout,
  delimiter: Buffer,
): readonly Buffer[] | undefined {
  const columns = fieldCount(layout);
  if (found.length !== columns && layout.ragged !== 'pad') return undefined;
  // Surplus fields are blank; otherwise the record would be invalid.
  return Array.from({ length: columns }, (_, column) => found[column] ?? delimiter);
}

/**
 * Prefixes fields that a spreadsheet would read as a formula with an apostrophe, unless an earlier
 * rejects file did so already. Importing the rejects removes it again.
 * @param record with a delimiter after its last field too
 */
function withoutFormulas(record: Buffer, layout: CsvLayout): Uint8Array {
  const rules = csvRules(layout.dialect);
  const starts = fieldStarts(record, rules);
  const end = (starts.at(-1) ?? 0) - rules.delimiter.length;
  if (!escapesFormulas(layout.dialect)) return record.subarray(0, end);
  const parts: Buffer[] = [];
  let copiedTo = 0;
  for (let field = 0; field + 1 < starts.length; field += 1) {
    const isQuoted = record[starts[field] as number] === rules.quote;
    const start = (starts[field] as number) + Number(isQuoted);
    const fieldEnd = (starts[field + 1] as number) - rules.delimiter.length;
    const content = isQuoted
      ? record.lastIndexOf(rules.quote, fieldEnd - 1)
      : contentEnd(record, fieldEnd);
    const beginning = record.toString('utf8', start, afterApostrophes(record, start, content));
    const hasApostrophe = layout.header === 'rejects' && beginning.startsWith("'");
    if (!couldBeFormula(beginning) || hasApostrophe) continue;
    parts.push(record.subarray(copiedTo, start), Buffer.of(APOSTROPHE));
    copiedTo = start;
  }
  return Buffer.concat([...parts, record.subarray(copiedTo, end)]);
}

/** A record cut at LF still has the CR of its line end. */
function contentEnd(record: Buffer, fieldEnd: number): number {
  return record[fieldEnd - 1] === CR ? fieldEnd - 1 : fieldEnd;
}

/** Bytes of a character in full width. */
const WIDE_BYTES = 3;

/** Offset after the first character that isn't an apostrophe. */
function afterApostrophes(record: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && record[at] === APOSTROPHE) at += 1;
  return Math.min(at + WIDE_BYTES, end);
}

/**
 * Formats texts as a CSV line, with its line end. A single empty text is quoted, as an empty line
 * isn't a record.
 */
export function csvLine(texts: readonly string[]): string {
  const [only] = texts;
  return texts.length === 1 && only === '' ? '""\n' : `${texts.map(field).join(',')}\n`;
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
