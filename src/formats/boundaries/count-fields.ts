import type { RecordRules } from './record-rules.js';

/** How many fields a record has; its quotes must make sense. */
export function countFields(bytes: Buffer, start: number, end: number, rules: RecordRules): number {
  return fieldStarts(bytes.subarray(start, end), rules).length;
}

/** Where each field of a record starts; its quotes must make sense. */
export function fieldStarts(record: Buffer, rules: RecordRules): readonly number[] {
  const { delimiter, quote } = rules;
  const starts = [0];
  let at = 0;
  for (;;) {
    if (quote >= 0 && record[at] === quote) at = afterQuoted(record, at + 1, rules);
    const found = record.indexOf(delimiter, at);
    if (found < 0) return starts;
    at = found + delimiter.length;
    starts.push(at);
  }
}

/** Where a quoted field ends, whose content starts at `from`. */
function afterQuoted(record: Buffer, from: number, rules: RecordRules): number {
  const { quote, escape: mark } = rules;
  let at = from;
  while (at < record.length) {
    const byte = record[at];
    if (byte === mark && (mark !== quote || record[at + 1] === quote)) at += 2;
    else if (byte === quote) return at + 1;
    else at += 1;
  }
  return at;
}
