import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';

const page = readFileSync(path.join(ROOT, 'docs/bad-input.md'), 'utf8');

/** What stands in the last column of each row, without the heads of tables. */
const cells = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.endsWith('| test |'))
  .map((line) => line.split(' | ').at(-1) ?? '');

/** The tests that a row names: a file, and titles of tests in it. */
function testsIn(cell: string): { file: string; title: string }[] {
  let file = '';
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => {
    if (!text.startsWith('test/')) return [{ file, title: text }];
    file = text;
    return [];
  });
}

function sourceOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

describe('docs/bad-input.md', () => {
  it('names a test for every line', () => {
    expect(cells.length).toBeGreaterThan(40);
    for (const cell of cells) expect(testsIn(cell), cell).not.toEqual([]);
  });

  it.each(cells.flatMap(testsIn))('names a test that exists: $file, $title', ({ file, title }) => {
    expect(existsSync(path.join(ROOT, file))).toBe(true);
    expect(sourceOf(file)).toContain(title);
  });

  it('names every test of hostile input', () => {
    const folder = path.join(ROOT, 'test/hostile');
    const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
    for (const name of files) {
      for (const [, title = ''] of sourceOf(`test/hostile/${name}`).matchAll(
        /\bit(?:\.\w+\([^)]*\))?\(\s*'([^']+)'/g,
      )) {
        expect(page, name).toContain(title);
      }
    }
  });
});
