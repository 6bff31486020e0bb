/**
 * Compares language detectors on short reviews: `node bench/language-detection.mjs`.
 *
 * The labelled reviews are the public exports beside the project (`../shared/data`, or the folder
 * given as the argument) and `language-samples.json`. The candidates that are not dependencies of
 * docferry are compared if they can be found: `npm install --no-save tinyld franc lande`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';

const WANTED = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'];
const LENGTHS = { '1-5 words': [1, 5], '6-12 words': [6, 12], '13-30 words': [13, 30] };
/** Reviews of each language that are used, evenly spread over its sources. */
const MOST = 400;

/** Where reviews of one language are: file, language, column, and how the file is read. */
const SOURCES = [
  ['mercadolivre-pt-trimmed.csv', 'pt', 'texto'],
  ['tripadvisor-fr-semicolon.csv', 'fr', 'Content', { delimiter: ';' }],
  ['tripadvisor-es-airline.csv', 'es', 'review_text'],
  ['googleplay-en-zoom.tsv', 'en', 'text', { delimiter: '\t' }],
  ['amazon-en-fine-food-epoch-html.csv', 'en', 'Summary'],
  ['google-de-hospitals-cp1252.csv', 'de', 'Bewertung', { delimiter: ';' }, 'windows-1252'],
];

const data = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../../shared/data'));
const reviews = labelledReviews();

for (const [length, limits] of Object.entries(LENGTHS)) {
  const counts = WANTED.map((code) => `${code} ${cut(code, ...limits).length}`);
  console.log(`${length}: ${counts.join(', ')}`);
}
for (const candidate of await candidates()) measure(candidate);

/** Prints right, unsure and wrong for each length, and what other languages are taken for. */
function measure({ name, detect, loadMillis }) {
  console.log(`\n## ${name}, loaded in ${Math.round(loadMillis)} ms`);
  for (const length of Object.keys(LENGTHS)) measureLength(detect, length);
  for (const code of ['it', 'no', 'da', 'sv', 'tr', 'none']) {
    const found = (reviews.get(code) ?? []).map((text) => detect(text));
    const own = found.filter((answer) => answer === code).length;
    const taken = found.filter((answer) => WANTED.includes(answer));
    const as = [...new Set(taken)].join(' ');
    console.log(
      `${code}: ${found.length} texts, own code ${own}, one of the seven ${taken.length} ${as}`,
    );
  }
  const texts = WANTED.flatMap((code) => cut(code, 6, 30));
  const start = process.cpuUsage().user;
  for (let round = 0; round < 3; round++) for (const text of texts) detect(text);
  const micros = (process.cpuUsage().user - start) / texts.length / 3;
  console.log(`${micros.toFixed(1)} µs a call`);
}

function measureLength(detect, length) {
  const verdicts = WANTED.map((code) => ({ code, texts: cut(code, ...LENGTHS[length]) }))
    .filter(({ texts }) => texts.length > 0)
    .map(({ code, texts }) => verdictsOf(detect, code, texts));
  const mean = (key) => verdicts.reduce((sum, one) => sum + one[key], 0) / verdicts.length;
  const shares = (one) => `${percent(one.right)}/${percent(one.unsure)}/${percent(one.wrong)}`;
  const all = { right: mean('right'), unsure: mean('unsure'), wrong: mean('wrong') };
  console.log(`${length}: right/unsure/wrong ${shares(all)}`);
  console.log(`   ${verdicts.map((one) => `${one.code} ${shares(one)}`).join('  ')}`);
  const confused = verdicts.flatMap((one) => [...one.confused]).sort((a, b) => b[1] - a[1]);
  console.log(
    `   wrong: ${confused
      .slice(0, 8)
      .map(([pair, count]) => `${pair} ${count}`)
      .join(', ')}`,
  );
}

/** Shares of one language's texts, and which other languages they were taken for. */
function verdictsOf(detect, code, texts) {
  const found = texts.map((text) => detect(text));
  const confused = new Map();
  for (const answer of found) {
    if (answer === code || answer === undefined) continue;
    const pair = `${code}>${answer}`;
    confused.set(pair, (confused.get(pair) ?? 0) + 1);
  }
  const right = found.filter((answer) => answer === code).length / texts.length;
  const unsure = found.filter((answer) => answer === undefined).length / texts.length;
  return { code, right, unsure, wrong: 1 - right - unsure, confused };
}

