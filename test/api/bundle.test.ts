import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const PROGRAM = `
import { createClient } from 'docferry/api';

const client = createClient(JSON.parse(process.argv[2]));
const monitorings = await client.monitorings.list();
const { id } = await client.monitorings.create({ title: 'Hotels', status: 'paused', searches: [{ source: 'RSS', query: 'https://example.com/a.rss' }] });
await client.close();
const { sharedObjects } = process.report.getReport();
console.log(JSON.stringify({ monitorings, id, native: sharedObjects.filter((file) => file.endsWith('.node')) }));
`;

/** The client's packages; luxon reads dates. */
const PACKAGES = ['luxon', 'p-limit', 'undici', 'yocto-queue'];

it('the client bundles without SQLite and native parts, and the bundle calls the service', async () => {
  const input = put(newFolder(), 'program.mjs', PROGRAM);
  const alias = { 'docferry/api': path.join(ROOT, 'dist/api/index.js') };
  const build = await rolldown({ input, platform: 'node', resolve: { alias } });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  expect(output).toHaveLength(1);
  const [{ code, moduleIds, imports, dynamicImports }] = output;
  const packages = moduleIds.flatMap((id) => /node_modules\/([^/]+)\//.exec(id)?.[1] ?? []);
  expect([...new Set(packages)].toSorted()).toEqual(PACKAGES);
  const foreign = [...imports, ...dynamicImports].filter((id) => !id.startsWith('node:'));
  expect(foreign).toEqual([]);
  expect(code.length).toBeLessThan(700_000);

  const { baseUrl, username, apiKey } = await startWithMonitoring();
  // Alone in its folder: no package.json, no packages.
  const bundle = path.join(newFolder(), 'bundle.mjs');
  writeFileSync(bundle, code);
  const argument = JSON.stringify({ baseUrl, username, apiKey });
  const { stdout } = await promisify(execFile)(process.execPath, [bundle, argument]);
  expect(JSON.parse(stdout)).toMatchObject({ monitorings: [{ id: 1 }], id: 2, native: [] });
});
