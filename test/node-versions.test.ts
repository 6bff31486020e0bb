/**
 * The npm package on further versions of Node: those in the folder DOCFERRY_TEST_NODES, each as
 * `24/bin/node`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackage } from './helpers/installed-package.js';
import { ROOT } from './helpers/markdown.js';
import { HAS, NODES } from './helpers/needs.js';
import { type Ended, follow } from './helpers/run-cli.js';
import { ALL_CASES } from './helpers/runs.js';

/** The major versions there are. */
const MAJORS = HAS.nodes ? readdirSync(path.resolve(ROOT, NODES ?? '')).toSorted() : ['22'];
const HERE = path.dirname(process.execPath);

/** A folder in which the package is installed. */
let project: string;

beforeAll(() => {
  if (!HAS.nodes || !ALL_CASES) return;
  project = mkdtempSync(path.join(tmpdir(), 'docferry-nodes-'));
  installPackage(project);
});
afterAll(() => {
  if (project !== undefined) rmSync(project, { recursive: true, force: true });
});

/** Runs a command of the project with the Node in a folder: by itself, or by `#!/usr/bin/env node`. */
function run(bin: string, words: readonly string[], cwd = project): Promise<Ended> {
  const [program = '', ...args] = words;
  const folders = [bin, path.join(project, 'node_modules/.bin'), process.env['PATH']];
  const env = { PATH: folders.join(path.delimiter), HOME: project };
  return follow(spawn(program, args, { cwd, env })).ended;
}

/** A folder of its own in the project, so that no state is shared. */
function newCwd(): string {
  return mkdtempSync(path.join(project, 'cwd-'));
}

describe.runIf(HAS.nodes && ALL_CASES).each(MAJORS)('on Node %s', (major) => {
  const bin = path.resolve(ROOT, NODES ?? '', major, 'bin');

  it('makes of every sample the documents that it makes here', async () => {
    const program = path.join(project, 'samples.mjs');
    writeFileSync(program, EVERY_SAMPLE);
    const [there, here] = await Promise.all([
      run(bin, ['node', program]),
      run(HERE, ['node', program]),
    ]);
    expect(there).toMatchObject({ code: 0, stderr: '' });
    const [version = '', ...documents] = there.stdout.split('\n');
    expect(version.split('.')[0]).toBe(major);
    expect(documents.length).toBeGreaterThan(100);
    expect(documents).toEqual(here.stdout.split('\n').slice(1));
  });

  it('imports into the sandbox, knows what it imported, and reads it back', async () => {
    const cwd = newCwd();
    const at = (name: string): string => path.join(project, 'node_modules/docferry', name);
    const input = [at('samples/hotel-reviews.csv'), '--mapping', at('mappings/hotel-reviews.yaml')];
    const import_ = ['docferry', 'import', ...input, '--monitoring', '1', '--sandbox', '--json'];
    const first = JSON.parse((await silent(run(bin, import_, cwd))).stdout);
    expect(first.counts.accepted).toBeGreaterThan(0);
    const { counts } = JSON.parse((await silent(run(bin, import_, cwd))).stdout);
    expect(counts).toMatchObject({ accepted: 0, duplicate: first.counts.read - counts.skipped });
    const feed = ['docferry', 'api', '/documents/feed', '-f', 'monitorings=1', '--paginate'];
    const shown = await silent(run(bin, [...feed, '--sandbox'], cwd));
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(first.counts.accepted);
  });
});

/** Fails if there is anything on stderr but notices of docferry: Node warns there of what it will drop. */
async function silent(ended: Promise<Ended>): Promise<Ended> {
  const { code, stdout, stderr } = await ended;
  expect({ code, warnings: stderr.match(/^.*warning.*$/gim) }).toEqual({ code: 0, warnings: null });
  return { code, stdout, stderr };
}

/** Prints the version of Node, and then every document of every sample. */
const EVERY_SAMPLE = `
import { readdirSync } from 'node:fs';
import { previewDocuments } from 'docferry';

const PACKAGE = new URL('node_modules/docferry/', import.meta.url).pathname;
console.log(process.versions.node);
const mappings = readdirSync(PACKAGE + 'mappings').map((file) => file.replace('.yaml', ''));
mappings.sort().reverse();
for (const name of readdirSync(PACKAGE + 'samples')) {
  if (name.endsWith('.expected.json')) continue;
  const mapping = mappings.find((start) => name.startsWith(start));
  const input = PACKAGE + 'samples/' + name;
  const options = { input, mapping: PACKAGE + 'mappings/' + mapping + '.yaml', asOf: '2026-11-01' };
  for await (const { document, problems } of previewDocuments(options)) {
    console.log(JSON.stringify({ name, ...document, downloaded: null, problems }));
  }
}
`;
