/**
 * Moves what the changelog has under "Unreleased" below a heading with the version and the day:
 * `node scripts/cut-changelog.mjs 1.0.0`, in the folder of CHANGELOG.md.
 */
import { readFileSync } from 'node:fs';
import { isVersion } from './published-version.js';
import { replaceFile } from './replace-file.js';

const FILE = 'CHANGELOG.md';
const UNRELEASED = '## Unreleased\n';

try {
  const [version = ''] = process.argv.slice(2);
  replaceFile(FILE, cut(readFileSync(FILE, 'utf8'), version));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function cut(changelog, version) {
  if (!isVersion(version)) {
    throw new Error(`Name the version to release, such as 1.2.0 or 1.2.0-rc.0, not "${version}".`);
  }
  if (changelog.includes(`\n## ${version} `)) {
    throw new Error(`${FILE} has a section for ${version} already. Name the next version.`);
  }
  const start = changelog.indexOf(`\n${UNRELEASED}`);
  if (start === -1) {
    throw new Error(`${FILE} has no line "${UNRELEASED.trim()}". Add it above the newest version.`);
  }
  const end = start + 1 + UNRELEASED.length;
  const changes = changelog.slice(end);
  if (!/^\s*(?!## )\S/.test(changes)) {
    throw new Error(`${FILE} has nothing under "Unreleased". Say what is new, then cut it.`);
  }
  const today = new Date().toISOString().slice(0, 10);
  return `${changelog.slice(0, end)}\n## ${version} (${today})\n${changes}`;
}
