import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../src/model/version.js';
import { ROOT } from './helpers/markdown.js';
import { packedFiles, packedPackage } from './helpers/packed-files.js';
import { longTest } from './helpers/runs.js';

const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** Bundles hold all that they need. */
const BUNDLED = /^dist\/(?:studio\/web\/|mapping\/steps\/eld)/;

/** The packages that a published file loads, at once or on demand, but for Node's own. */
function packagesIn(file: string): string[] {
  const code = readFileSync(path.join(ROOT, file), 'utf8');
  const names = Array.from(code.matchAll(LOADS), ([, id = '']) => id);
  return names.filter((id) => !isBuiltin(id)).map((id) => PACKAGE.exec(id)?.[0] ?? id);
}

/** Statements stand at the start of a line, in minified files behind another; calls anywhere. */
const LOADS =
  /(?:(?:^|;)(?:import|export)\b(?:[^;"'`\n]*\bfrom)? *|\b(?:import|require|nodeRequire)\()["'`]([@#\w][\w@/.:-]*)["'`]/gm;
const PACKAGE = /^(?:@[^/]+\/)?[^/]+/;

/** Whether a package is installed with this one, and its types with it. */
function bringsTypes(name: string): boolean {
  return name in manifest.dependencies && !(`@types/${name}` in manifest.devDependencies);
}

describe('the package', () => {
  longTest('holds the program, types and docs, and no sources or tests', () => {
    const paths = packedFiles();
    for (const needed of [
      'dist/index.js',
      'dist/index.d.ts',
      'dist/api/index.js',
      'dist/api/index.d.ts',
      'dist/cli/main.js',
      'dist/LICENSES.txt',
      'dist/sandbox/index.js',
      'dist/mapping/steps/eld.cjs',
      'schemas/imported-document.schema.json',
      'schemas/mapping.schema.json',
      'schemas/report.schema.json',
      'schemas/faults.schema.json',
      'schemas/openapi.yaml',
      'mappings/hotel-reviews.yaml',
      'samples/hotel-reviews.csv',
      'docs/mapping.md',
      'LICENSE',
      'README.md',
    ]) {
      expect(paths).toContain(needed);
    }
    expect(paths.filter((file) => /^(src|test|bench|node_modules)\//.test(file))).toEqual([]);
  });

  // In a clone, packages of development are there as well: a test of what runs would not see it.
  longTest('loads the packages that are installed with it, each of them, and no other', () => {
    const loading = packedFiles()
      .filter((file) => /^dist\/.*\.c?js$/.test(file) && !BUNDLED.test(file))
      .flatMap((file) => packagesIn(file).map((name) => [name, file] as const));
    const byPackage = Object.fromEntries(loading);
    expect(Object.keys(byPackage).toSorted()).toEqual(Object.keys(manifest.dependencies));
  });

  longTest('stays as small as it is, so that installing it stays quick', () => {
    const { size, unpackedSize } = packedPackage();
    // At 1.0.0-rc.0: 1.78 MB and 5.6 MB, most of it code and types; 0.7 MB are the bundled packages,
    // 0.4 MB the sandbox's demo, 0.4 MB the pictures in docs/. Twice as much of the last would show.
    expect(size).toBeLessThan(2_000_000);
    expect(unpackedSize).toBeLessThan(6_300_000);
  });

  it('is named with its version wherever the README and the docs name one', () => {
    const pages = ['README.md', 'docs/recipes/compose.yaml', 'docs/recipes/shards-kubernetes.yaml'];
    const named = pages.flatMap((page) =>
      Array.from(
        readFileSync(path.join(ROOT, page), 'utf8').matchAll(
          /docferry[-:](\d+\.\d+[\w.-]*?)(?=\.tgz|[`,\s])/g,
        ),
        ([, version]) => `${page} ${version}`,
      ),
    );
    expect(new Set(named)).toEqual(new Set(pages.map((page) => `${page} ${manifest.version}`)));
  });

  it('has its version in the code, which has no package.json in a bundle', () => {
    expect(VERSION).toBe(manifest.version);
  });

  it('has declarations that import no data, and only packages whose types are installed', () => {
    const doors = ['index', 'api/index', 'sandbox/index'].map((door) => `dist/${door}.d.ts`);
    const files = new Set(doors);
    const foreign: string[] = [];
    for (const file of files) {
      const code = readFileSync(path.join(ROOT, file), 'utf8');
      for (const [, id = ''] of code.matchAll(/\b(?:from |import\()'([^']+)'/g)) {
        if (/^\..*\.js$/.test(id)) {
          files.add(path.join(path.dirname(file), id.replace(/\.js$/, '.d.ts')));
        } else if (!isBuiltin(id) && !bringsTypes(PACKAGE.exec(id)?.[0] ?? '')) {
          foreign.push(`${file}: ${id}`);
        }
      }
    }
    expect(foreign).toEqual([]);
    expect(files.size).toBeGreaterThan(doors.length);
  });

  it('points every export and the command at a file that the build makes', () => {
    const targets = [
      manifest.bin.docferry,
      ...Object.values<Record<string, string> | string>(manifest.exports).flatMap((target) =>
        typeof target === 'string' ? [target] : Object.values(target),
      ),
    ].filter((target) => !target.includes('*'));
    for (const target of targets) expect(existsSync(path.join(ROOT, target)), target).toBe(true);
  });

  it('has no script that npm would run, or warn of, where it is installed', () => {
    const events = [
      'preinstall',
      'install',
      'postinstall',
      'prepublish',
      'preprepare',
      'prepare',
      'postprepare',
    ];
    expect(Object.keys(manifest.scripts).filter((name) => events.includes(name))).toEqual([]);
    // What makes `npm ci` build a clone, and `npm pack` pack what was built.
    expect(manifest.scripts).toMatchObject({
      dependencies: 'npm run build',
      prepack: 'npm run clean && npm run build',
    });
  });

  it('names exact versions, and none that runs a script to fetch something when installed', () => {
    const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
    const versions = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    const withScripts = Object.entries<{ hasInstallScript?: boolean; dev?: boolean }>(lock.packages)
      .filter(([name, { hasInstallScript, dev }]) => name !== '' && hasInstallScript && !dev)
      .map(([name]) => name);
    expect(withScripts).toEqual([]);
  });
});
