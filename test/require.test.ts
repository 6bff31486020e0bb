import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect } from 'vitest';
import { newFolder } from './helpers/files.js';
import { installPackage } from './helpers/installed-package.js';
import { longTest } from './helpers/runs.js';

const run = promisify(execFile);

/** What a CommonJS program does with the package: a run against a sandbox, from `require` on. */
const PROGRAM = `
const { importDocuments, DocferryError } = require('docferry');
const { createClient } = require('docferry/api');
const { startSandbox } = require('docferry/sandbox');
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
  });
  const client = createClient(sandbox);
  const [{ title }] = await client.monitorings.list();
  await client.close();
  await sandbox.close();
  console.log(JSON.stringify({ accepted: counts.accepted, title, error: typeof DocferryError }));
})();
`;

describe('a CommonJS program', () => {
  let here: string;
  beforeEach(() => {
    here = newFolder();
    installPackage(here);
    writeFileSync(path.join(here, 'program.cjs'), PROGRAM);
  });

  longTest('takes all doors of the npm package by require', async () => {
    const { stdout, stderr } = await run(process.execPath, ['--no-warnings', 'program.cjs'], {
      cwd: here,
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ accepted: 1, title: 'Monitoring 1', error: 'function' });
  });
});
