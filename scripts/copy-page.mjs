/** Copies what the report's page is made of beside its code: part of `npm run build`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replaceFile } from './replace-file.js';

for (const name of ['page.css', 'page-script.js']) {
  const part = (folder) =>
    fileURLToPath(new URL(`../${folder}/report/html/${name}`, import.meta.url));
  replaceFile(part('dist'), readFileSync(part('src')));
}
