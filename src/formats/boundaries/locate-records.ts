import type { BytesChunk } from '../../model/chunk.js';
import { AT_END, isJsonBlank, JsonScanner } from '../json/json-scanner.js';
import { asBuffer, countLineEnds } from './line-ends.js';
import { type RecordRules, rulesOf } from './record-rules.js';
import { RecordScanner } from './record-scanner.js';

/** Where a record of a chunk stands. */
export interface LocatedRecord {
  /** Line of the source on which the record starts, from 1. */
  readonly line: number;
  /** Offset of its first byte in the chunk's bytes. */
  readonly start: number;
  /** Offset behind its last byte, without line end, comma or blanks around a JSON value. */
  readonly end: number;
}

/** Finds the records of a chunk, in the order of `parseChunk`. */
export function locateRecords(
  chunk: Pick<BytesChunk, 'bytes' | 'layout' | 'position'>,
): readonly LocatedRecord[] {
  const bytes = asBuffer(chunk.bytes);
  const { layout, position } = chunk;
  switch (layout.format) {
    case 'csv':
      // The cut is made: whether a quote swallows a record is not to be asked again.
      return locateLines(bytes, { ...rulesOf(layout), columns: 0 }, position.line);
    case 'jsonl':
    case 'xlsx':
    case 'parquet':
      return locateLines(bytes, rulesOf(layout), position.line);
    case 'json':
      return locateElements(bytes, position.line);
    case 'objects':
      return [];
    default:
      return layout satisfies never;
  }
}

function locateLines(bytes: Buffer, rules: RecordRules, firstLine: number): LocatedRecord[] {
  const scanner = new RecordScanner(rules);
  scanner.load(bytes, true);
  const records: LocatedRecord[] = [];
  let line = firstLine;
  for (let start = 0; start < bytes.length; start = scanner.next) {
    const found = scanner.scan(start);
    if (found === 'record') records.push({ line, start, end: scanner.end });
    else if (found !== 'nothing') throw new Error(`A chunk holds a record that is ${found}.`);
    line += scanner.lines;
  }
  return records;
}

function locateElements(bytes: Buffer, firstLine: number): LocatedRecord[] {
  const scanner = new JsonScanner();
  const records: LocatedRecord[] = [];
  let line = firstLine;
  let counted = 0;
  for (let from = 0; ; ) {
    const comma = scanner.scan(bytes, from);
    const { start, end } = trimmed(bytes, from, comma === AT_END ? bytes.length : comma);
    line += countLineEnds(bytes, counted, start);
    counted = start;
    records.push({ line, start, end });
    if (comma < 0) return records;
    from = comma + 1;
  }
}

/** An element without the blanks around it. */
function trimmed(bytes: Buffer, from: number, to: number): { start: number; end: number } {
  let start = from;
  let end = to;
  while (start < end && isJsonBlank(bytes[start])) start += 1;
  while (end > start && isJsonBlank(bytes[end - 1])) end -= 1;
  return { start, end };
}
