/**
 * Lists the mappings that come with docferry after what each says of itself under `layout`: as
 * `dist/mapping/ready-mappings.json`, part of `npm run build`; given docs/mappings.md, as its tables.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { replaceFile } from './replace-file.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const names = readdirSync(path.join(ROOT, 'mappings')).map((file) => path.parse(file).name);
const mappings = names.toSorted().map(indexed);
const [page] = process.argv.slice(2);
if (page === undefined) {
  const index = mappings.map(({ kind: _, basis: __, ...ready }) => ready);
  replaceFile(path.join(ROOT, 'dist/mapping/ready-mappings.json'), JSON.stringify(index));
} else replaceFile(page, withTables(readFileSync(page, 'utf8')));

function indexed(name) {
  const text = readFileSync(path.join(ROOT, `mappings/${name}.yaml`), 'utf8');
  const { layout, input } = parse(text);
  return { name, format: input.format, ...layout };
}

/** Each table stands behind a comment that names its kind, and ends where a line is free. */
function withTables(text) {
  return text.replace(/(<!-- mappings: (\w+) -->\n\n)(?:\|.*\n)*/g, (_, mark, kind) => {
    const rows = mappings.filter((mapping) => mapping.kind === kind).map(row);
    return `${mark}| mapping | export | format | rests on |\n|---|---|---|---|\n${rows.join('')}`;
  });
}

function row({ name, export: export_, format, basis }) {
  return `| [\`${name}\`](../mappings/${name}.yaml) | ${export_} | ${format} | ${basis} |\n`;
}
