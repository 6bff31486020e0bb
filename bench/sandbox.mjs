// @ts-check
// Imports synthetic reviews into a sandbox of its own process and asks for them, client included:
// `node bench/sandbox.mjs [--documents 1000000] [--batch 1000] [--concurrency 8] [--order date|random]`.
// Needs `npm run build`, and about 1.2 GB on disk for a million documents.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '../dist/api/index.js';
import { randomFrom } from './random.js';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    batch: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '8' },
    order: { type: 'string', default: 'date' },
  },
});
const COUNT = Number(values.documents);
const BATCH = Number(values.batch);
const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt', 'nl', 'cs'];
const DAYS = 730;

const random = randomFrom(1);

/** Words as a language has them: the n-th most frequent one is about 1/n as frequent as the first. */
function word() {
  return `w${Math.floor(20_000 ** random())}`;
}

// Made before the clock starts: what is measured is the client and the sandbox, not this.
const TEXTS = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 55 }, () => word()).join(' '),
);

/** @param {number} number */
function review(number) {
  const share = values.order === 'date' ? 1 - number / COUNT : random();
  const published = new Date(Date.UTC(2024, 0, 1) + share * DAYS * 86_400_000).toISOString();
  const author = Math.floor(random() * COUNT);
  return {
    source: 'RVW',
    sourceId: `review-${number}`,
    text: `${TEXTS[Math.floor(random() * TEXTS.length)]} ${number}`,
    language: LANGUAGES[number % LANGUAGES.length] ?? 'en',
    sentiment: 'BBNR'[number % 4] ?? 'N',
    detectedLocations: ['country: España'],
    published,
    downloaded: '2026-01-01T00:00:00Z',
    url: `https://reviews.example.com/${number}`,
    metrics: [{ name: 'score', value: 1 + (number % 5) }],
    tags: number % 5 === 0 ? [`tag-${number % 7}`] : [],
    author: { source: 'RVW', sourceId: `guest-${author}`, username: `Guest ${author}` },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'docferry-bench-'));
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const sandbox = spawn(process.execPath, [main, 'sandbox', '--data', folder, '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, DOCFERRY_API_KEY: 'bench' },
});
const facts = JSON.parse(
  await new Promise((resolve) => sandbox.stdout.once('data', (data) => resolve(String(data)))),
);
const client = createClient(facts);
const { id } = await client.monitorings.create({
  title: 'Bench',
  status: 'paused',
  searches: [{ source: 'RSS', query: 'https://example.com/feed' }],
});

let next = 0;
const started = performance.now();
await Promise.all(Array.from({ length: Number(values.concurrency) }, importBatches));
const seconds = (performance.now() - started) / 1000;
console.log(
  `import: ${COUNT} documents in ${seconds.toFixed(1)} s, ${Math.round(COUNT / seconds)} a second ` +
    `(${BATCH} a request, ${values.concurrency} requests at a time, published in ${values.order} order); ` +
    `${(bytesIn(folder) / 1e6).toFixed(0)} MB`,
);

/** @param {string} folder */
function bytesIn(folder) {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function importBatches() {
  while (next < COUNT) {
    const first = next;
    next += BATCH;
    const length = Math.min(BATCH, COUNT - first);
    await client.importDocuments(
      id,
      Array.from({ length }, (_, at) => review(first + at)),
    );
  }
}

/** @typedef {import('../dist/api/index.js').DocumentsQuery} DocumentsQuery */
/** @type {DocumentsQuery} */
const month = { monitorings: id, start: '2025-03-01', end: '2025-03-31' };
/** @type {DocumentsQuery} */
const always = { monitorings: id, start: '2020-01-01', end: '2029-12-31' };
/** @type {Record<string, DocumentsQuery>} */
const QUESTIONS = {
  'a month': month,
  'a month, bad, in two languages': { ...month, sentiments: ['R'], languages: ['es', 'en'] },
  'a month, bad, a word (1 in 20 texts)': { ...month, sentiments: ['R'], query: 'w500' },
  'a month, a word (in every other text)': { ...month, query: 'w20' },
  'a month, a phrase and not a word': { ...month, query: '"w3 w2" AND (w40 OR w50) NOT w7' },
  'a month, a tag': { ...month, tags: ['tag-3'] },
  'a month by interactions': { ...month, docRanking: 'interactions' },
  'a month, an author': { ...month, authorName: 'guest' },
  'a month, its last page': { ...month, offset: Math.floor(COUNT / 25) },
  everything: always,
  'everything bad': { ...always, sentiments: ['R'] },
  'everything with a word (1 in 20 texts)': { ...always, query: 'w500' },
};

for (const [name, query] of Object.entries(QUESTIONS)) {
  await ask(name, async () => (await client.documents.page(query)).total);
}
await ask('feed, first page', async () => {
  for await (const page of client.feed({ monitorings: id })) return page.remaining;
  return 0;
});
await ask('authors of a month', async () => (await client.authors.page(month)).total);
await ask('indicators of a month', async () => (await client.indicators(month)).indicators.length);

await client.close();
sandbox.kill('SIGTERM');
await new Promise((resolve) => sandbox.once('exit', resolve));
rmSync(folder, { recursive: true });

/** @param {string} name @param {() => Promise<number>} call */
async function ask(name, call) {
  const times = [];
  let found = 0;
  for (let round = 0; round < 21; round += 1) {
    const start = performance.now();
    found = await call();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [least, median, most] = [times[0], times[10], times[20]].map((time) => time?.toFixed(1));
  console.log(`${name}: ${found} found, median ${median} ms (${least} to ${most})`);
}
