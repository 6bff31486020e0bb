/**
 * How right `docferry guess` is, alone and unedited: its documents beside those that the mappings
 * made by hand for the same exports give, field by field; how often a detected language and the
 * sentiment that follows from a score are right, where the truth is known; and its documents beside
 * the truth of synthetic exports (test/guess/exports/README.md).
 *
 *     npm run build && node bench/guess.mjs [folder of the real exports]
 *     npm run build && node bench/guess.mjs --truths [folder of exports and their truths]
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { guessMapping, previewDocuments } from '../dist/index.js';
import { parseMapping } from '../dist/mapping/load/load-mapping.js';
import { detectLanguage } from '../dist/mapping/steps/text.js';
import { measureFolder } from './guess-score/measure.js';
import { printScore } from './guess-score/print.js';

const ROOT = path.resolve(import.meta.dirname, '..');
const TRUTHS = path.join(ROOT, 'test/guess/exports');
if (process.argv[2] === '--truths') {
  await scoreTruths(process.argv[3] ?? TRUTHS);
  process.exit();
}
const DATA = process.argv[2] ?? path.resolve(ROOT, '../shared/data');
const AS_OF = '2024-06-15';
const FIELDS = [
  'sourceId',
  'text',
  'score',
  'published',
  'language',
  'username',
  'authorId',
  'url',
  'sentiment',
];
const EXPORTS = [
  ['trustpilot-apify-multilang-bom.csv', 'trustpilot-apify'],
  ['tripadvisor-fr-semicolon.csv', 'tripadvisor-scrape-fr'],
  ['google-de-hospitals-cp1252.csv', 'google-reviews-de'],
  ['booking-extranet-export.csv', 'booking-extranet'],
  ['tripadvisor-es-airline.csv', 'tripadvisor-airlines-es'],
  ['mercadolivre-pt-trimmed.csv', 'mercadolivre'],
  ['googleplay-en-zoom.tsv', 'googleplay'],
  ['amazon-en-fine-food-epoch-html.csv', 'amazon-fine-food'],
  ['yelp-en-academic.jsonl', 'yelp-academic'],
  ['google-places-es.json', 'google-places'],
];

async function documentsOf(input, mapping) {
  const documents = [];
  for await (const previewed of previewDocuments({ input, mapping, asOf: AS_OF }))
    documents.push(previewed);
  return documents;
}

const fieldOf = {
  sourceId: (document) => document.sourceId,
  text: (document) => document.text,
  score: (document) => document.metrics?.find(({ name }) => name === 'score')?.value,
  published: (document) => document.published?.slice(0, 10),
  language: (document) => document.language,
  username: (document) => document.author?.username,
  authorId: (document) => document.author?.sourceId,
  url: (document) => document.url,
  sentiment: (document) => document.sentiment,
};

/** Ids are compared by what they tell apart, as two hashes of different columns never are the same. */
function sameIds(pairs) {
  const distinct = (side) => new Set(pairs.map((pair) => pair[side].sourceId)).size;
  return `${distinct(0)} / ${distinct(1)}`;
}

function agreement(field, pairs) {
  const right = pairs.filter(([guessed, made]) => fieldOf[field](guessed) === fieldOf[field](made));
  return `${((100 * right.length) / pairs.length).toFixed(1)}`;
}

console.log(`| export | valid | ${FIELDS.join(' | ')} | ids told apart |`);
console.log(`|---|---|${FIELDS.map(() => '---|').join('')}---|`);
for (const [file, name] of EXPORTS) {
  const input = path.join(DATA, file);
  if (!existsSync(input)) continue;
  const { mapping } = await guessMapping({ input, ready: false });
  const guessed = await documentsOf(input, parseMapping(mapping, 'guess'));
  const made = await documentsOf(input, path.join(ROOT, 'mappings', `${name}.yaml`));
  const good = made.flatMap((one, at) => (one.document && one.problems.length === 0 ? [at] : []));
  const pairs = good.flatMap((at) =>
    guessed[at].document ? [[guessed[at].document, made[at].document]] : [],
  );
  const valid = good.filter((at) => guessed[at].problems.length === 0).length;
  const cells = FIELDS.map((field) => agreement(field, pairs));
  console.log(
    `| ${file} | ${valid} of ${good.length} | ${cells.join(' | ')} | ${sameIds(pairs)} |`,
  );
}

/** Languages that an export states, or that it is known to be in; answers of an airline left out. */
const LANGUAGES = {
  'tripadvisor-scrape-fr': 'fr',
  'google-reviews-de': 'de',
  mercadolivre: 'pt',
  googleplay: 'en',
  'amazon-fine-food': 'en',
  'yelp-academic': 'en',
  'tripadvisor-airlines-es': 'es',
  'trustpilot-apify': 'stated',
};
console.log('\n| export | texts | right | unsure | wrong |\n|---|---|---|---|---|');
for (const [file, name] of EXPORTS) {
  const input = path.join(DATA, file);
  if (LANGUAGES[name] === undefined || !existsSync(input)) continue;
  const counts = { right: 0, unsure: 0, wrong: 0 };
  const made = await documentsOf(input, path.join(ROOT, 'mappings', `${name}.yaml`));
  for (const { document } of made) {
    if (!document?.text) continue;
    const truth = LANGUAGES[name] === 'stated' ? document.language : LANGUAGES[name];
    const told = detectLanguage(document.text);
    counts[told === undefined ? 'unsure' : told === truth ? 'right' : 'wrong'] += 1;
  }
  const all = counts.right + counts.unsure + counts.wrong;
  const share = (count) => `${((100 * count) / all).toFixed(1)}`;
  console.log(
    `| ${file} | ${all} | ${share(counts.right)} | ${share(counts.unsure)} | ${share(counts.wrong)} |`,
  );
}

/** No export states a sentiment. Booking's guests write praise and complaint into columns of their own. */
const booking = path.join(DATA, 'booking-extranet-export.csv');
if (existsSync(booking)) {
  const { mapping } = await guessMapping({ input: booking, ready: false });
  const sides = { 'praise alone': {}, 'complaint alone': {}, both: {} };
  for (const { record, document } of await documentsOf(booking, parseMapping(mapping, 'guess'))) {
    const [praise, complaint] = [
      record['Positive review'].trim(),
      record['Negative review'].trim(),
    ];
    if (!document?.sentiment || (!praise && !complaint)) continue;
    const side = sides[praise && complaint ? 'both' : praise ? 'praise alone' : 'complaint alone'];
    side[document.sentiment] = (side[document.sentiment] ?? 0) + 1;
  }
  console.log('\n', sides);
}

await scoreTruths(TRUTHS);

async function scoreTruths(folder) {
  const measured = [];
  const docferry = { guessMapping, previewDocuments, parseMapping };
  for await (const one of measureFolder(folder, docferry)) measured.push(one);
  printScore(path.relative(process.cwd(), folder), measured);
}
