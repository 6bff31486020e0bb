/**
 * Installs further versions of Node from the npm registry into a folder, as `22/bin/node` and so on:
 * `node scripts/install-nodes.mjs FOLDER`. No script of a package runs, and nothing else is fetched.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** The releases that are maintained beside the oldest that docferry supports, which CI runs on. */
const VERSIONS = ['22.23.3', '24.21.0', '26.10.0'];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to install them into.');
for (const version of VERSIONS) {
  const [major] = version.split('.');
  const words = [
    'install',
    '--global',
    '--ignore-scripts',
    `node-linux-${process.arch}@${version}`,
  ];
  execFileSync('npm', [...words, '--prefix', path.join(folder, major)], { stdio: 'inherit' });
}
