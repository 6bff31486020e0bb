// @ts-check
// Imports in shards by 1, 2 and 4 processes that share a Postgres: `node bench/shards.mjs [--rounds 3]
// [--rows 200000] [--free-rows 200000]`. First into a service that takes 50 ms a request, then into
// one that answers at once, beside an import that keeps its state in a folder. Documents a second
// count from the first that arrives to the last. Needs `npm run build`, and a machine that does
// nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { reviews } from './data.js';
import { grouped, judge, median } from './figures.js';
import { makeData, start } from './start-postgres.js';
import { startSink } from './start-sink.js';

const DELAY_MS = 50;
const CONCURRENCY = 4;
const BATCH = 20;
const PROCESSES = [1, 2, 4];

const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const MAIN = here('../dist/cli/main.js');
const MAPPING = here('reviews.mapping.yaml');

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '200000' },
    'free-rows': { type: 'string', default: '200000' },
  },
});

/**
 * One way to import; `processes` is 0 where the state is a folder.
 * @typedef {{ name: string, processes: number, rates: number[] }} Contestant
 */

/** @typedef {Awaited<ReturnType<typeof startSink>>} Sink */

/** What all imports of a section have in common. @typedef {object} Section
 * @property {import('./start-postgres.js').Server} server
 * @property {string} folder for what is kept
 * @property {Sink} sink
 * @property {number} rows
 * @property {readonly string[]} flags
 */

async function main() {
  const folder = mkdtempSync('/tmp/docferry-shards-');
  try {
    makeData(folder);
    const server = await start(folder);
    try {
      await withDelay(server, folder);
      await withoutDelay(server, folder);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {import('./start-postgres.js').Server} server @param {string} folder */
async function withDelay(server, folder) {
  const sink = await startSink({ delayMs: DELAY_MS });
  const rows = Number(options.rows);
  const flags = ['--concurrency', String(CONCURRENCY), '--batch-size', String(BATCH)];
  const contestants = PROCESSES.map(onPostgres);
  await runRounds(contestants, { server, folder, sink, rows, flags });
  await sink.stop();
  const ideal = (CONCURRENCY * BATCH * 1_000) / DELAY_MS;
  console.log(
    `\n${DELAY_MS} ms a request, ${CONCURRENCY} requests of ${BATCH} documents at a time and process ` +
      `(at most ${grouped(ideal)} documents a second each), ${grouped(rows)} rows:\n`,
  );
  print(contestants);
  const [one, , four] = contestants.map(({ rates }) => median(rates));
  const ratio = (four ?? 0) / (one ?? 0);
  const sentence = `Four processes import ${ratio.toFixed(2)}× as fast as one`;
  console.log(judge(sentence, ratio, { atLeast: 3.6 }, '×'));
}

/** @param {import('./start-postgres.js').Server} server @param {string} folder */
async function withoutDelay(server, folder) {
  const sink = await startSink();
  const rows = Number(options['free-rows']);
  const inFolder = { name: 'one process, SQLite', processes: 0, rates: [] };
  const contestants = [inFolder, ...PROCESSES.map(onPostgres)];
  await runRounds(contestants, { server, folder, sink, rows, flags: [] });
  await sink.stop();
  console.log(`\nNo delay, ${grouped(rows)} rows:\n`);
  print(contestants);
  const [sqlite, one] = contestants.map(({ rates }) => median(rates));
  const ratio = (one ?? 0) / (sqlite ?? 0);
  const sentence = `One process imports ${ratio.toFixed(2)}× as fast on Postgres as on SQLite`;
  console.log(judge(sentence, ratio, { atLeast: 0.7 }, '×'));
}

/** @param {number} processes @returns {Contestant} */
function onPostgres(processes) {
  const name = processes === 1 ? 'one process' : `${processes} processes`;
  return { name: `${name}, Postgres`, processes, rates: [] };
}

/** Each runs once a round; none always follows the same other. */
async function runRounds(
  /** @type {readonly Contestant[]} */ contestants,
  /** @type {Section} */ section,
) {
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const first = round % contestants.length;
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const rate = await importOnce(contestant, section);
      console.error(`round ${round + 1}: ${contestant.name}: ${grouped(rate)} documents a second`);
      contestant.rates.push(rate);
    }
  }
}

/** @param {Contestant} contestant @param {Section} section */
async function importOnce({ processes }, { server, folder, sink, rows, flags }) {
  const state = processes === 0 ? mkdtempSync(path.join(folder, 'state-')) : await database(server);
  const file = await reviews(rows);
  await sink.taken();
  const sent = ['import', file, '--mapping', MAPPING, '--monitoring', '1', '--quiet', ...flags];
  const place = [processes === 0 ? '--state-dir' : '--state', state];
  const codes = await Promise.all(
    Array.from({ length: Math.max(1, processes) }, async (_, at) => {
      // Of the same size, as several a process would also measure its start.
      const shard = ['--run', 'bench', '--shard', `${at + 1}/${processes}`];
      const [code] = await once(
        docferry([...sent, ...place, ...(processes === 0 ? [] : shard)], sink),
        'exit',
      );
      return code;
    }),
  );
  const { documents, firstMs, lastMs } = await sink.taken();
  if (codes.some((code) => code !== 0) || documents !== rows) {
    throw new Error(`The import ended with ${codes}; ${documents} of ${rows} documents arrived.`);
  }
  return (documents * 1_000) / (lastMs - firstMs);
}

let databases = 0;

/** A new database's address. @param {import('./start-postgres.js').Server} server */
async function database({ client, url }) {
  databases += 1;
  await client.query(`CREATE DATABASE bench_${databases}`);
  // So that each begins alike: after one, every page that is written goes to the log as a whole.
  await client.query('CHECKPOINT');
  return url.replace(/[^/]*$/, `bench_${databases}`);
}

/** @param {readonly string[]} args @param {Sink} sink */
function docferry(args, { baseUrl }) {
  return spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DOCFERRY_BASE_URL: baseUrl,
      DOCFERRY_USERNAME: 'bench',
      DOCFERRY_API_KEY: 'bench',
    },
  });
}

/** @param {readonly Contestant[]} contestants */
function print(contestants) {
  console.log('| | documents a second (min–max) |');
  console.log('|---|---:|');
  for (const { name, rates } of contestants) {
    const range = `${grouped(Math.min(...rates))}–${grouped(Math.max(...rates))}`;
    console.log(`| ${name} | ${grouped(median(rates))} (${range}) |`);
  }
  console.log();
}

await main();
