import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';

it.each([
  ['docs/bad-input.md', 'test/hostile', ''],
  ['docs/reliability.md', 'test/reliability', 'test/reliability/'],
])('each line of %s names tests that exist, and the page all in %s', (page, folder, from) => {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/\| test \|$|\| tests? in /.test(line));
  const named = rows.map((row) =>
    [...row.matchAll(/`(\S+\.test\.ts)`/g)].map(([, file = '']) => from + file),
  );
  for (const [at, files] of named.entries()) expect(files, rows[at]).not.toEqual([]);
  expect(named.flat().filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  const tests = readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith('.test.ts'));
  expect(tests.filter((name) => !text.includes(name))).toEqual([]);
});