/** The reviews' first words, as many as the length has; those that are shorter are left out. */
function cut(code, least, most) {
  const texts = (reviews.get(code) ?? [])
    .map((text) => text.split(/\s+/u).filter(Boolean))
    .filter((words) => words.length >= least)
    .map((words) => words.slice(0, most).join(' '));
  const step = Math.max(1, texts.length / MOST);
  return Array.from(
    { length: Math.min(MOST, texts.length) },
    (_, i) => texts[Math.floor(i * step)],
  );
}

function labelledReviews() {
  const found = new Map();
  const add = (code, text) => {
    const plain = String(text ?? '')
      .replace(/<[^>]+>/gu, ' ')
      .trim();
    // The airline's answers stand among the Spanish reviews, in English.
    if (!/\p{L}{2}/u.test(plain) || (code === 'es' && /^(?:hello|hi|dear)\b/iu.test(plain))) return;
    found.set(code, (found.get(code) ?? new Set()).add(plain));
  };
  for (const row of csv('trustpilot-apify-multilang-bom.csv')) {
    // The site took a few texts of other languages for English.
    if (row.reviewLanguage !== 'en') add(row.reviewLanguage, row.reviewDescription);
  }
  for (const [file, code, column, options, encoding] of SOURCES) {
    for (const row of csv(file, options, encoding)) add(code, row[column]);
  }
  const { none, ...samples } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, 'language-samples.json'), 'utf8'),
  );
  for (const [code, texts] of Object.entries(samples)) for (const text of texts) add(code, text);
  return new Map([...found, ['none', none]].map(([code, texts]) => [code, [...texts]]));
}

function csv(name, options = {}, encoding = 'utf-8') {
  const text = new TextDecoder(encoding).decode(readFileSync(path.join(data, name)));
  return parse(text, { columns: true, relax_column_count: true, ...options });
}

async function candidates() {
  const found = [];
  const load = async (name, specifier, adapt) => {
    const start = performance.now();
    try {
      const module = await import(specifier);
      found.push({ name, detect: adapt(module), loadMillis: performance.now() - start });
    } catch (error) {
      console.log(`${name}: not compared (${error.code ?? error.message})`);
    }
  };
  const ISO_3 = { ces: 'cs', deu: 'de', eng: 'en', spa: 'es', fra: 'fr', nld: 'nl', por: 'pt' };
  const reliable =
    ({ eld }) =>
    (text) => {
      const result = eld.detect(text);
      return result.language !== '' && result.isReliable() ? result.language : undefined;
    };
  await load(
    'docferry',
    '../dist/mapping/steps/detect-language.js',
    (module) => module.detectLanguage,
  );
  await load('eld/extrasmall, if reliable', 'eld/extrasmall', reliable);
  await load('eld/small, if reliable', 'eld/small', reliable);
  await load('eld/large, if reliable', 'eld/large', reliable);
  await load('eld/small, seven languages', 'eld/small', ({ eld }) => {
    const seven = eld.newInstance();
    seven.setLanguageSubset(WANTED);
    return reliable({ eld: seven });
  });
  for (const size of ['tinyld/light', 'tinyld', 'tinyld/heavy']) {
    await load(
      `${size}, seven languages`,
      size,
      ({ detect }) =>
        (text) =>
          detect(text, { only: WANTED }) || undefined,
    );
    await load(
      `${size}, all languages`,
      size,
      ({ detect }) =>
        (text) =>
          detect(text) || undefined,
    );
  }
  for (const name of ['franc', 'franc-min']) {
    await load(`${name}, seven languages`, name, ({ franc }) => (text) => {
      const code = franc(text, { only: Object.keys(ISO_3), minLength: 1 });
      return code === 'und' ? undefined : ISO_3[code];
    });
  }
  await load('lande, above 0.8', 'lande', (module) => (text) => {
    const [best] = module.default(text);
    return best !== undefined && best[1] > 0.8 ? (ISO_3[best[0]] ?? best[0]) : undefined;
  });
  return found;
}

function percent(share) {
  return `${Math.abs(share * 100).toFixed(1)}%`;
}
