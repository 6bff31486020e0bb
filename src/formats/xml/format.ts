import { countLineEnds } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import { EACH, type PathStep } from '../../model/json-path.js';
import type { DetectedText, SourceFault, TextFileFormat, TextSample } from '../format.js';
import { visitLists } from '../json/lists-in.js';
import type { SourceOptions } from '../options.js';
import { parseElementPath } from './element-path.js';
import { ElementParser } from './parse-element.js';
import { isNested, recordsInside, type XmlLayout } from './xml-records.js';
import { XmlScanner } from './xml-scanner.js';

/** XML documents, whose records are the elements at a path. */
export const xml: TextFileFormat<XmlLayout> = {
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
  while (at < bytes.length && scanner.scan(at) === 'blank') at = scanner.next;
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

/**
 * Finds the paths of elements that repeat, shallowest first, with `[]` after the nearest one around
 * them that does, too: `Feed/Product[]/Reviews/Review`.
 */
function elementsIn(bytes: Buffer): readonly string[] {
  const paths = new Map<string, number>();
  visitLists(new ElementParser(false).parse(bytes), [], (steps, keyed) => {
    if (!keyed) paths.set(elementPath(steps.slice(0, -1)), steps.length);
  });
  return [...paths].toSorted(([, a], [, b]) => a - b).map(([path]) => path);
}

function elementPath(steps: readonly PathStep[]): string {
  const parent = steps.lastIndexOf(EACH);
  const names = steps.map((step, at) => (step !== EACH ? `/${step}` : at === parent ? '[]' : ''));
  return names.join('').slice(1);
}
