import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferry, docferryEach, type Ended } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

const MAPPING = minimalYaml('published: { from: date, date: iso }');
const ROWS = 'id,text,date\n1,Good,2024-06-03\n';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', MAPPING);
  put(cwd, 'r.csv', ROWS);
});

const IMPORT = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1'];
const SERVICE = ['--base-url', 'http://127.0.0.1:9', '--username', 'u'];

/** Command lines that read a whole file: a mapping, a schema, a fault plan, a key, a body. */
const readers = (file: string): string[][] => [
  ['validate', 'r.csv', '-m', file],
  ['validate', 'r.csv', '-m', 'm.yaml', '--schema', file],
  ['sandbox', '--faults', file],
  [...IMPORT, ...SERVICE, '--api-key-file', file],
  ['api', '/monitorings', '--sandbox', '--input', file],
];

longTest.skipIf(!HAS.linux)('a device is none of these, and no input', async () => {
  for (const ended of await docferryEach(readers('/dev/zero'), { cwd })) {
    expectRefusal(ended, /it is a device; name a file/);
  }
  const devices = ['/dev/zero', '/dev/tty', '/dev/null'];
  const lines = devices.map((device) => ['validate', device, '-m', 'm.yaml']);
  for (const ended of await docferryEach(lines, { cwd })) {
    expectRefusal(ended, /is a device, like a terminal or a disk: name a file or a pipe/);
  }
});

it('a file of more than 4 MiB is none of these', async () => {
  put(cwd, 'large', Buffer.alloc(4 * 1024 * 1024 + 1, ' '));
  for (const ended of await docferryEach(readers('large'), { cwd })) {
    expectRefusal(ended, /it is larger than 4 MiB/);
  }
});

describe.skipIf(!HAS.linux)('a pipe', () => {
  longTest.each([
    ['that a shell makes is an input', 'validate <(cat r.csv) -m m.yaml'],
    ['that a shell makes is a mapping', 'validate r.csv -m <(cat m.yaml)'],
    ['on stdin is an input by its path', 'validate /dev/stdin -m m.yaml < <(cat r.csv)'],
  ])('%s', async (_, line) => {
    const under = ['bash', '-c', `"$0" "$1" ${line} --json`];
    const ended = await docferry([], { cwd, under });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout).counts).toMatchObject({ read: 1, invalid: 0 });
  });
});

function expectRefusal({ code, stdout, stderr }: Ended, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
}
