/** One service under several addresses, and what a state knows of it. */
import { expect, it } from 'vitest';
import { deferred } from '../helpers/deferred.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { MAPPING } from '../helpers/reviews.js';
import { docferryEach, environmentOf, startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';

const REVIEWS = '{"id":"1","text":"Good","at":"2024-05-31T10:00:00Z"}\n';
const ARGUMENTS = ['import', 'reviews.jsonl', '-m', 'm.json', '--monitoring', '1'];

async function rehearse(state?: string) {
  const sandbox = await startWithMonitoring();
  const cwd = newFolder();
  put(cwd, 'reviews.jsonl', REVIEWS);
  put(cwd, 'm.json', JSON.stringify(MAPPING));
  const env = { ...environmentOf(sandbox), ...(state && { DOCFERRY_STATE: state }) };
  const at = (baseUrl: string) => [...ARGUMENTS, '--base-url', baseUrl];
  const run = (...lines: readonly (readonly string[])[]) => docferryEach(lines, { cwd, env });
  const { host } = new URL(sandbox.baseUrl);
  return { sandbox, cwd, host, at, run };
}

longTest('slashes and dot segments make no other service', async () => {
  const { sandbox, host, at, run } = await rehearse();
  const paths = ['/5.0', '//5.0', '/5.0//', '/x/../5.0', '/./5.0/', '///5.0'];
  for (const ended of await run(...paths.map((path) => at(`http://${host}${path}`)))) {
    const { code, stderr, stdout } = ended;
    expect(code, stderr).toBe(0);
    expect(stdout).not.toContain('another address');
  }
  expect(await shownDocuments(sandbox)).toHaveLength(1);
});

it.each(HAS.postgres ? ['a folder', 'a database'] : ['a folder'])(
  'names the address of an earlier import: state in %s',
  async (place) => {
    const { host, at, run, cwd } = await rehearse(
      place === 'a folder' ? undefined : await newDatabase(),
    );
    const [one, other] = [
      `http://${host}/5.0`,
      `http://${host.replace('127.0.0.1', 'localhost')}/5.0`,
    ];
    const [first, moved, again] = await run(at(one), at(other), at(other));
    expect(first?.stdout).not.toContain('another address');
    expect(moved?.code, moved?.stderr).toBe(0);
    // However short the import is.
    expect(moved?.stderr).toContain('before at another address');
    expect(moved?.stdout).toMatch(
      new RegExp(
        `reviews\\.jsonl was imported into monitoring 1 before at another address, ${one} \\(run [\\w-]+\\), and goes to ${other} now.*--base-url`,
      ),
    );
    // The change is said once, and again when it is undone; a changed file is the same input.
    expect(again?.stdout).not.toContain('another address');
    put(cwd, 'reviews.jsonl', REVIEWS.replace('Good', 'Bad'));
    const [back, all] = await run(at(one), [...at(other), '--no-skip-known']);
    expect(back?.stdout).toContain(`another address, ${other}`);
    expect(all?.stdout).not.toContain('another address');
  },
);

longTest('says so before it asks the service for anything', async () => {
  const { sandbox, cwd, at, run } = await rehearse();
  expect(await run(at(sandbox.baseUrl))).toMatchObject([{ code: 0 }]);
  const said = deferred();
  const service = await watchService(sandbox, async (_, pass) => {
    await said.promise;
    return await pass();
  });
  const importing = startDocferry(ARGUMENTS, {
    cwd,
    env: environmentOf({ ...sandbox, ...service }),
  });
  await importing.says(/^reviews\.jsonl was imported into monitoring 1 before at another address/);
  expect(service.imports).toEqual([]);
  said.resolve();
  const { code, stderr } = await importing.ended;
  expect(code, stderr).toBe(0);
  expect(stderr.match(/another address/g)).toHaveLength(1);
  const [quiet] = await run([...at(sandbox.baseUrl), '--quiet']);
  expect(quiet?.stderr).not.toContain('another address');
});
