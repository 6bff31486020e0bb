/**
 * Prints the bill of materials of the npm package as CycloneDX JSON: `npm run sbom`. It lists what
 * comes with the package when it is installed, and what was bundled with it at the build.
 *
 * `npm sbom --omit dev` alone won't do: it leaves out packages that development tools use as well.
 * So npm gets a manifest without these tools, and their part of the lock file goes.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Development dependencies whose code is in `dist/`, by scripts/bundle-*.mjs. */
const BUNDLED = [
  '@observablehq/plot',
  'diff',
  'eld',
  'p-limit',
  'preact',
  'prism-code-editor',
  'string-width',
  'xxhash-wasm',
  'yaml',
  'yargs',
];

const {
  devDependencies,
  scripts: _,
  ...manifest
} = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const bundled = Object.fromEntries(BUNDLED.map((name) => [name, devDependencies[name]]));
const dependencies = { ...manifest.dependencies, ...bundled };

const here = mkdtempSync(path.join(tmpdir(), 'docferry-sbom-'));
try {
  // npm takes the folder's name for the package's.
  const folder = path.join(here, manifest.name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies }));
  copyFileSync(path.join(ROOT, 'package-lock.json'), path.join(folder, 'package-lock.json'));
  npm(folder, 'install', '--ignore-scripts', '--offline');
  process.stdout.write(npm(folder, 'sbom', '--sbom-format', 'cyclonedx'));
} finally {
  rmSync(here, { recursive: true, force: true });
}

function npm(cwd, ...args) {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  return execFileSync('npm', [...args, '--package-lock-only', '--loglevel', 'error'], options);
}
