import { countLineEnds } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import type { DetectedText, SourceFault, TextOne, TextSample } from '../format.js';
import type { SourceOptions } from '../options.js';
import { parseElementPath } from './element-path.js';
import { elementsIn } from './elements-in.js';
import { isNested, recordsInside, type XmlLayout } from './xml-records.js';
import { XmlScanner } from './xml-scanner.js';

/** XML documents, whose records are the elements at a path. */
export const xml: TextOne<XmlLayout> = {
  name: 'xml',
  title: 'XML',
  extensions: ['xml', 'rss', 'atom'],
  hasColumns: false,
  text: {
    recognise: (start, named) => (named === 'xml' ? start.startsWith('<') : START.test(start)),
    divisible: false,
    detect: readDocument,
    lists: elementsIn,
    scanner: ({ source: { layout }, limits: { maxRecordBytes } }) =>
      new XmlScanner(layout.path.slice(0, layout.unit), false, maxRecordBytes),
    linesIn: (layout) =>
      isNested(layout)
        ? (element) => recordsInside(element, layout).map(({ line }) => line)
        : undefined,
  },
};

/** A declaration, or a tag with another after it: the names in a CSV header may be like `<DATE>`. */
const START = /^<(?:\?xml\s|!--|!DOCTYPE\s|[\p{L}_][^<>]*>\s*<[\p{L}_!/])/u;

/**
 * Finds the first record of a document.
 * @throws SourceError if there is none; the message names elements that may be records
 */
function readDocument(
  sample: TextSample,
  { records }: SourceOptions,
): DetectedText<XmlLayout> | 'need-more-data' {
  const { name, mark, whole } = sample;
  const bytes = sample.bytes.subarray(mark);
  if (bytes.length === 0) throw new SourceError(`${name} is empty: expected an XML document.`);
  const { path, unit } = parseElementPath(records ?? '') ?? { path: [], unit: 0 };
  const [{ fault, end }] = firstElement(sample, path);
  if (end === 0 && fault !== undefined) throw malformed(name, bytes, fault);
  if (end === 0 && !whole) return 'need-more-data';
  const others = end > 0 ? [] : elementsIn(bytes).slice(0, 4);
  if (path.length === 0 || others.length > 0) throw noElement(name, records, others);
  const [{ open }, at] = firstElement(sample, path.slice(0, unit));
  const closing = open.toReversed().map((one) => `</${one}>\n`);
  return {
    layout: { format: 'xml', path, unit },
    head: bytes.subarray(0, at),
    tail: Buffer.from(closing.join(''), 'latin1'),
    start: { byte: mark, record: 1, line: 1 },
    notices: end > 0 ? [] : [`${name} has no element ${records}, so it has no records.`],
  };
}

/** Scans up to the first element at a path, whose end the scanner then has. */
function firstElement(sample: TextSample, path: readonly string[]): [XmlScanner, number] {
  const bytes = sample.bytes.subarray(sample.mark);
  const scanner = new XmlScanner(path, false);
  scanner.load(bytes, sample.whole);
  let at = 0;
  while (at < bytes.length && scanner.scan(at) === 'nothing') at = scanner.next;
  return [scanner, at];
}

function malformed(name: string, bytes: Buffer, { at, reason, remedy }: SourceFault): SourceError {
  const line = 1 + countLineEnds(bytes, 0, at);
  return new SourceError(`${name} can't be read as XML: ${reason}, on line ${line}. ${remedy}`);
}

function noElement(name: string, path: string | undefined, found: readonly string[]): SourceError {
  const [first = 'feed/reviews/review', ...others] = found;
  const what = path === undefined ? 'is XML' : `has no element ${path}`;
  const more = others.length === 0 ? '' : ` (or ${others.join(', ')})`;
  const remedy = `set records to the path of its records, for example ${first}${more}`;
  return new SourceError(`${name} ${what}: ${remedy}.`);
}
