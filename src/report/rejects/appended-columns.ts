import type { Dialect } from '../../model/chunk.js';
import type { RejectRef } from '../../model/record.js';
import { couldBeFormula, REJECT_COLUMNS, rejectRefText } from '../../model/reject-columns.js';
import { lineEndLength, type Reject, type RejectsSource } from './rejects-layout.js';

/** Columns appended to the records of one source, each with a delimiter before it. */
export interface AppendedColumns {
  /** Text before the first record, with the columns in the header. */
  readonly head: Uint8Array;
  /** Text after a record's own fields. */
  readonly after: (reject: Reject, ref: RejectRef) => string;
}

/** Rows of workbooks are written as CSV. */
const WORKBOOK_DIALECT = { delimiter: ',', quote: '"', escape: '"', comment: null };
/** Longest text of a column; the reasons file has all of it. */
const MAX_CHARACTERS = 2_000;

/**
 * Creates columns that show people what is wrong with a record, and, to later runs, which record it is.
 * @returns `undefined` if there is no header for the columns, or the dialect can't represent them
 */
export function appendedColumns({ layout, head }: RejectsSource): AppendedColumns | undefined {
  const { columns, header } = layout;
  if (columns === undefined || header === 'none') return undefined;
  const { dialect = WORKBOOK_DIALECT } = layout;
  const field = csvFieldWriter(dialect);
  if (field === undefined) return undefined;
  const fields = (texts: readonly string[]): string =>
    texts.map((text) => dialect.delimiter + field(text)).join('');
  return {
    head: header === 'rejects' ? head : withColumns(head, fields(REJECT_COLUMNS)),
    after: (reject, ref) => {
      const rejectRefs = [...(reject.rejectRefs ?? []), ref].map(rejectRefText);
      return fields([reject.outcome, problemsText(reject), rejectRefs.join(' ')]);
    },
  };
}

/** Appends columns to the header, which is the last record of the head. */
function withColumns(head: Uint8Array, columns: string): Uint8Array {
  const end = head.length - lineEndLength(head);
  return Buffer.concat([head.subarray(0, end), Buffer.from(columns), head.subarray(end)]);
}

function problemsText({ problems }: Reject): string {
  // Two fields made from one column have the same problem.
  const sentences = new Set(problems.map(({ kind, message }) => `${kind}: ${message}`));
  const text = [...sentences].join(' | ');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

/** Characters in names of columns and references, which can't be delimiters. */
const WORD_CHARACTER = /[\w:. -]/;

/**
 * Creates a function that formats a text as a field of a dialect: on one line, and never a formula.
 * Without quotes, delimiters in the text are replaced.
 * @returns `undefined` for a dialect that can't represent plain words
 */
export function csvFieldWriter(dialect: Dialect): ((text: string) => string) | undefined {
  const { delimiter, quote } = dialect;
  if (quote !== null) return (text) => quoteField(safe(text), dialect, quote);
  if (WORD_CHARACTER.test(delimiter)) return undefined;
  return (text) => safe([...text].map((one) => (delimiter.includes(one) ? ' ' : one)).join(''));
}

/** Removes control characters and escapes what looks like a formula. */
function safe(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return couldBeFormula(line) && !line.startsWith("'") ? `'${line}` : line;
}

function quoteField(text: string, { delimiter, escape: mark }: Dialect, quote: string): string {
  const special = [...delimiter, quote, mark ?? quote, ' '];
  if (!special.some((one) => text.includes(one))) return text;
  return `${quote}${escapeQuotes(text, quote, mark)}${quote}`;
}

function escapeQuotes(text: string, quote: string, mark: string | null): string {
  // There is no way to escape the quote.
  if (mark === null) return text.replaceAll(quote, quote === "'" ? '"' : "'");
  const marked = mark === quote ? text : text.replaceAll(mark, mark + mark);
  return marked.replaceAll(quote, mark + quote);
}
