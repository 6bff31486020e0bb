/** JSON: objects on lines, in a list, or one after another. */

import type { Layout } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import { lineRules, RecordScanner } from '../boundaries/record-scanner.js';
import type { DetectedText, TextFileFormat, TextSample } from '../format.js';
import type { SourceOptions } from '../options.js';
import { ElementScanner } from './element-scanner.js';
import { listLayout } from './json-records.js';
import { listsIn, someHaveList, tryParseJson, valuesOnLines } from './lists-in.js';
import { countInside } from './nested-records.js';
import { readDocument } from './read-json-document.js';
import { parseRecordsPath } from './records-path.js';

export const jsonl: TextFileFormat = {
  name: 'jsonl',
  title: 'JSON Lines',
  extensions: ['jsonl', 'ndjson', 'jsonlines', 'ldjson'],
  hasColumns: false,
  text: {
    recognise: (start, named) => formOf(start, named) === 'jsonl',
    divisible: true,
    detect: detectJsonLines,
    scanner: ({ limits }) => new RecordScanner(lineRules(limits.maxRecordBytes)),
    linesIn,
    lists,
  },
};

/** JSON document: elements of a list in it, or values one after another. */
export const json: TextFileFormat = {
  name: 'json',
  title: 'JSON',
  extensions: ['json'],
  hasColumns: false,
  text: {
    recognise: (start, named) => formOf(start, named) === 'json',
    divisible: false,
    detect: readDocument,
    scanner({ source, limits: { maxRecordBytes }, tail }) {
      // The tail's first bracket closes the list itself.
      const closing = tail.subarray(1);
      return new ElementScanner({ ...listLayout(source.layout), maxRecordBytes, closing });
    },
    linesIn,
    lists,
  },
};

function lists(text: Buffer): readonly string[] {
  return listsIn(text).map(({ path }) => path);
}

/** Records in an element's lists have the line of the element; an element without lists is one record. */
function linesIn(layout: Layout): ((element: Buffer) => readonly number[]) | undefined {
  if (layout.inside?.[0] === undefined) return undefined;
  return (element) => new Array<number>(countInside(element, layout)).fill(0);
}

/** Recognises JSON by its start and the extension; `undefined` if it is neither form. */
function formOf(start: string, named: string | undefined): 'jsonl' | 'json' | undefined {
  if (start.startsWith(RECORD_SEPARATOR) || spansLines(start)) return 'json';
  if (named === 'jsonl') return 'jsonl';
  if (start.startsWith('['))
    return named === 'json' || startsList(start, named) ? 'json' : undefined;
  if (/^\{\s*["}]/.test(start)) return formOfObject(start, named);
  return named === 'json' ? 'json' : undefined;
}

/** Returns whether a list of values starts here; a CSV header may start with a bracket too. */
function startsList(start: string, named: string | undefined): boolean {
  if (named !== undefined && !/^\[\s*[{\]]/.test(start)) return false;
  return /^\[\s*([[{"\]\d-]|true|false|null|$)/.test(start);
}

/** Precedes each text in RFC 7464. */
const RECORD_SEPARATOR = '\x1e';

function spansLines(start: string): boolean {
  return /^\{\s*[\r\n]\s*"/.test(start);
}

/** JSON Lines if the first line is a complete object, unless that is all of a `.json` file. */
function formOfObject(start: string, named: string | undefined): 'jsonl' | 'json' {
  const [first = '', ...others] = start.split(/\r\n|\n|\r/, 100);
  if (tryParseJson(first) === undefined) return 'json';
  const alone = others.every((line) => line.trim() === '');
  return alone && named === 'json' ? 'json' : 'jsonl';
}

const LINES_LAYOUT: Layout = { format: 'jsonl' };

function detectJsonLines(
  { name, bytes, mark, whole }: TextSample,
  { records }: SourceOptions,
): DetectedText | 'need-more-data' {
  const text = bytes.toString('utf8', mark);
  const layout = records === undefined ? LINES_LAYOUT : linesWith(records);
  if (records !== undefined && !someHaveList(valuesOnLines(text), layout.inside ?? [])) {
    if (!whole) return 'need-more-data';
    throw noListInLines(name, records, text);
  }
  const empty = whole && text.trim() === '';
  return {
    layout,
    head: Buffer.alloc(0),
    tail: Buffer.alloc(0),
    start: { byte: mark, record: 1, line: 1 },
    notices: [
      ...(empty ? [`${name} is empty: it has no records.`] : []),
      ...(records === undefined && /^\s*(\[|\{\s*[\r\n])/.test(text)
        ? [documentNotice(name, text)]
        : []),
    ],
  };
}

/** Lays out lines with lists of records inside. */
function linesWith(records: string): Layout {
  const { list, inside } = parseRecordsPath(records);
  return { ...LINES_LAYOUT, inside: [list, ...inside] };
}

function noListInLines(name: string, records: string, text: string): SourceError {
  const found = listsIn(Buffer.from(text)).map(({ path }) => path);
  const there =
    found.length > 0 ? `there is one at ${found.slice(0, 3).join(', ')}` : 'check the path';
  return new SourceError(`${name} has no list at ${records} in its lines: ${there}.`);
}

function documentNotice(name: string, text: string): string {
  const [first = '', second = ''] = text.trim().split(/\r\n|\n|\r/, 2);
  if (second.startsWith('[') && Array.isArray(tryParseJson(first))) {
    return `${name} has a list on each line: if their elements are the records, set records: "[]".`;
  }
  return `${name} does not start like JSON Lines: if it is one list, or its objects span several lines, set the format to json (--format json).`;
}
