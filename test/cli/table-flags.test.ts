import { minimalYaml } from '../helpers/reviews.js';
/** Flags for tables as people and programs write them. */

import { expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { startServer } from '../helpers/http-server.js';
import { docferryOnce, type Ended } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

const MAPPING = minimalYaml('published: { from: date, date: iso }');

async function counts(input: string | Uint8Array, ...flags: string[]): Promise<unknown> {
  const cwd = newFolder();
  put(cwd, 'm.yaml', MAPPING);
  const name = typeof input === 'string' && input.startsWith('http') ? input : 'input';
  if (name === 'input') put(cwd, name, input);
  if (flags.includes('headers')) put(cwd, 'headers', 'Authorization: Bearer secret\n');
  const ended: Ended = await docferryOnce(['validate', name, '-m', 'm.yaml', '--json', ...flags], {
    cwd,
  });
  expect(ended.stderr + ended.stdout).not.toContain('secret');
  return JSON.parse(ended.stdout).counts;
}

it('--nulls names values that count as empty, once for each', async () => {
  const csv = 'id,text,date\n1,N/A,2024-06-03\n2,-,2024-06-03\n3,Good,2024-06-03\n';
  expect(await counts(csv, '--nulls', 'N/A', '--nulls=-')).toMatchObject({ read: 3, invalid: 2 });
});

longTest('--input-header-file sends the headers of a file, and shows none', async () => {
  const { baseUrl } = await startServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer secret';
    response.writeHead(isKnown ? 200 : 401).end('id,text,date\n1,Good,2024-06-03\n');
  });
  const input = new URL('/r.csv', baseUrl).href;
  expect(await counts(input, '--input-header-file', 'headers')).toMatchObject({ read: 1 });
});
