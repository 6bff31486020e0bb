import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';

const page = readFileSync(path.join(ROOT, 'docs/bad-input.md'), 'utf8');

const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.endsWith('| test |'));

/** The files of tests in the last column of a row. */
function testFiles(row: string): string[] {
  const cell = row.split(' | ').at(-1) ?? '';
  return [...cell.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);
}

describe('docs/bad-input.md', () => {
  it('names a file of tests on every line', () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const row of rows) expect(testFiles(row), row).not.toEqual([]);
  });

  it('names only files that exist', () => {
    const files = rows.flatMap(testFiles);
    expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it('names every file of tests of hostile input', () => {
    const files = readdirSync(path.join(ROOT, 'test/hostile'))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `test/hostile/${name}`);
    expect(files.filter((file) => !page.includes(file))).toEqual([]);
  });
});
