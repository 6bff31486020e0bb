import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { docferryEach, docferryOnce, type Ended, environmentOf } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { type SeededSandbox, startSeeded } from './seeded-sandbox.js';

let cwd: string;
let env: NodeJS.ProcessEnv;
let sandbox: SeededSandbox;
beforeEach(() => {
  cwd = newFolder();
});

const monitorings = (...args: string[]): Promise<Ended> =>
  docferryOnce(['monitorings', ...args], { cwd, env });
const asJson = async (...args: string[]) => {
  const ended = await monitorings(...args, '--json');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
};

/** A monitoring that already exists, with one search. */
async function existing() {
  const searches = [{ source: 'RSS', query: 'https://example.com/a' }];
  const json = { title: 'Feeds', status: 'paused', searches };
  const { body } = await sandbox.call('POST', '/monitorings', { json });
  return body;
}

describe('docferry monitorings', () => {
  beforeEach(async () => {
    sandbox = await startSeeded();
    env = sandbox.env;
  });

  longTest('creates one from searches of the command line', async () => {
    const search = [
      '--search',
      'RSS:https://example.com/feed.xml',
      '--search',
      'YTB:hotel: "Sevilla"',
    ];
    const head = ['--title', 'Feeds', '--status', 'paused'];
    const created = await asJson('create', ...head, ...search);
    expect(created).toMatchObject({
      title: 'Feeds',
      status: 'paused',
      searches: [
        { source: 'RSS', query: 'https://example.com/feed.xml', lastProcessed: null },
        { source: 'YTB', query: 'hotel: "Sevilla"' },
      ],
    });
    expect(await asJson('show', String(created.id))).toEqual(created);
  });

  longTest('shows one as its head and its searches', async () => {
    const { id, searches } = await existing();
    const table = await monitorings('show', String(id));
    expect(table.stdout).toMatch(
      new RegExp(
        `^${id}  Feeds  \\(paused, 1 search\\)\nsearch +source .*\n +${searches[0].id} +RSS`,
      ),
    );
    const server = await startServer((_, response) =>
      json(response, 200, { id: 1, title: 'Bare', status: 'paused', searches: [] }),
    );
    const bare = await docferryOnce(['monitorings', 'show', '1'], {
      cwd,
      env: environmentOf(server),
    });
    expect(bare.stdout).toBe('1  Bare  (paused, 0 searches)\n');
  });

  longTest('renames it, adds searches to it and removes some', async () => {
    const { id } = await existing();
    expect(await asJson('rename', String(id), 'New title')).toMatchObject({ title: 'New title' });
    const added = await asJson(
      'add-searches',
      String(id),
      '--search',
      'YTB:b',
      '--search',
      'TTK:c',
    );
    const ids: number[] = added.searches.map((search: { id: number }) => search.id);
    expect(ids).toHaveLength(3);
    const left = await asJson('remove-searches', String(id), ...ids.slice(1).map(String));
    expect(left.searches).toMatchObject([{ id: ids[0], query: 'https://example.com/a' }]);
  });
});

describe('docferry monitorings create', () => {
  it('refuses what is incomplete, and names all that is missing', async () => {
    // Nobody answers there: status 2 shows that nothing was sent.
    const nowhere = environmentOf({ baseUrl: 'http://127.0.0.1:1/5.0' });
    const create = ['monitorings', 'create'];
    const lines = [create, [...create, '--title', 'T', '--status', 'active', '--search', 'RSS']];
    const refused = (message: RegExp) => ({
      ...{ code: 2, stdout: '', stderr: expect.stringMatching(message) },
    });
    expect(await docferryEach(lines, { cwd, env: nowhere })).toMatchObject([
      refused(/Missing: --title, --status, --search\n/),
      refused(/SOURCE:query/),
    ]);
  });
});
