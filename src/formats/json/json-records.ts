/** Parses and locates the records in chunks of JSON: lines, or elements of a document. */
import type { BytesChunk, Layout } from '../../model/chunk.js';
import type { ParsedRecord } from '../../model/record.js';
import { locateLines, locateRecords } from '../boundaries/cut-records.js';
import { lineRules } from '../boundaries/record-scanner.js';
import type { Located, LocatedRecord, RecordFormat } from '../format.js';
import { ElementScanner } from './element-scanner.js';
import { isNested, locateNested, parseNested } from './nested-records.js';
import { parseJsonRecords } from './parse-json.js';

const LINES = lineRules();

/** Also of lines that docferry writes itself. */
export const jsonLines: RecordFormat = {
  hasLines: true,
  parse: (chunk) => parseElements(chunk, locateLines(chunk, LINES), true),
  locate: (chunk) => located(chunk, locateLines(chunk, LINES)),
};

export const jsonElements: RecordFormat = {
  hasLines: true,
  parse: (chunk) => parseElements(chunk, locateElements(chunk), false),
  locate: (chunk) => located(chunk, locateElements(chunk)),
};

function locateElements(chunk: Located): LocatedRecord[] {
  return locateRecords(chunk, new ElementScanner({ ...listLayout(chunk.layout), hasBegun: true }));
}

export function listLayout({ inList, keyed }: Layout): { inList: boolean; keyed: boolean } {
  return { inList: inList === true, keyed: keyed === true };
}

function located(chunk: Located, elements: LocatedRecord[]): LocatedRecord[] {
  return isNested(chunk.layout) ? locateNested(chunk, elements) : elements;
}

/** @param startsLine whether the chunk starts at the start of a line */
function parseElements(
  chunk: BytesChunk,
  elements: readonly LocatedRecord[],
  startsLine: boolean,
): Iterable<ParsedRecord> {
  const parse = isNested(chunk.layout) ? parseNested : parseJsonRecords;
  return parse(chunk, elements, startsLine);
}
