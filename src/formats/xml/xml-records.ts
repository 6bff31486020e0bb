/** Parses and locates the records in chunks of XML. */
import { asBuffer, type Layout } from '../../model/chunk.js';
import type { ParsedRecord } from '../../model/record.js';
import { locateRecords } from '../boundaries/cut-records.js';
import type { Located, LocatedRecord, RecordFormat } from '../format.js';
import { allWithStrayBytes } from '../stray-bytes.js';
import type { ElementPath } from './element-path.js';
import { parseElement } from './parse-element.js';
import { XmlScanner } from './xml-scanner.js';

export type XmlLayout = Layout & ElementPath;

export const xmlElements: RecordFormat<XmlLayout> = {
  hasLines: true,
  locate: (chunk) => locateUnits(chunk).flatMap((unit) => locateIn(unit, chunk)),
  *parse(chunk) {
    for (const { line, start, end } of locateUnits(chunk)) {
      const unit = asBuffer(chunk.bytes).subarray(start, end);
      const records = parseUnit(unit, line, chunk.layout);
      yield* allWithStrayBytes(records, unit);
    }
  },
};

/** Returns whether records are inside the elements that are cut. */
export function isNested({ path, unit }: ElementPath): boolean {
  return unit < path.length;
}

/** Locates the records inside an element; lines count from 0. */
export function recordsInside(element: Buffer, layout: XmlLayout): LocatedRecord[] {
  const position = { byte: 0, record: 1, line: 0 };
  const scanner = new XmlScanner(layout.path.slice(layout.unit - 1), false);
  return locateRecords({ bytes: element, layout, position }, scanner);
}

function locateUnits(chunk: Located<XmlLayout>): LocatedRecord[] {
  const { path, unit } = chunk.layout;
  return locateRecords(chunk, new XmlScanner(path.slice(0, unit), true));
}

/** Locates a unit's records; one inside it is written with the element around it. */
function locateIn(unit: LocatedRecord, chunk: Located<XmlLayout>): readonly LocatedRecord[] {
  if (!isNested(chunk.layout)) return [unit];
  const element = asBuffer(chunk.bytes).subarray(unit.start, unit.end);
  const records = recordsInside(element, chunk.layout);
  let around: Buffer | undefined;
  let inside = 0;
  return records.map((record) => {
    // Where it belongs in the element without records.
    const place = record.start - inside;
    inside += record.end - record.start;
    const raw = (): Buffer => {
      around ??= withoutRecords(element, records);
      const own = element.subarray(record.start, record.end);
      return Buffer.concat([around.subarray(0, place), own, around.subarray(place)]);
    };
    return { ...unit, line: unit.line + record.line, raw };
  });
}

function parseUnit(element: Buffer, line: number, layout: XmlLayout): readonly ParsedRecord[] {
  if (!isNested(layout)) return [parseElement(element, line)];
  const records = recordsInside(element, layout);
  const parent = parseElement(withoutRecords(element, records), line);
  if ('problem' in parent) return records.map(() => parent);
  return records.map(({ start, end, line: before }) => {
    const own = parseElement(element.subarray(start, end), line + before);
    return 'problem' in own ? own : { value: { parent: parent.value, ...own.value } };
  });
}

/** An element without the records in it. */
function withoutRecords(element: Buffer, records: readonly LocatedRecord[]): Buffer {
  const ends = [0, ...records.map(({ end }) => end)];
  const starts = [...records.map(({ start }) => start), element.length];
  return Buffer.concat(ends.map((end, at) => element.subarray(end, starts[at])));
}
