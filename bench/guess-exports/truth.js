// @ts-check
/** Turns what an export's maker says about it into the documents that should come of it. */

/**
 * A value that a document should have. `{ oneOf }`: each of these is right, `null` being none.
 * @typedef {string | number | undefined | { oneOf: (string | number | null)[] }} Expected
 *
 * @typedef {object} Field what a person would say of a field
 * @property {readonly string[]} [columns] where it stands; a path for what is nested; absent where no column has it
 * @property {readonly number[]} [scale] lowest and highest rating
 * @property {readonly number[]} [orScale] another that is as right
 * @property {'score' | 'nps'} [derived] sentiment that no column states: from what it follows
 * @property {Record<string, string>} [values] what stands for which sentiment
 * @property {'made' | 'column' | 'either' | 'unique'} [kind] the id: a hash, the review's own, one of both, or any that no other has
 * @property {boolean} [none] the file has no such thing
 * @property {boolean} [unscored] either is right
 * @property {readonly string[]} [headings] what may stand above the parts of a text: questions
 * @property {readonly string[]} [optional] what a text may hold besides, such as a word for "nothing"
 * @property {string} [note]
 *
 * @typedef {Record<'text' | 'score' | 'published' | 'author' | 'sourceId' | 'url' | 'sentiment' | 'language' | 'subject', Field>} Fields
 *
 * @typedef {object} Told one review of an export
 * @property {(string | undefined)[]} text in the order of the columns
 * @property {number | undefined} [rating] as given, on the scale of the export
 * @property {Expected} [score] instead of a rating: on 1 to 5
 * @property {Expected} [published] a day where the export has no time of day
 * @property {Expected} [author]
 * @property {string | undefined} [sourceId]
 * @property {Expected} [url]
 * @property {Expected} [sentiment] B, N or R, where the export states it
 * @property {Expected} [language]
 * @property {string | undefined} [subject] the name of what is reviewed
 * @property {boolean} [ignored] either will do: a rating without a word, an unfinished answer
 *
 * @typedef {object} Made
 * @property {string | Buffer} content
 * @property {Partial<Fields>} fields fields that aren't named are `none`
 * @property {Told[]} records in the order of the file
 * @property {string} [asOf]
 *
 * @typedef {{ file: string, about: string, language?: string, make: (kit: import('./kit.js').Kit) => Made }} Export
 */

const NAMES = /** @type {(keyof Fields)[]} */ ([
  'text',
  'score',
  'published',
  'author',
  'sourceId',
  'url',
  'sentiment',
  'language',
  'subject',
]);

/**
 * @param {string} kind
 * @param {Export} one
 * @param {Made} made
 */
export function truthOf(kind, { file, about, language }, { fields, records, asOf }) {
  const all = /** @type {Fields} */ (
    Object.fromEntries(NAMES.map((name) => [name, fields[name] ?? { none: true }]))
  );
  all.sourceId = fields.sourceId ?? { kind: 'made' };
  all.language = fields.language ?? {};
  const documents = records.map((told) => documentOf(told, all, language));
  return {
    file,
    kind,
    about,
    ...(asOf ? { asOf } : {}),
    reviews: records.length,
    fields: all,
    samples: samplesOf(documents),
    documents,
  };
}

/**
 * @param {Told} told
 * @param {Fields} fields
 * @param {string | undefined} language that of the file
 */
function documentOf(told, fields, language) {
  const { text, rating, ignored, score, ...rest } = told;
  const parts = text.flatMap((part) => (part?.trim() ? [part.trim()] : []));
  const known = score ?? (rating === undefined ? undefined : scoreOf(rating, fields.score));
  return {
    ...rest,
    text: parts,
    score: known,
    sentiment:
      told.sentiment ?? (fields.sentiment.derived ? derived(known, rating, fields) : undefined),
    language: told.language ?? language,
    ...(ignored || parts.length === 0 ? { ignored: true } : {}),
  };
}

/**
 * @param {number} rating
 * @param {Field} field
 * @returns {Expected}
 */
function scoreOf(rating, { scale, orScale }) {
  const score = onFive(rating, scale);
  return orScale ? { oneOf: [score, onFive(rating, orScale)] } : score;
}

/**
 * @param {number} rating
 * @param {readonly number[]} [scale]
 */
function onFive(rating, [low = 1, high = 5] = []) {
  return Math.round((1 + (4 * (rating - low)) / (high - low)) * 1000) / 1000;
}

/**
 * As docs/guess.md says: from 4 of 5 (7 of 10) good, below 3 of 5 (5 of 10) bad; of the likelihood to
 * recommend, 9 and 10 good, up to 6 bad. On other scales both neighbours are right at a bound.
 * @param {Expected} score
 * @param {number | undefined} rating
 * @param {Fields} fields
 * @returns {Expected}
 */
function derived(score, rating, { sentiment, score: { scale: [, high] = [1, 5] } }) {
  if (sentiment.derived === 'nps') return rating === undefined ? undefined : band(rating, 9, 7);
  if (high === 10) return rating === undefined ? undefined : band(rating, 7, 5);
  if (typeof score !== 'number') return undefined;
  if (high === 5) return band(score, 4, 3);
  if (Math.abs(score - 3.8) < 0.25) return { oneOf: ['B', 'N'] };
  return Math.abs(score - 2.9) < 0.25 ? { oneOf: ['N', 'R'] } : band(score, 3.8, 2.9);
}

/** @type {(value: number, good: number, neither: number) => string} */
const band = (value, good, neither) => (value >= good ? 'B' : value >= neither ? 'N' : 'R');

/**
 * The first document, one in the middle, and the one with most gaps, for people to read.
 * @param {ReturnType<typeof documentOf>[]} documents
 */
function samplesOf(documents) {
  const parts = Math.max(...documents.map(({ text }) => text.length));
  const gaps = documents.map(
    (one) =>
      Object.values(one).filter((value) => value === undefined).length + parts - one.text.length,
  );
  const most = gaps.indexOf(Math.max(...gaps.slice(1)), 1);
  return [...new Set([0, Math.floor(documents.length / 2), most])];
}
