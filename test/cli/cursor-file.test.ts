import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCursorFile } from '../../src/cli/commands/feed.js';
import { newFolder, put } from '../helpers/files.js';
import { asOrdinaryUser } from '../helpers/ordinary-user.js';

const FILTERS = { monitorings: [1, 2], languages: ['en', 'es'], onlyVerifiedAuthors: true };

describe('openCursorFile', () => {
  it('takes lists as sets and names in any order', () => {
    const file = path.join(newFolder(), 'c');
    openCursorFile(file, FILTERS).save('1.0');
    const same = { onlyVerifiedAuthors: true, languages: ['es', 'en', 'es'], monitorings: [2, 1] };
    expect(openCursorFile(file, same).cursor).toBe('1.0');
  });

  it.each([
    ['no JSON', '20240501000000.1'],
    ['other JSON', '[]'],
    ['JSON without a cursor', '{"filters": {}}'],
    ['null', 'null'],
    ['nothing', ''],
  ])('refuses a file that holds %s, and leaves it alone', (_, content) => {
    const file = put(newFolder(), 'c', content);
    expect(() => openCursorFile(file, FILTERS)).toThrow(/is not a cursor file/);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('refuses a folder that is not there before anything is read', () => {
    expect(() => openCursorFile(path.join(newFolder(), 'no/c'), FILTERS)).toThrow(/does not exist/);
    expect(() => openCursorFile(newFolder(), FILTERS)).toThrow(/EISDIR/);
  });

  it('fails when a cursor can not be written', async () => {
    const folder = newFolder();
    const { save } = openCursorFile(path.join(folder, 'c'), FILTERS);
    chmodSync(folder, 0o555);
    await asOrdinaryUser(() => expect(() => save('1.0')).toThrow(/can't be written/));
    chmodSync(folder, 0o700);
  });
});
