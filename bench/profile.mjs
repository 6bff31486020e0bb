// @ts-check
// Says in which module of docferry a validation spends its processor time, all threads together:
// `node bench/profile.mjs [--rows 300000] [--format jsonl]`. Needs `npm run build`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { docferryValidate } from './contestants.js';
import { reviews } from './data.js';

/** @typedef {{ functionName: string, url: string, lineNumber: number }} CallFrame */
/** @typedef {{ id: number, callFrame: CallFrame, children?: number[] }} Node */
/** @typedef {{ nodes: Node[], samples: number[], timeDeltas: number[] }} Profile */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '300000' },
    format: { type: 'string', default: 'csv' },
  },
});
const rows = Number(values.rows);
const file = await reviews(rows, values.format === 'jsonl' ? 'jsonl' : 'csv');
const shares = sharesOf(profiles(file));

console.log('| module | processor time | share |');
console.log('|---|---:|---:|');
const total = [...shares.values()].reduce((sum, micros) => sum + micros, 0);
for (const [module, micros] of [...shares].sort(([, a], [, b]) => b - a)) {
  const share = (micros / total) * 100;
  if (share < 0.5) continue;
  console.log(`| ${module} | ${(micros / 1e6).toFixed(2)} s | ${share.toFixed(0)}% |`);
}

/** One profile for each thread of a run. @param {string} file @returns {Profile[]} */
function profiles(file) {
  const folder = mkdtempSync(path.join(tmpdir(), 'docferry-profile-'));
  const { command, args } = docferryValidate('docferry', file, rows);
  execFileSync(command, ['--cpu-prof', '--cpu-prof-dir', folder, ...args], { stdio: 'ignore' });
  const found = readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(path.join(folder, name), 'utf8')),
  );
  rmSync(folder, { recursive: true });
  return found;
}

/** Microseconds of each module. @param {Profile[]} profiles */
function sharesOf(profiles) {
  /** @type {Map<string, number>} */
  const shares = new Map();
  for (const { nodes, samples, timeDeltas } of profiles) {
    const modules = modulesOf(nodes);
    for (const [at, node] of samples.entries()) {
      const module = modules.get(node);
      if (module === undefined) continue;
      shares.set(module, (shares.get(module) ?? 0) + (timeDeltas[at] ?? 0));
    }
  }
  return shares;
}

/** The module of each node: its own, or that of the docferry code that called it. @param {Node[]} nodes */
function modulesOf(nodes) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<number, string | undefined>} */
  const modules = new Map();
  /** @param {Node} node @param {string | undefined} inherited */
  const visit = (node, inherited) => {
    const module = ownModule(node.callFrame, inherited);
    modules.set(node.id, module);
    for (const child of node.children ?? []) visit(/** @type {Node} */ (byId.get(child)), module);
  };
  visit(/** @type {Node} */ (nodes[0]), 'Node.js: start, modules, streams');
  return modules;
}

/** @param {CallFrame} frame @param {string | undefined} inherited */
function ownModule({ functionName, url }, inherited) {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (!url.includes('/dist/') || url.includes('/node_modules/')) return inherited;
  return path.dirname(url.replace(/.*\/dist\//, 'src/'));
}
