// @ts-check
// Writes a made-up review export as CSV, or the same reviews as JSON Lines:
// `node bench/make-reviews.mjs --rows 300000 [--seed 1] [--format jsonl] > reviews.csv`.
// The same seed gives the same bytes. A row has about 350 bytes; one text in ten holds a line break.
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { randomFrom } from './random.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '30000' },
    seed: { type: 'string', default: '1' },
    format: { type: 'string', default: 'csv' },
  },
});

/** @type {Record<string, string>} */
const SENTENCES = {
  en: 'The room was clean and quiet, the staff could not have been kinder, and breakfast was worth getting up for.',
  es: 'La habitación estaba limpia y tranquila, el personal muy amable y el desayuno merece madrugar un poco más.',
  de: 'Das Zimmer war sauber und ruhig, das Personal überaus freundlich, und für das Frühstück lohnt sich das Aufstehen.',
  fr: 'La chambre était propre et calme, le personnel très aimable, et le petit déjeuner vaut la peine de se lever.',
  pt: 'O quarto estava limpo e sossegado, os funcionários muito simpáticos e o café da manhã vale a pena acordar cedo.',
};
const LANGUAGES = Object.keys(SENTENCES);
const CITIES = ['Madrid', 'Kraków', 'Lyon', 'São Paulo', 'Zürich'];

const random = randomFrom(Number(values.seed));

/** @template T @param {readonly T[]} list @returns {T} */
function pick(list) {
  return /** @type {T} */ (list[Math.floor(random() * list.length)]);
}

/** @param {number} row */
function review(row) {
  const language = pick(LANGUAGES);
  const sentence = SENTENCES[language];
  const glue = random() < 0.1 ? '\n\n' : ' ';
  const text = `${sentence}${glue}${sentence} ${sentence?.slice(0, Math.floor(random() * 100))} "${row}" 🙂`;
  const when = new Date(Date.UTC(2023, 0, 1) + Math.floor(random() * 3 * 365 * 24 * 60) * 60_000);
  // Once a year the clocks of the mapping's zone skip the hour from two to three.
  if (when.getUTCHours() === 2) when.setUTCHours(3);
  const date = when.toISOString().slice(0, 16).replace('T', ' ');
  const guest = `Guest ${Math.floor(random() * 5000)}`;
  const city = pick(CITIES);
  const rating = 1 + Math.floor(random() * 10);
  return { id: `r-${row}`, date, guest, language, city, rating, text };
}

/** @typedef {ReturnType<typeof review>} Review */

/** @param {Review} review */
function csvLine({ text, ...others }) {
  return `${Object.values(others).join(',')},"${text.replaceAll('"', '""')}"\n`;
}

/** @param {Review} review */
function jsonLine(review) {
  return `${JSON.stringify(review)}\n`;
}

const line = values.format === 'jsonl' ? jsonLine : csvLine;
if (line === csvLine) process.stdout.write('id,date,guest,language,city,rating,text\n');
let buffer = '';
for (let row = 1; row <= Number(values.rows); row += 1) {
  buffer += line(review(row));
  if (buffer.length < 1 << 20 && row < Number(values.rows)) continue;
  if (!process.stdout.write(buffer)) await once(process.stdout, 'drain');
  buffer = '';
}
