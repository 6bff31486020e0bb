import type { Dialect } from '../../model/chunk.js';
import type { Origin } from '../../model/record.js';
import { couldBeFormula, originText, REJECT_COLUMNS } from '../../model/reject-columns.js';
import type { Reject } from './rejects-file.js';
import { lineEndLength, type RejectsSource } from './rejects-layout.js';

/** What is appended to records of one source, each field with a delimiter before it. */
export interface AppendedColumns {
  /** What stands before the first record, with the columns in the header. */
  readonly head: Uint8Array;
  /** What stands behind a record's own fields. */
  readonly behind: (reject: Reject, origin: Origin) => string;
}

/** Rows of workbooks are given back as CSV. */
const WORKBOOK_DIALECT = { delimiter: ',', quote: '"', escape: '"', comment: null };
/** The why file has all of it. */
const MAX_CHARACTERS = 2_000;

/**
 * Says what to append to a source's records, so that whoever fixes them sees why, and a later run
 * knows where they come from.
 * @returns `undefined` if there is no header that could name the columns, or its dialect can't
 *   hold them
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
    behind: (reject, origin) => {
      const origins = [...(reject.origins ?? []), origin].map(originText);
      return fields([reject.outcome, problemsText(reject), origins.join(' ')]);
    },
  };
}

/** The header is the last record of the head. */
function withColumns(head: Uint8Array, columns: string): Uint8Array {
  const end = head.length - lineEndLength(head);
  return Buffer.concat([head.subarray(0, end), Buffer.from(columns), head.subarray(end)]);
}

function problemsText({ problems }: Reject): string {
  // Two fields of a document can come from one column, and then the same is wrong with both.
  const sentences = new Set(problems.map(({ kind, message }) => `${kind}: ${message}`));
  const text = [...sentences].join(' | ');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

/** What names of columns and origins consist of: it has to be told from the delimiter. */
const PLAIN = /[\w:. -]/;

/**
 * Makes a function that writes a text as one field of a dialect: on one line, and never a formula.
 * Where quotes mean nothing, what would end the field is left out.
 * @returns `undefined` for a dialect in which plain words can't be written
 */
export function csvFieldWriter(dialect: Dialect): ((text: string) => string) | undefined {
  const { delimiter, quote } = dialect;
  if (quote !== null) return (text) => quoted(plain(text), dialect, quote);
  if (PLAIN.test(delimiter)) return undefined;
  return (text) => plain([...text].map((one) => (delimiter.includes(one) ? ' ' : one)).join(''));
}

/** One line without control characters, that does not begin as a formula does. */
function plain(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return couldBeFormula(line) && !line.startsWith("'") ? `'${line}` : line;
}

function quoted(text: string, { delimiter, escape: mark }: Dialect, quote: string): string {
  const special = [...delimiter, quote, mark ?? quote, ' '];
  if (!special.some((one) => text.includes(one))) return text;
  return `${quote}${escaped(text, quote, mark)}${quote}`;
}

function escaped(text: string, quote: string, mark: string | null): string {
  // Nothing could make it literal.
  if (mark === null) return text.replaceAll(quote, quote === "'" ? '"' : "'");
  const marked = mark === quote ? text : text.replaceAll(mark, mark + mark);
  return marked.replaceAll(quote, mark + quote);
}
