import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MAX_ENTRIES, matchFiles } from '../../src/input/paths.js';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';

/** Folders that hold so many files and folders, as most of them are links to one. */
function wideFolder(entries: number): string {
  const folder = newFolder();
  const files = 400;
  mkdirSync(`${folder}/one`);
  for (let file = 0; file < files; file += 1) writeFileSync(`${folder}/one/${file}.csv`, '');
  for (let link = 0; link * (files + 1) < entries; link += 1) {
    symlinkSync('one', `${folder}/link${link}`);
  }
  return folder;
}

describe('a glob', () => {
  longTest('is given up after 100,000 files and folders, and says so', async () => {
    const folder = wideFolder(MAX_ENTRIES);
    await expect(matchFiles(`${folder}/**`)).rejects.toThrow(
      /\*\* was given up after 100,000 files and folders, 99,\d\d\d of which match: name the folder/,
    );
    await expect(matchFiles(`${folder}/*/7.csv`)).rejects.toThrow(/, 2\d\d of which match:/);
  });

  it('looks only into folders that can match', async () => {
    const folder = wideFolder(MAX_ENTRIES);
    expect(await matchFiles(`${folder}/link3/*.csv`)).toHaveLength(400);
    expect(await matchFiles(`${folder}/link3/7.csv`)).toBeUndefined();
  });
});
