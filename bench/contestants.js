// @ts-check
/** docferry and its peers, as programs that can be measured. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { OUT } from './data.js';

/** @typedef {import('./measure.js').Contestant} Contestant */
/** @typedef {Awaited<ReturnType<typeof import('./start-sink.js').startSink>>} Sink */

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const MAIN = here('../dist/cli/main.js');
const MAPPING = here('reviews.mapping.yaml');
const PEERS = here('peers/');

/**
 * docferry with any arguments.
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Contestant}
 */
export function docferry(name, args) {
  return { name, command: process.execPath, args: [MAIN, ...args], records: 0 };
}

/**
 * @param {string} name
 * @param {string} file
 * @param {number} records how many it has, all of them good
 * @param {readonly string[]} [flags]
 * @returns {Contestant}
 */
export function docferryValidate(name, file, records, flags = []) {
  const args = ['validate', file, '--mapping', MAPPING, '--json', ...flags];
  return { ...docferry(name, args), records, check: countsCheck(name, 'unsent', records) };
}

/**
 * @param {string} name
 * @param {string} file
 * @param {number} records
 * @param {Sink} sink
 * @param {readonly string[]} [flags]
 * @returns {Contestant}
 */
export function docferryImport(name, file, records, sink, flags = []) {
  // The journal as usual; what a round before this one imported is sent all the same.
  const kept = ['--state-dir', path.join(OUT, 'state'), '--no-skip-known'];
  const sent = ['--mapping', MAPPING, '--monitoring', '1', '--json', ...kept];
  const args = ['import', file, ...sent, ...flags];
  return arriving(sink, {
    ...docferry(name, args),
    records,
    env: {
      DOCFERRY_BASE_URL: sink.baseUrl,
      DOCFERRY_USERNAME: 'bench',
      DOCFERRY_API_KEY: 'bench',
    },
    check: countsCheck(name, 'accepted', records),
  });
}

/** Whether this docferry can be told on how many threads to run. */
export function knowsThreads() {
  const help = execFileSync(process.execPath, [MAIN, 'validate', '--help'], { encoding: 'utf8' });
  return help.includes('--threads');
}

/** Flags for two threads, whatever the machine has. */
export function twoThreads() {
  return knowsThreads() ? ['--threads', '2'] : [];
}

/** Checks docferry's report. @param {string} name @param {string} count @param {number} records */
function countsCheck(name, count, records) {
  return (/** @type {string} */ stdout) => {
    const found = JSON.parse(stdout).counts[count];
    if (found !== records) throw new Error(`${name}: ${count} is ${found}, expected ${records}`);
  };
}

/** What goes to the sink has also to arrive there. @param {Sink} sink @param {Contestant} contestant */
function arriving(sink, contestant) {
  return {
    ...contestant,
    check: async (/** @type {string} */ stdout) => {
      contestant.check?.(stdout);
      const documents = await sink.documents();
      if (documents === contestant.records) return;
      throw new Error(`${contestant.name}: ${documents} of ${contestant.records} arrived`);
    },
  };
}

/** @param {string} file @param {number} records */
export function handWrittenValidate(file, records) {
  return peer('hand-written script', 'hand-written.mjs', ['validate', file], records);
}

/** @param {string} file @param {number} records @param {Sink} sink */
export function handWrittenImport(file, records, sink) {
  const args = ['import', file, sink.baseUrl];
  return arriving(sink, peer('hand-written script', 'hand-written.mjs', args, records));
}

/** @param {string} file @param {number} records @param {Sink} sink */
export function elasticsearch(file, records, sink) {
  const args = [file, sink.origin];
  return arriving(sink, peer('elasticsearch-js bulk helper', 'elasticsearch.mjs', args, records));
}

/** @param {string} file @param {number} records */
export function duckdb(file, records) {
  return peer('DuckDB copy, 2 threads', 'duckdb.mjs', [file, `${OUT}duckdb.json`], records);
}

/**
 * A script of `peers/`; it prints how many records were good.
 * @param {string} name
 * @param {string} script
 * @param {readonly string[]} args
 * @param {number} records
 * @returns {Contestant}
 */
function peer(name, script, args, records) {
  installPeers();
  return {
    name,
    command: process.execPath,
    args: [PEERS + script, ...args],
    records,
    check: (stdout) => {
      const { valid } = JSON.parse(stdout);
      if (valid !== records) throw new Error(`${name}: ${valid} are valid, expected ${records}`);
    },
  };
}

/** The peers have packages of their own, which docferry does without. */
function installPeers() {
  // npm writes this file last.
  if (existsSync(`${PEERS}node_modules/.package-lock.json`)) return;
  process.stderr.write('installing the peers: npm ci, in bench/peers\n');
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: PEERS, stdio: ['ignore', 2, 2] });
}

/** Miller, where it is installed. @param {string} file @param {number} records */
export function miller(file, records) {
  const args = ['--icsv', '--ojson', 'put', '-f', `${PEERS}reviews.mlr`, file];
  return installed({ name: 'Miller, mapping alone', command: 'mlr', args, records });
}

/** jq, where it is installed. @param {string} file @param {number} records */
export function jq(file, records) {
  const args = ['-c', '-f', `${PEERS}reviews.jq`, file];
  return installed({ name: 'jq, mapping alone', command: 'jq', args, records });
}

/** @param {Contestant} contestant @returns {Contestant | undefined} */
function installed(contestant) {
  if (spawnSync(contestant.command, ['--version']).error === undefined) return contestant;
  console.log(`${contestant.name}: left out, as there is no ${contestant.command} here.\n`);
  return undefined;
}
