// Programs of those who use the npm package, for the tests and for bench/setups.mjs.

/** A run against a sandbox, from the loading of all three doors on. */
const IMPORT_ONE = `
(async () => {
  const sandbox = await startSandbox();
  await sandbox.ensureMonitoring(1);
  const { counts } = await importDocuments({
    input: [{ id: '7', body: 'Fine' }],
    mapping: {
      profile: 'minimal',
      document: { sourceId: '{id}', text: '{body}', language: 'en', published: '2024-06-03T00:00:00Z' },
    },
    monitoring: 1,
    connection: sandbox,
    stateDir: false,
  });
  const client = createClient(sandbox);
  const [{ title }] = await client.monitorings.list();
  await client.close();
  await sandbox.close();
  console.log(JSON.stringify({ accepted: counts.accepted, title, error: typeof DocferryError }));
})();
`;

/** What the programs print. */
export const IMPORTED_ONE = { accepted: 1, title: 'Monitoring 1', error: 'function' };

export const COMMONJS = `
const { importDocuments, DocferryError } = require('docferry');
const { createClient } = require('docferry/api');
const { startSandbox } = require('docferry/sandbox');
${IMPORT_ONE}`;

export const ES_MODULE = `
import { importDocuments, DocferryError } from 'docferry';
import { createClient } from 'docferry/api';
import { startSandbox } from 'docferry/sandbox';
${IMPORT_ONE}`;

/** A program in TypeScript, in both kinds of modules. */
export const TYPED = `
import { importDocuments, type Mapping, RunFailedError } from 'docferry';
import { createClient } from 'docferry/api';
import { startSandbox } from 'docferry/sandbox';
export async function main(): Promise<number> {
  await using sandbox = await startSandbox();
  await using client = createClient(sandbox);
  const mapping: Mapping = { document: { sourceId: '{id}', text: '{body}' } };
  const { body } = new Response('id,body');
  if (body === null) return (await client.monitorings.list()).length;
  const report = await importDocuments({ input: body, mapping, monitoring: 1, connection: sandbox, stateDir: false });
  return new RunFailedError(report, undefined).report.counts.accepted;
}
`;

/** The strictest that the types have to pass, declarations included. */
export const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'esnext.disposable', 'dom'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
};
