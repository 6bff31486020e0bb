import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';

const TESTS = path.join(ROOT, 'test/reliability');
const lines = readFileSync(path.join(ROOT, 'docs/reliability.md'), 'utf8').split('\n');
const rows = lines.filter((line) => line.startsWith('| ')).slice(1);
const named = (line: string) =>
  [...line.matchAll(/`(\S+\.test\.ts)`/g)].map(([, file = '']) => file);

it('docs/reliability.md is one page that names a test for each promise, and each test', () => {
  for (const row of rows) expect(named(row), row).not.toEqual([]);
  const files = lines.flatMap(named);
  expect(files.filter((file) => !existsSync(path.join(TESTS, file)))).toEqual([]);
  const tests = readdirSync(TESTS).filter((file) => file.endsWith('.test.ts'));
  expect(tests.filter((file) => !files.includes(file))).toEqual([]);
  const prose = lines.filter((line) => !line.startsWith('|')).join(' ');
  expect(prose.split(/\s+/).length).toBeLessThanOrEqual(700);
});
