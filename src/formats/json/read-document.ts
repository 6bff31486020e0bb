import type { Layout } from '../../model/chunk.js';
import { countLineEnds } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import type { TextSample, Understood } from '../format.js';
import type { SourceOptions } from '../options.js';
import { listsIn, type Outline, walkJson } from './json-outline.js';
import { type JsonPath, parsePath, showPath, wrapping } from './json-path.js';
import { isJsonBlank } from './json-scanner.js';

const CLOSE_LIST = 0x5d;
const LAYOUT: Layout = { format: 'json', inList: true };

/**
 * Finds the list of records in a JSON document: at its top, or at the path that is stated.
 * Returns `more` if it needs to see more of the document.
 * @throws SourceError if there is no such list; the message says which there are
 */
export function readDocument(sample: TextSample, options: SourceOptions): Understood | 'more' {
  const { name, mark, whole } = sample;
  const path = options.records === undefined ? [] : parsePath(options.records);
  const bytes = sample.bytes.subarray(mark);
  refuseScalars(name, bytes);
  const wanted = JSON.stringify(path);
  const outline = walkJson(bytes, (opening) => JSON.stringify(opening.path) === wanted);
  const { stopped } = outline;
  if (stopped?.kind === 'list') return understood(sample, path, mark + stopped.inside);
  if (stopped === undefined && outline.malformedAt === undefined && !outline.closed && !whole) {
    return 'more';
  }
  throw noList(name, bytes, path, outline);
}

function understood(sample: TextSample, path: JsonPath, start: number): Understood {
  const { name, bytes } = sample;
  const { head, closing } = wrapping(path);
  const first = bytes.subarray(start).find((byte) => !isJsonBlank(byte));
  return {
    layout: LAYOUT,
    head: Buffer.from(head),
    tail: Buffer.from(`]${closing}`),
    start: { byte: start, record: 1, line: 1 + countLineEnds(bytes.subarray(0, start)) },
    notices: first === CLOSE_LIST ? [`${name} has an empty list: there are no records in it.`] : [],
  };
}

function refuseScalars(name: string, bytes: Buffer): void {
  const first = bytes.find((byte) => !isJsonBlank(byte));
  if (first === undefined) {
    throw new SourceError(`${name} is empty: expected a JSON document with a list of records.`);
  }
  if (first === 0x5b || first === 0x7b) return;
  throw new SourceError(
    `${name} starts with ${JSON.stringify(String.fromCharCode(first))}, so it is no JSON document with a list of records: expected [ or {. State its format if it is CSV or JSON Lines.`,
  );
}

function noList(name: string, bytes: Buffer, path: JsonPath, outline: Outline): SourceError {
  if (outline.malformedAt !== undefined) {
    const line = 1 + countLineEnds(bytes.subarray(0, outline.malformedAt));
    return new SourceError(
      `${name} is malformed JSON on line ${line}, before any list of records: fix it or fetch it again.`,
    );
  }
  if (path.length === 0) return notAtTheTop(name, bytes);
  return new SourceError(
    `${name} has no list at ${showPath(path)}: ${whatThereIs(path, bytes, outline)}.`,
  );
}

function notAtTheTop(name: string, bytes: Buffer): SourceError {
  const lists = listsIn(bytes);
  if (lists.length === 0) {
    return new SourceError(
      `${name} is one JSON object without a list of objects in it: expected a list of records, or one object a line.`,
    );
  }
  const others = lists.slice(1, 4);
  const more = others.length === 0 ? '' : ` (or ${others.join(', ')})`;
  return new SourceError(
    `${name} has its list of records not at the top: set records to ${lists[0]}${more}.`,
  );
}

function whatThereIs(path: JsonPath, bytes: Buffer, { stopped, keys }: Outline): string {
  const lists = listsIn(bytes);
  const hint = lists.length > 0 ? `; there is one at ${lists.slice(0, 3).join(', ')}` : '';
  if (stopped !== undefined) return `it is an object there${hint}`;
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const parent = showPath(path.slice(0, depth));
    const there = keys.get(parent);
    if (there === undefined) continue;
    const where = parent === '' ? 'at the top' : `in ${parent}`;
    return `${where} there are the keys ${there.slice(0, 10).join(', ')}${hint}`;
  }
  return bytes.find((byte) => !isJsonBlank(byte)) === 0x5b
    ? 'the list is at the top, so leave records out'
    : `it was not found${hint}`;
}
