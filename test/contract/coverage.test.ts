import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';

const SUITE = path.join(ROOT, 'test/contract');
const page = readFileSync(path.join(SUITE, 'README.md'), 'utf8');

/** What stands in the last column of each row, without the heads of tables. */
const cells = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|(---| rule \|)/.test(line))
  .map((line) => line.split('|').at(-2) ?? '');

const quoted = cells.flatMap((cell) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
);
const isPath = (text: string): boolean => text.includes('/');

/** The ids of all cases, as often as they stand in the sources: where a case or a row begins. */
const ids = readdirSync(SUITE)
  .filter((name) => name.endsWith('.test.ts'))
  .flatMap((name) => [
    ...readFileSync(path.join(SUITE, name), 'utf8').matchAll(
      /(?:\brule\(\s*|\bid: )'([a-z][\w-]*(?:\.[\w-]+)+)'/g,
    ),
  ])
  .map(([, id = '']) => id);

describe('the README of the contract suite', () => {
  it('names every case of the contract suite', () => {
    expect([...new Set(ids)].filter((id) => !quoted.includes(id))).toEqual([]);
  });

  it('names no case that is not there', () => {
    expect(quoted.filter((text) => !isPath(text) && !ids.includes(text))).toEqual([]);
  });

  it('finds every id in one place of the suite', () => {
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids.length).toBeGreaterThan(150);
  });

  it('finds cases wherever the suite has them', () => {
    for (const name of readdirSync(SUITE).filter((each) => each.endsWith('.test.ts'))) {
      const source = readFileSync(path.join(SUITE, name), 'utf8');
      // Whatever is no literal comes out of a table, whose rows have the ids.
      const calls = [...source.matchAll(/\brule\(\s*([^,\s]+),/g)].map(([, id = '']) => id);
      for (const id of calls) expect(id, name).toMatch(/^('[a-z][\w.-]+\.[\w.-]+'|id|row\.id)$/);
    }
  });

  it('names only tests that exist', () => {
    for (const name of quoted.filter(isPath)) {
      expect(existsSync(path.join(ROOT, name)), name).toBe(true);
    }
  });

  it('shows every rule by a case, or says what is assumed', () => {
    for (const cell of cells) expect(cell).toMatch(/`|\/assumptions\.md|the next section/);
  });

  it('leads to sections of the assumptions that are there', () => {
    const assumptions = readFileSync(path.join(ROOT, 'docs/assumptions.md'), 'utf8');
    const sections = [...assumptions.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...page.matchAll(/\/assumptions\.md#([^)]+)\)/g)].map(([, section]) => section);
    for (const section of links) expect(sections).toContain(section);
  });
});
