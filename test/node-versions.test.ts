/**
 * The npm package on further versions of Node: those in the folder DOCFERRY_TEST_NODES, each as
 * `24/bin/node`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackage } from './helpers/installed-package.js';
import { ROOT } from './helpers/markdown.js';
import { HAS, NODES } from './helpers/needs.js';
import { type Ended, follow } from './helpers/run-cli.js';
import { ALL_CASES } from './helpers/runs.js';
import { workbookOfTexts } from './helpers/workbook.js';
import { zipOf } from './helpers/zip.js';

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

  it('reads every kind of file on threads', async () => {
    const cwd = newCwd();
    await writeExports(cwd);
    const args = ['docferry', 'validate', 'reviews.*', '-m', 'mapping.yaml', '--threads', '2'];
    const { stdout } = await silent(run(bin, [...args, '--json'], cwd));
    const { inputs, counts } = JSON.parse(stdout);
    expect(inputs.map((input: { format: string }) => input.format)).toEqual([
      ...['csv', 'csv', 'parquet', 'xlsx', 'csv'],
    ]);
    expect(counts).toMatchObject({ read: 5 * ROWS, unsent: 5 * ROWS });
  });
});

/** Fails if there is anything on stderr but notices of docferry: Node warns there of what it will drop. */
async function silent(ended: Promise<Ended>): Promise<Ended> {
  const { code, stdout, stderr } = await ended;
  expect({ code, warnings: stderr.match(/^.*warning.*$/gim) }).toEqual({ code: 0, warnings: null });
  return { code, stdout, stderr };
}

const ROWS = 2000;
const HEAD = ['id', 'text', 'date'] as const;
const MAPPING = `
profile: minimal
duplicates: same-review
document:
  sourceId: "{id}"
  text: "{text}"
  language: { detect: "{text}" }
  published: { from: date, date: "d MMMM yyyy", locale: fr, zone: Europe/Paris }
`;

/** The same table as CSV, compressed CSV, Parquet, a workbook and an archive, with ids of their own. */
async function writeExports(folder: string): Promise<void> {
  const rows = (kind: string): readonly (readonly string[])[] =>
    Array.from({ length: ROWS }, (_, n) => [
      `${kind}${n}`,
      `La chambre ${n} était propre et calme`,
      `${1 + (n % 28)} février 2026`,
    ]);
  const csv = (kind: string): string => [HEAD, ...rows(kind)].map((row) => row.join()).join('\n');
  const parquet = rows('parquet');
  const columnData = HEAD.map((name, at) => ({
    name,
    data: parquet.map((row) => row[at] ?? ''),
    type: 'STRING' as const,
  }));
  const files = {
    'mapping.yaml': MAPPING,
    'reviews.csv': csv('csv'),
    'reviews.csv.gz': gzipSync(csv('gzip')),
    'reviews.parquet': Buffer.from(parquetWriteBuffer({ columnData })),
    'reviews.xlsx': await workbookOfTexts([HEAD, ...rows('xlsx')]),
    'reviews.zip': await zipOf({ 'inside.csv': csv('zip') }),
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), content);
  }
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
