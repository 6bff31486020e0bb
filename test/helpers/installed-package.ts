import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './markdown.js';

/** As `npm install --omit=optional` leaves it: without SQLite's binary for this platform. */
export function omitOptional(folder: string): void {
  const packages = path.join(folder, 'node_modules/docferry/node_modules');
  rmSync(packages);
  mkdirSync(packages);
  const from = path.join(ROOT, 'node_modules');
  for (const name of readdirSync(from)) {
    // A link would lead to the binary, which lies beside what it leads to.
    if (name === 'libsql')
      cpSync(path.join(from, name), path.join(packages, name), { recursive: true });
    else if (name !== '@libsql') symlinkSync(path.join(from, name), path.join(packages, name));
  }
}

/**
 * Installs the npm package as it would be published into a folder, with the command in
 * `node_modules/.bin`. Its dependencies are the clone's.
 */
export function installPackage(folder: string): void {
  const options = { cwd: folder, encoding: 'utf8' } as const;
  execFileSync('npm', ['pack', ROOT, '--ignore-scripts', '--silent'], options);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const installed = path.join(folder, 'node_modules', 'docferry');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed], options);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(installed, 'node_modules'));
  mkdirSync(path.join(folder, 'node_modules/.bin'));
  symlinkSync('../docferry/dist/cli/main.js', path.join(folder, 'node_modules/.bin/docferry'));
}
