import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../helpers/files.js';
import { ROOT, snippets } from '../helpers/markdown.js';
import { freePort } from '../helpers/postgres-programs.js';
import { startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { makeWorkspace } from './workspace.js';

const run = promisify(execFile);
const onPage = snippets().filter(({ at }) => at.startsWith('docs/sandbox.md'));
const codeWith = (text: string): string =>
  onPage.find(({ code }) => code.includes(text))?.code ?? '';

longTest(
  'the fixture of docs/sandbox.md is one for vitest with the import that the page names',
  async () => {
    const { folder, env, remove } = makeWorkspace();
    onTestFinished(remove);
    const program = codeWith("from 'node:test'").replace(
      /^import .* from 'node:test';$/m,
      "import { afterAll as after, beforeAll as before, test } from 'vitest';",
    );
    for (const name of ['vitest', 'vite']) {
      symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
    }
    writeFileSync(path.join(folder, 'import.test.mjs'), program);
    const { VITEST: _, ...outside } = env;
    const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
    const options = { cwd: folder, env: { ...outside, NO_COLOR: '1' } };
    const { stdout } = await run(process.execPath, [vitest, 'run', '--root', folder], options);
    expect(stdout).toContain('1 passed');
  },
);

it('the sandbox of the compose file starts with its command and key', async () => {
  const { command, environment } = parse(codeWith('network_mode')).services.sandbox;
  const port = String(await freePort());
  const args = command.slice(1).map((word: string) => (word === '8080' ? port : word));
  const { child, ended } = startDocferry(args, { cwd: newFolder(), env: environment });
  const said = await new Promise((resolve) => child.stdout?.once('data', resolve));
  expect(String(said)).toContain(`DOCFERRY_BASE_URL=http://127.0.0.1:${port}/5.0`);
  expect(String(said)).toContain('DOCFERRY_API_KEY=test');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});
