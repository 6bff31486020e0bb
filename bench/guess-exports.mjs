/**
 * Writes 40 review exports as sites, survey tools, shops, programs and people make them, and beside
 * them truth.json: what documents should come of each. `docferry guess` is judged by them with
 * bench/guess-truth.mjs, and they are written by somebody who doesn't change `guess`. All sites,
 * people and texts are invented; the same files come of every run.
 *
 *     node bench/guess-exports.mjs FOLDER
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codePages } from './guess-exports/code-pages.js';
import { columns } from './guess-exports/columns.js';
import { kit } from './guess-exports/kit.js';
import { nested } from './guess-exports/nested.js';
import { scripts } from './guess-exports/scripts.js';
import { stated } from './guess-exports/stated.js';
import { surveys } from './guess-exports/surveys.js';
import { truthOf } from './guess-exports/truth.js';
import { zeros } from './guess-exports/zeros.js';

const KINDS = {
  nested,
  surveys,
  'several texts': columns,
  'other scripts': scripts,
  'stated sentiment': stated,
  'zeros and averages': zeros,
  'code pages': codePages,
};

const folder = process.argv[2];
if (!folder) {
  console.error('Usage: node bench/guess-exports.mjs FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const all = Object.entries(KINDS).flatMap(([kind, exports]) =>
  exports.map((one) => ({ kind, one })),
);
const truths = all.map(({ kind, one }, at) => {
  const made = one.make(kit(1009 * (at + 1)));
  writeFileSync(path.join(folder, one.file), made.content);
  return truthOf(kind, one, made);
});
writeFileSync(path.join(folder, 'truth.json'), `${JSON.stringify({ exports: truths }, null, 1)}\n`);
console.log(`${truths.length} exports and truth.json written to ${folder}`);
