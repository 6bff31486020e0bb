/** A CSV table, and how it is to be written. */
export interface Table {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly rows: readonly (readonly string[])[];
  /** For each row: whether each field is quoted although it need not be. */
  readonly quoted: readonly (readonly boolean[])[];
  /** For each row: its line end, and what stands before it (blank or comment lines). */
  readonly lineEnds: readonly string[];
  readonly before: readonly (readonly string[])[];
  readonly finalLineEnd: boolean;
}

export interface WrittenTable {
  readonly text: string;
  /** The line on which each row starts, counted slowly and plainly. */
  readonly lines: readonly number[];
}

/** Writes a table, keeping book of lines. */
export function writeTable(table: Table): WrittenTable {
  let text = '';
  const lines: number[] = [];
  for (const [index, row] of table.rows.entries()) {
    const lineEnd = table.lineEnds[index] ?? '\n';
    for (const line of table.before[index] ?? []) text += line + lineEnd;
    lines.push(lineOf(text));
    text += row.map((field, at) => writeField(field, table, index, at)).join(table.delimiter);
    if (index < table.rows.length - 1 || table.finalLineEnd) text += lineEnd;
  }
  return { text, lines };
}

function writeField(field: string, table: Table, row: number, column: number): string {
  const { delimiter, quote, escape: mark } = table;
  const alone = (table.rows[row]?.length ?? 0) === 1 && field === '';
  const must =
    alone ||
    field.startsWith(quote) ||
    (column === 0 && field.startsWith('#')) ||
    /[\r\n]/.test(field) ||
    // Also where a field's end and the delimiter after it could be read as a delimiter.
    (field + delimiter).indexOf(delimiter) < field.length;
  if (!must && !table.quoted[row]?.[column]) return field;
  const escaped = [...field].map((c) => (c === quote || c === mark ? mark + c : c)).join('');
  return quote + escaped + quote;
}

/** One more than the number of line ends: CRLF, LF, or CR. */
export function lineOf(before: string): number {
  let line = 1;
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === '\n' || (before[at] === '\r' && before[at + 1] !== '\n')) line += 1;
  }
  return line;
}
