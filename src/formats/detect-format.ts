import { SourceError } from '../model/errors.js';
import type { SourceOptions } from '../model/source.js';

/** A format of text. */
export type FileFormat = 'csv' | 'jsonl' | 'json';

const LINES_NAME = /\.(jsonl|ndjson|jsonlines|ldjson)(\.(gz|zst))?$/i;
const DOCUMENT_NAME = /\.json(\.(gz|zst))?$/i;
const TABLE_NAME = /\.(csv|tsv|tab|psv)(\.(gz|zst))?$/i;

/**
 * The format of a source: as stated, or judged by how its text starts; its name decides where the
 * text leaves it open.
 * @param text the start of the decoded text, without a byte order mark
 */
export function detectFormat(name: string, text: string, options: SourceOptions): FileFormat {
  if (options.format !== undefined) return statedFormat(name, options.format);
  if (options.records !== undefined) return 'json';
  const start = text.trimStart();
  if (start === '') return formatOfName(name);
  const table = TABLE_NAME.test(name);
  if (start.startsWith('[')) return startsWithBracket(name, start);
  if (/^\{\s*["}]/.test(start)) return startsWithObject(name, start);
  return table ? 'csv' : formatOfName(name);
}

/** Workbooks and Parquet files are known by their first bytes, and this is neither. */
function statedFormat(name: string, format: NonNullable<SourceOptions['format']>): FileFormat {
  if (format !== 'xlsx' && format !== 'parquet') return format;
  const what = format === 'xlsx' ? 'an XLSX workbook' : 'a Parquet file';
  throw new SourceError(
    `${name} is not ${what}, going by its first bytes, but its format is given as ${format}: leave the format out, or state the one it has.`,
  );
}

function formatOfName(name: string): FileFormat {
  if (LINES_NAME.test(name)) return 'jsonl';
  return DOCUMENT_NAME.test(name) ? 'json' : 'csv';
}

/** A list of values; but a table's header may start with a bracket, too. */
function startsWithBracket(name: string, start: string): FileFormat {
  if (LINES_NAME.test(name)) return 'jsonl';
  if (DOCUMENT_NAME.test(name)) return 'json';
  const looksLikeList = /^\[\s*([[{"\]\d-]|true|false|null|$)/.test(start);
  return looksLikeList && !(TABLE_NAME.test(name) && !/^\[\s*[{\]]/.test(start)) ? 'json' : 'csv';
}

/** One object a line, or one document: the first line tells, unless there is only one. */
function startsWithObject(name: string, start: string): FileFormat {
  if (LINES_NAME.test(name)) return 'jsonl';
  const [first = '', ...others] = start.split(/\r\n|\n|\r/, 100);
  if (!isObject(first)) return 'json';
  const alone = others.every((line) => line.trim() === '');
  return alone && DOCUMENT_NAME.test(name) ? 'json' : 'jsonl';
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
