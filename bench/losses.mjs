// @ts-check
// Imports made-up reviews into a sandbox while something goes wrong, by docferry and by the script
// that one would write instead, and counts what is missing and what was stored twice:
// `node bench/losses.mjs [--rows 20000]`. Needs `npm run build`.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '../dist/api/index.js';
import { startSandbox } from '../dist/sandbox/index.js';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '20000' } } });
const ROWS = Number(values.rows);
const ALL = { monitorings: 1, start: '2000-01-01', end: '2100-01-01' };
/** Requests need this long, so that a kill meets some in flight. @type {import('../dist/sandbox/index.js').FaultRule} */
const LATENCY = { on: 'import', latency: { median: 300, p99: 400 } };

/** @type {Record<string, { rules: import('../dist/sandbox/index.js').FaultRule[], killed: boolean }>} */
const SITUATIONS = {
  'killed half way, then run again': { rules: [LATENCY], killed: true },
  'one answer in 20 lost after the documents were stored': {
    rules: [LATENCY, { on: 'import', rate: 0.05, reset: 'after' }],
    killed: false,
  },
  'one request in 20 refused (503), run again until it ends': {
    rules: [LATENCY, { on: 'import', rate: 0.05, status: 503, retryAfter: 1 }],
    killed: false,
  },
};

/** Gives a contestant's program and arguments; `again` for all runs but the first. */
const CONTESTANTS = {
  /** @param {Target} target @param {boolean} again */
  docferry: ({ file, folder }, again) => [
    path('../dist/cli/main.js'),
    ...['import', file, '--mapping', path('reviews.mapping.yaml'), '--monitoring', '1'],
    ...['--state-dir', join(folder, 'state'), '--settle-time', '2', '--quiet'],
    ...(again ? ['--resume'] : []),
  ],
  /** @param {Target} target */
  script: ({ file, baseUrl }) => [path('peers/hand-written.mjs'), 'import', file, baseUrl],
};

/** @typedef {{ file: string, folder: string, baseUrl: string, env: NodeJS.ProcessEnv }} Target */

const folder = mkdtempSync(join(tmpdir(), 'docferry-losses-'));
const file = join(folder, 'reviews.csv');
const reviews = execFileSync(process.execPath, [path('make-reviews.mjs'), '--rows', values.rows], {
  maxBuffer: 2 ** 30,
});
writeFileSync(file, reviews);
try {
  for (const situation of Object.keys(SITUATIONS)) {
    for (const [name, args] of Object.entries(CONTESTANTS)) {
      console.log(`${situation} | ${name} | ${await measure(situation, args)}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Runs a contestant until it ends well, at most ten times, and counts what the sandbox holds.
 * @param {string} situation
 * @param {(target: Target, again: boolean) => string[]} args
 */
async function measure(situation, args) {
  const { rules, killed } = /** @type {typeof SITUATIONS[string]} */ (SITUATIONS[situation]);
  const sandbox = await startSandbox({
    username: 'bench',
    apiKey: 'bench',
    faults: { seed: 1, rules },
  });
  await sandbox.ensureMonitoring(1);
  const client = createClient(sandbox);
  const env = {
    ...process.env,
    DOCFERRY_BASE_URL: sandbox.baseUrl,
    DOCFERRY_USERNAME: 'bench',
    DOCFERRY_API_KEY: 'bench',
  };
  const own = mkdtempSync(join(folder, 'run-'));
  const target = { file, folder: own, baseUrl: sandbox.baseUrl, env };
  let runs = 0;
  let code = await run(args(target, false), env, killed ? halfStored(client) : undefined);
  while (code !== 0 && runs < 10) {
    runs += 1;
    code = await run(args(target, true), env);
  }
  const ids = await storedIds(client);
  const missing = ROWS - new Set(ids).size;
  await client.close();
  await sandbox.close();
  return `${missing} missing, ${ids.length + missing - ROWS} stored twice, run ${runs + 1} times, the last with exit code ${code}`;
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {Promise<void>} [killWhen] when to kill it
 * @returns {Promise<number | null>}
 */
async function run(args, env, killWhen) {
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  killWhen?.then(() => child.kill('SIGKILL'));
  return await new Promise((resolve) => child.on('exit', resolve));
}

/** Resolves once the sandbox holds half of the documents. @param {import('../dist/api/index.js').Client} client */
async function halfStored(client) {
  while ((await client.documents.page(ALL)).total < ROWS / 2) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** @param {import('../dist/api/index.js').Client} client */
async function storedIds(client) {
  const ids = [];
  for await (const { sourceId } of client.documents.all(ALL)) ids.push(sourceId);
  return ids;
}

/** @param {string} name relative to this file */
function path(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}
