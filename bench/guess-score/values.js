// @ts-check
/** A document's values by field, and whether they are what the truth says. */

/** @typedef {import('./truth.js').Expected} Expected */
/** @typedef {import('./truth.js').Field} Field */
/** @typedef {import('../../dist/model/document.js').ImportedDocument} ImportedDocument */

/** @type {(name: string) => (document: ImportedDocument) => number | undefined} */
const metric = (name) => (document) =>
  document.metrics?.find((one) => one.name === name && one.value !== 0)?.value;

/** @type {(level: string) => (document: ImportedDocument) => string | undefined} */
const place = (level) => (document) =>
  document.detectedLocations?.find((one) => one.startsWith(`${level}: `))?.slice(level.length + 2);

/** @type {Record<Exclude<Field, 'records'>, (document: ImportedDocument) => string | number | undefined>} */
export const VALUE_OF = {
  sourceId: (document) => document.sourceId,
  text: (document) => document.text,
  score: (document) => document.metrics?.find(({ name }) => name === 'score')?.value,
  published: (document) => document.published,
  language: (document) => document.language,
  url: (document) => document.url,
  username: (document) => document.author?.username,
  authorId: (document) => document.author?.sourceId,
  country: place('country'),
  state: place('state'),
  city: place('city'),
  likes: metric('likes'),
  comments: metric('comments'),
  shares: metric('shares'),
};

/** @type {(value: string | number) => string} */
const plain = (value) => String(value).replace(/\s+/gu, ' ').trim();
/** @type {(value: string | number) => string} */
const primary = (value) => String(value).toLowerCase().split('-')[0] ?? '';

const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region' });
/** @type {(value: string | number) => string | undefined} */
const country = (value) =>
  /^[A-Z]{2}$/u.test(String(value)) ? COUNTRIES.of(String(value)) : String(value);

/** What is between the parts of a text, a language's region, a country's code are nobody's mistake. */
const SAME = {
  /** @type {(told: string | number, expected: string | number) => boolean} */
  text: (told, expected) => plain(told) === plain(expected),
  /** @type {(told: string | number, expected: string | number) => boolean} */
  language: (told, expected) => primary(told) === primary(expected),
  /** @type {(told: string | number, expected: string | number) => boolean} */
  country: (told, expected) => country(told) === country(expected),
  /** @type {(told: string | number, expected: string | number) => boolean} */
  score: (told, expected) => Math.abs(Number(told) - Number(expected)) < 0.06,
  /** @type {(told: string | number, expected: string | number) => boolean} */
  published: samePublished,
};

/**
 * The truth has a day where the export has no time of day, and else a moment that counts to the minute.
 * @param {string | number} told
 * @param {string | number} expected
 */
function samePublished(told, expected) {
  if (/^\d{4}-\d\d-\d\d$/u.test(String(expected))) return String(told).slice(0, 10) === expected;
  return Math.abs(Date.parse(String(told)) - Date.parse(String(expected))) < 60_000;
}

/**
 * @param {Field} field
 * @param {string | number | undefined} told
 * @param {Expected} expected
 * @returns {boolean}
 */
export function isSame(field, told, expected) {
  if (typeof expected === 'object') {
    return 'damaged' in expected || expected.oneOf.some((one) => isSame(field, told, one));
  }
  const wanted = expected === 0 ? undefined : expected;
  if (told === undefined || wanted === undefined) return told === wanted;
  const same = SAME[/** @type {keyof typeof SAME} */ (field)];
  return same === undefined ? String(told) === String(wanted) : same(told, wanted);
}
