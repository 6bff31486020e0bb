import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { escapeGlob, matchFiles, withSlashes } from '../../src/input/glob.js';
import { newFolder, put } from '../helpers/files.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(newFolder());
  for (const name of ['a', 'a/b', 'a/b/c', '.hidden', 'odd [1]'])
    mkdirSync(path.join(folder, name));
  const files = ['1.csv', '2.csv', '.3.csv', '!4.csv', 'a/1.csv', 'a/b/1.csv', 'a/b/c/1.tsv'];
  for (const name of [...files, '.hidden/1.csv', 'odd [1]/1.csv']) put(folder, name, 'x');
  symlinkSync(path.join(folder, 'a/b'), path.join(folder, 'linked'));
  symlinkSync(path.join(folder, '1.csv'), path.join(folder, 'link.csv'));
  symlinkSync(path.join(folder, 'gone'), path.join(folder, 'broken.csv'));
});

async function matched(pattern: string): Promise<readonly string[] | undefined> {
  const found = await matchFiles(`${escapeGlob(folder)}/${pattern}`);
  return found?.map((name) => path.relative(folder, name));
}

describe('a glob', () => {
  it.each<[string, readonly string[]]>([
    ['*.csv', ['!4.csv', '1.csv', '2.csv', 'link.csv']],
    ['[12].csv', ['1.csv', '2.csv']],
    ['[!1!].csv', ['2.csv']],
    ['{1,a/1}.csv', ['1.csv', 'a/1.csv']],
    ['.*.csv', ['.3.csv']],
    ['!4*', ['!4.csv']],
    ['!([.14!l]*).csv', ['2.csv']],
    ['*/1.csv', ['a/1.csv', 'linked/1.csv', 'odd [1]/1.csv']],
    ['linked/*', ['linked/1.csv']],
    ['a/**/*.tsv', ['a/b/c/1.tsv']],
    ['a/**', ['a/1.csv', 'a/b/1.csv', 'a/b/c/1.tsv']],
    ['odd \\[1\\]/*.csv', ['odd [1]/1.csv']],
    ['*', ['!4.csv', '1.csv', '2.csv', 'link.csv']],
    ['a//../a/*', ['a/1.csv']],
    ['none/*.csv', []],
    ['*.xlsx', []],
  ])('%s matches files in the order of their names', async (pattern, files) => {
    expect(await matched(pattern)).toEqual(files);
  });

  it('is relative to the working folder, as it was typed', async () => {
    const here = path.relative(process.cwd(), folder);
    expect(await matchFiles(`${here}/[1].csv`)).toEqual([`${here}/1.csv`]);
    expect(await matchFiles('./package.jso?')).toEqual(['package.json']);
    expect(await matchFiles('package.json')).toBeUndefined();
  });

  it('on Windows may have backslashes between folders', () => {
    expect(withSlashes('exports\\2026\\*.csv', path.win32)).toBe('exports/2026/*.csv');
    expect(withSlashes('C:\\exports\\[a-c].csv', path.win32)).toBe('C:/exports/[a-c].csv');
    expect(withSlashes('exports/\\*.csv', path.posix)).toBe('exports/\\*.csv');
  });
});
