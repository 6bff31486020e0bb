import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';
import { packedFiles } from '../helpers/packed-files.js';
import { ALL_CASES } from '../helpers/runs.js';

/** npm takes a while to tell. */
const packed = ALL_CASES ? packedFiles() : [];
const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...docs];

/** Links to files of the project, as paths from its folder, with what follows a #. */
function linksOf(page: string): { readonly target: string; readonly heading: string }[] {
  const text = textOf(page)
    .replaceAll(/^ *```.*?^ *```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = '', heading = ''] = link.split('#');
    const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
    return [{ target, heading }];
  });
}

function textOf(page: string): string {
  return readFileSync(path.join(ROOT, page), 'utf8');
}

/** What links call the headings of a page. */
function headingsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('links', () => {
  it.each(pages)('of %s lead to files and headings that exist', (page) => {
    for (const { target, heading } of linksOf(page)) {
      expect(existsSync(path.join(ROOT, target)), `${page}: ${target}`).toBe(true);
      if (heading !== '') expect(headingsOf(target), `${page}: #${heading}`).toContain(heading);
    }
  });

  it.each(packed.filter((name) => name.endsWith('.md')))(
    'of %s lead to files that are in the package as well',
    (page) => {
      for (const { target } of linksOf(page)) {
        const found = packed.some((file) => file === target || file.startsWith(target));
        expect(found, `${page}: ${target}`).toBe(true);
      }
    },
  );

  it('stand in the README once each', () => {
    const targets = linksOf('README.md').map(({ target, heading }) => `${target}#${heading}`);
    const list = textOf('README.md').split('\n## More\n')[1] ?? '';
    const entries = [...list.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link]) => link);
    expect(entries.length).toBeGreaterThan(10);
    expect(new Set(entries).size).toBe(entries.length);
    expect(targets).toContain('docs/troubleshooting.md#');
  });
});
