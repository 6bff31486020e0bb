// @ts-check
// Measures docferry and its peers, in turn: `npm run bench [-- --only validate,import] [--rounds 5]
// [--rows 300000] [--latency-batch 100]`. Prints Markdown. Needs `npm run build`; docs/performance.md
// says how the figures are taken.
import { availableParallelism, cpus } from 'node:os';
import { printTable } from './figures.js';
import { importToSink } from './sections/import.js';
import { jsonl } from './sections/jsonl.js';
import { latency } from './sections/latency.js';
import { linear } from './sections/linear.js';
import { memory } from './sections/memory.js';
import { start } from './sections/start.js';
import { threads } from './sections/threads.js';
import { validate } from './sections/validate.js';
import { readSettings } from './settings.js';

/** @type {Readonly<Record<string, import('./settings.js').Section>>} */
const SECTIONS = { validate, import: importToSink, jsonl, threads, memory, linear, latency, start };

const settings = readSettings(Object.keys(SECTIONS));
const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ` +
    `${availableParallelism()} × ${processor}, medians of ${settings.rounds}`,
);
for (const [name, section] of Object.entries(SECTIONS)) {
  if (!settings.only.includes(name)) continue;
  console.log(`\n## ${name}\n`);
  const { results, verdicts } = await section(settings);
  printTable(results.filter((result) => result !== undefined));
  for (const verdict of verdicts) console.log(`- ${verdict}`);
}
