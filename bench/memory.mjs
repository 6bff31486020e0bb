// @ts-check
// Imports a large made-up CSV into a sink and prints the peak memory of the import:
// `node bench/memory.mjs [--gigabytes 1]`. Needs `npm run build` and that much room on disk.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const BYTES_A_ROW = 345;
const { values } = parseArgs({ options: { gigabytes: { type: 'string', default: '1' } } });
/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

mkdirSync(here('out/'), { recursive: true });
const file = here('out/reviews.csv');
const rows = Math.ceil((Number(values.gigabytes) * 1e9) / BYTES_A_ROW);
const maker = spawn(process.execPath, [here('make-reviews.mjs'), '--rows', String(rows)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
await pipeline(maker.stdout, createWriteStream(file));
console.log(`${rows} rows, ${(statSync(file).size / 1e9).toFixed(2)} GB`);

const sink = spawn(process.execPath, [here('sink.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
const baseUrl = await new Promise((resolve) => {
  sink.stdout.once('data', (data) => resolve(String(data).trim()));
});
const args = ['--import', here('print-peak.mjs'), here('../dist/cli/main.js'), 'import', file];
args.push('--mapping', here('reviews.mapping.yaml'), '--monitoring', '1', '--quiet');
const { status } = await run(args, {
  ...process.env,
  DOCFERRY_BASE_URL: baseUrl,
  DOCFERRY_USERNAME: 'bench',
  DOCFERRY_API_KEY: 'bench',
});
sink.stdout.on('data', (data) => console.log(`sink: ${String(data).trim()}`));
sink.kill('SIGTERM');
rmSync(file);
process.exitCode = status;

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ status: number }>}
 */
function run(args, env) {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  return new Promise((resolve) => child.on('exit', (code) => resolve({ status: code ?? 1 })));
}
