/** JSON: objects on lines, in a list, or one after another. */

import type { BytesChunk, Layout } from '../../model/chunk.js';
import { locateLines, locateRecords } from '../boundaries/cut-records.js';
import { lineRules, RecordScanner } from '../boundaries/record-scanner.js';
import type { DetectedText, Located, LocatedRecord, TextOne, TextSample } from '../format.js';
import { ElementScanner } from './element-scanner.js';
import { parseJsonRecords } from './parse-json.js';
import { readDocument } from './read-document.js';

const LINES = lineRules();

export const jsonl: TextOne = {
  name: 'jsonl',
  title: 'JSON Lines',
  extensions: ['jsonl', 'ndjson', 'jsonlines', 'ldjson'],
  hasColumns: false,
  hasLines: true,
  text: {
    recognise: (start, named) => formOf(start, named) === 'jsonl',
    divisible: true,
    detect: readLines,
    scanner: ({ limits }) => new RecordScanner(lineRules(limits.maxRecordBytes)),
  },
  parse: parseLines,
  locate: (chunk) => locateLines(chunk, LINES),
};

/** JSON document: elements of a list in it, or values one after another. */
export const json: TextOne = {
  name: 'json',
  title: 'JSON',
  extensions: ['json'],
  hasColumns: false,
  hasLines: true,
  text: {
    recognise: (start, named) => formOf(start, named) === 'json',
    divisible: false,
    detect: readDocument,
    scanner({ source, limits: { maxRecordBytes }, tail }) {
      const inList = source.layout.inList === true;
      // The tail's first bracket closes the list itself.
      return new ElementScanner({ inList, maxRecordBytes, closing: tail.subarray(1) });
    },
  },
  parse: (chunk) => parseJsonRecords(chunk, locateElements(chunk), false),
  locate: locateElements,
};

function locateElements(chunk: Located): LocatedRecord[] {
  const inList = chunk.layout.inList === true;
  return locateRecords(chunk, new ElementScanner({ inList, hasBegun: true }));
}

/** Parses one record per line, including lines that docferry writes itself. */
export function parseLines(chunk: BytesChunk): ReturnType<typeof parseJsonRecords> {
  return parseJsonRecords(chunk, locateLines(chunk, LINES), true);
}

/** Recognises JSON by its start and the extension; `undefined` if it is neither form. */
function formOf(start: string, named: string | undefined): 'jsonl' | 'json' | undefined {
  if (start.startsWith(RECORD_SEPARATOR) || spansLines(start)) return 'json';
  if (named === 'jsonl') return 'jsonl';
  if (start.startsWith('[')) return named === 'json' || isList(start, named) ? 'json' : undefined;
  if (/^\{\s*["}]/.test(start)) return formOfObject(start, named);
  return named === 'json' ? 'json' : undefined;
}

/** Whether a list of values starts here; a CSV header may start with a bracket too. */
function isList(start: string, named: string | undefined): boolean {
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
  if (!isObject(first)) return 'json';
  const alone = others.every((line) => line.trim() === '');
  return alone && named === 'json' ? 'json' : 'jsonl';
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

const LINES_LAYOUT: Layout = { format: 'jsonl' };

function readLines({ name, bytes, mark, whole }: TextSample): DetectedText {
  const text = bytes.toString('utf8', mark);
  const empty = whole && text.trim() === '';
  return {
    layout: LINES_LAYOUT,
    head: Buffer.alloc(0),
    tail: Buffer.alloc(0),
    start: { byte: mark, record: 1, line: 1 },
    notices: [
      ...(empty ? [`${name} is empty: it has no records.`] : []),
      ...(/^\s*(\[|\{\s*[\r\n])/.test(text) ? [documentNotice(name)] : []),
    ],
  };
}

function documentNotice(name: string): string {
  return `${name} does not start like JSON Lines: if it is one list, or its objects go over several lines, state the format json (--format json).`;
}
