import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { docferryEach, docferryOnce, environmentOf } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startTestSandbox, startWithMonitoring } from '../helpers/start-sandbox.js';

const SAMPLE = path.join(ROOT, 'samples/hotel-reviews.csv');
/** Its mapping, but for the detection of languages: to load that takes longer than all of an import. */
const MAPPING = readFileSync(path.join(ROOT, 'mappings/hotel-reviews.yaml'), 'utf8').replace(
  /else: \{ detect: .*\}/,
  'else: es',
);
const INTO_SANDBOX = [SAMPLE, '--mapping', 'mapping.yaml', '--monitoring', '1', '--sandbox'];

function folderWithMapping(): string {
  const folder = newFolder();
  put(folder, 'mapping.yaml', MAPPING);
  return folder;
}

describe('docferry runs', () => {
  it('lists, shows and verifies an import', async () => {
    const cwd = folderWithMapping();
    const list = ['runs', 'list'];
    const lines = [['import', ...INTO_SANDBOX], [...list, '--json'], list];
    const [imported, listed, table] = await docferryEach(lines, { cwd });
    expect(imported).toMatchObject({ code: 0 });
    const [kept] = JSON.parse(listed?.stdout ?? '');
    expect(kept).toMatchObject({
      state: 'finished',
      target: { service: 'sandbox', monitoring: 1 },
      documents: { accepted: 21, sending: 0 },
      resumable: false,
    });
    expect(table?.stdout).toMatch(
      new RegExp(`^run +started \\(UTC\\) .*\n${kept.run} .+ finished +21 +0 +0 +1 \\(sandbox\\) `),
    );
    // A run knows that it went to the sandbox.
    const more = [
      ['runs', 'show', kept.run],
      ['verify', kept.run, '--json'],
    ];
    const [shown, verified] = await docferryEach(more, { cwd });
    expect(shown?.stdout).toContain(
      'Finished: 21 of 24 reviews imported into monitoring 1 of the sandbox.',
    );
    expect(shown?.stderr).toBe('');
    const found = JSON.parse(verified?.stdout ?? '');
    expect(found).toMatchObject({ compared: 21, missing: [], duplicate: [] });
    expect(verified?.code).toBe(0);
  });

  longTest(
    'resumes and retries a run into the sandbox without being told where that is',
    async () => {
      const cwd = newFolder();
      put(cwd, 'reviews.csv', 'id,text\n1,Good\n2,\n3,\n');
      const document = 'document: { sourceId: "{id}", text: "{text}" }';
      put(cwd, 'mapping.yaml', `name: x\nprofile: minimal\n${document}\n`);
      const input = ['reviews.csv', '--mapping', 'mapping.yaml', '--monitoring', '1', '--sandbox'];
      const stopped = await docferryOnce(['import', ...input, '--max-errors', '0'], { cwd });
      expect(stopped.code).toBe(4);
      const [, line = ''] = /: docferry (runs resume .+)$/m.exec(stopped.stderr) ?? [];
      expect(line).toMatch(/^runs resume \S+ --max-errors 100%$/);
      const resumed = await docferryOnce(line.split(' '), { cwd });
      expect(resumed.code, resumed.stderr).toBe(1);
      expect(resumed.stdout).toContain('1 of 3 reviews imported');
      const [, , id = ''] = line.split(' ');
      expect((await docferryOnce(['runs', 'retry', id], { cwd })).code).toBe(1);
      const listed = await docferryOnce(['runs', 'list'], { cwd });
      expect(listed.stdout).toMatch(new RegExp(`${id} .+ finished +1 +0 +2 +1 \\(sandbox\\) `));
    },
  );

  longTest.each([['wrong credentials', { DOCFERRY_API_KEY: 'wrong' }, []]])(
    'shows nothing to type that would fail again: %s',
    async (_, env, flags) => {
      const sandbox = await startTestSandbox();
      const cwd = folderWithMapping();
      const service = { DOCFERRY_BASE_URL: sandbox.baseUrl, DOCFERRY_USERNAME: sandbox.username };
      const input = [SAMPLE, '--mapping', 'mapping.yaml', '--monitoring', '1', '--max-outage', '0'];
      const how = { cwd, env: { ...service, ...env } };
      const { code, stderr } = await docferryOnce(['import', ...input, ...flags], how);
      expect([3, 4]).toContain(code);
      expect(stderr).toContain(
        'Nothing was sent. Once that is put right, run the same command again.',
      );
      expect(stderr).not.toContain('runs resume');
      // What never sent anything needs no keeping.
      const pruned = await docferryOnce(['runs', 'prune', '--older-than', '0'], { cwd });
      expect(pruned.stdout).toContain('1 removed, 0 remaining');
    },
  );

  longTest('holds what is unknown if told so, and finds out later', async () => {
    const faults = {
      rules: [{ on: 'import' as const, requests: [2], reset: 'before' as const }],
    };
    const sandbox = await startWithMonitoring({ faults });
    const cwd = folderWithMapping();
    const key = put(cwd, 'my key.txt', sandbox.apiKey);
    const { baseUrl, username } = sandbox;
    const service = ['--base-url', baseUrl, '--username', username, '--api-key-file', key];
    const patience = ['--settle-time', '0.1', '--timeout', '0.6', '--batch-size', '5'];
    const input = [SAMPLE, '--mapping', 'mapping.yaml', '--monitoring', '1', '--concurrency', '1'];
    const how = [...patience, ...service, '--state-dir', 'my state', '--on-unknown', 'hold'];
    const held = await docferryOnce(['import', ...input, ...how], { cwd });
    expect(held.code).toBe(5);
    const [, id = ''] = /docferry runs resume (\S+)/.exec(held.stderr) ?? [];
    expect(held.stderr).toContain(
      `To resume: docferry runs resume ${id} --state-dir 'my state' --base-url ${baseUrl} --username ${username} --api-key-file '${key}' --timeout 0.6\n`,
    );
    const state = ['--state-dir', 'my state', ...service, '--timeout', '0.6'];
    const look = ['runs', 'resolve', id, ...state, '--settle-time', '0.1'];
    const looked = await docferryOnce(look, { cwd });
    expect(looked.code).toBe(4);
    const [, line = ''] =
      /5 missing: they did not arrive; `docferry (.+)` sends/.exec(looked.stdout) ?? [];
    // As it is printed, it can be typed.
    const words = line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
    const resumed = await docferryOnce(words, { cwd });
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('Finished: 21 of 24 reviews imported');
    expect(resumed.stderr).not.toContain('To resume');
    const known = 'The outcome of every document in this run is known.\n';
    expect(await docferryOnce(look, { cwd })).toMatchObject({ code: 0, stdout: known });
    expect(await shownDocuments(sandbox)).toHaveLength(21);
  });

  longTest('goes on from another folder than the run was begun in', async () => {
    const faults = { rules: [{ on: 'import' as const, requests: [2], status: 401 }] };
    const sandbox = await startWithMonitoring({ faults });
    const cwd = newFolder();
    const elsewhere = newFolder();
    const env = environmentOf(sandbox);
    put(cwd, 'reviews.csv', 'id,text\n1,Good\n2,Better\n3,Best\n');
    put(
      cwd,
      'mapping.yaml',
      'name: x\nprofile: minimal\ndocument:\n  sourceId: "{id}"\n  text: "{text}"\n  language: { value: en }\n  published: { value: "2024-06-03T16:30:00Z", date: iso }\n',
    );
    const input = ['reviews.csv', '--mapping', 'mapping.yaml', '--monitoring', '1'];
    const how = ['--batch-size', '1', '--concurrency', '1'];
    const stopped = await docferryOnce(['import', ...input, ...how], { cwd, env });
    expect(stopped.code).toBe(3);
    // The report, the list and the single run show the same figures.
    expect(stopped.stdout).toContain(
      '1 of 3 reviews imported into monitoring 1 of the sandbox; 2 not sent.',
    );
    const listed = await docferryOnce(['runs', 'list', '--json'], { cwd });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ documents: { accepted: 1, unsent: 2 } }]);
    const text = await docferryOnce(['runs', 'list'], { cwd });
    expect(text.stdout).toMatch(/ stopped +1 +2\+ /);
    const [, id = ''] = /docferry runs resume (\S+)/.exec(stopped.stderr) ?? [];
    const state = ['--state-dir', path.join(cwd, '.docferry')];
    const resumed = await docferryOnce(['runs', 'resume', id, ...state], { cwd: elsewhere, env });
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('Finished: all 3 reviews imported');
    expect(existsSync(path.join(elsewhere, '.docferry'))).toBe(false);
  });

  it('says what is wrong, and where there are no runs', async () => {
    const refused: readonly (readonly [string[], RegExp])[] = [
      [['runs'], /list, show, resume, retry, resolve, prune/],
      [['runs', 'resume', '../../etc', '--sandbox'], /There is no run "\.\.\/\.\.\/etc"/],
      [['verify', 'x', '--sandbox'], /There is no run "x"/],
    ];
    const lines = [...refused.map(([args]) => args), ['runs', 'list']];
    const all = await docferryEach(lines, { cwd: newFolder() });
    for (const [at, [, message]] of refused.entries()) {
      expect(all[at]).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
      expect(all[at]?.stderr).not.toMatch(/\n\s+at /);
    }
    const none = {
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^No imports in .* yet\.$/m),
    };
    expect(all.at(-1)).toEqual(none);
  });
});
