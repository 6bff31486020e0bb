/** Copies what stands beside code and is no code of Node's to the built code: part of `npm run build`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replaceFile } from './replace-file.js';

const FILES = [
  // What the report's page is made of.
  'report/html/page.css',
  'report/html/page-script.js',
  // What shells run to complete a command line.
  'cli/completion/docferry.bash',
  'cli/completion/docferry.zsh',
];

for (const name of FILES) {
  const place = (folder) => fileURLToPath(new URL(`../${folder}/${name}`, import.meta.url));
  replaceFile(place('dist'), readFileSync(place('src')));
}
