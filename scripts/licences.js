import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The licences of all packages that modules of a bundle come from, each below the package's name and
 * version: they ask that copies come with the code.
 */
export function licencesOf(moduleIds) {
  const folders = new Set(
    [...moduleIds].flatMap(
      (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [],
    ),
  );
  // Some lie there in several copies.
  const licences = new Set([...folders].map(licenceOf));
  return [...licences].toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file to copy`);
  return `${name} ${version}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
}
