// @ts-check
/** Whether a document has the values that the truth gives. */
import { isSame, VALUE_OF } from '../guess-score/values.js';

/**
 * A value that a document should have. `{ oneOf }`: each of these is right, `null` being none.
 * @typedef {string | number | undefined | { oneOf: (string | number | null)[] }} Expected
 *
 * @typedef {object} Field as bench/guess-exports/README.md says
 * @property {readonly string[]} [columns]
 * @property {readonly number[]} [scale]
 * @property {readonly number[]} [orScale]
 * @property {'score' | 'nps'} [derived]
 * @property {Record<string, string>} [values]
 * @property {'made' | 'column' | 'either' | 'unique'} [kind]
 * @property {boolean} [none]
 * @property {boolean} [unscored]
 * @property {readonly string[]} [headings]
 * @property {readonly string[]} [optional]
 *
 * @typedef {Record<'text' | 'score' | 'published' | 'author' | 'sourceId' | 'url' | 'sentiment' | 'language' | 'subject', Field>} Fields
 */
/** @typedef {import('../../dist/model/document.js').ImportedDocument} Document */

/** @type {Record<string, (document: Document) => string | number | undefined>} */
const TOLD = { ...VALUE_OF, author: VALUE_OF.username, sentiment: ({ sentiment }) => sentiment };
/** What may stand between the parts of a text or around a title. */
const BETWEEN = /^[\s"'“”„«»:.,;|/?¿*()[\]\-–—•…]*$/u;

/** @type {(name: string, document: Document) => unknown} */
export function toldOf(name, document) {
  return name === 'subject' ? namesIn(document) : TOLD[name]?.(document);
}

/**
 * @param {string} name
 * @param {Document} document
 * @param {any} expected the document that the truth gives
 * @param {Field} field
 * @returns {boolean}
 */
export function isRight(name, document, expected, field) {
  if (name === 'text') return isText(document.text ?? '', expected.text, field);
  if (name === 'subject')
    return !expected.subject || namesIn(document).includes(expected.subject.toLowerCase());
  return fits(name, TOLD[name]?.(document), expected[name]);
}

/**
 * @param {string} name
 * @param {string | number | undefined} told
 * @param {Expected} expected
 * @returns {boolean}
 */
function fits(name, told, expected) {
  if (typeof expected === 'object') {
    return expected.oneOf.some((one) => fits(name, told, one ?? undefined));
  }
  if (name === 'language' && told !== undefined && expected !== undefined) {
    return isSame(name, String(told).replace('_', '-'), expected);
  }
  return isSame(name === 'author' ? 'username' : /** @type {any} */ (name), told, expected);
}

/**
 * All parts, in whatever order, and nothing else but questions above them.
 * @param {string} told
 * @param {readonly string[]} parts
 * @param {Field} field
 */
function isText(told, parts, { columns = [], headings = [], optional = [] }) {
  let rest = plain(told);
  for (const part of byLength(parts.map(plain))) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = `${rest.slice(0, at)} ${rest.slice(at + part.length)}`;
  }
  const above = columns.map((column) => column.split('.').at(-1) ?? '');
  for (const heading of byLength(
    [...columns, ...above, ...headings, ...optional].filter(Boolean).map(plain),
  )) {
    rest = rest.replaceAll(heading, ' ');
  }
  return BETWEEN.test(rest);
}

/** @type {(text: string) => string} */
const plain = (text) => text.replace(/\s+/gu, ' ').trim();
/** @type {(texts: readonly string[]) => string[]} */
const byLength = (texts) => [...texts].sort((one, other) => other.length - one.length);

/** @type {(document: Document) => string[]} */
function namesIn({ author, tags, detectedLocations }) {
  const notes = (author?.annotations ?? []).map(({ value }) => String(value));
  const places = (detectedLocations ?? []).map((place) => place.replace(/^[^:]*: /u, ''));
  return [...notes, ...(tags ?? []), ...places].map((name) => name.toLowerCase());
}
