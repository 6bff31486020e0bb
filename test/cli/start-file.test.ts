import { chmodSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Kept, NOTHING, readKept, startFile, writeKept } from '../../src/cli/start-file.js';
import { newFolder, put } from '../helpers/files.js';
import { runs } from '../helpers/runs.js';

describe('what is kept', () => {
  const compiled = fc.record({
    checksum: fc.nat(2 ** 32 - 1),
    code: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  });
  const names = fc.string({ unit: 'binary' });
  const kepts: fc.Arbitrary<Kept> = fc.record({
    compiled: fc.array(fc.tuple(names, compiled)).map((entries) => new Map(entries)),
    answers: names,
  });

  it('is read as it was written, and each code begins where V8 wants it', () => {
    const file = path.join(newFolder(), 'kept');
    fc.assert(
      fc.property(kepts, (kept) => {
        writeKept(file, kept);
        const read = readKept(file);
        expect(read).toEqual(kept);
        for (const { code } of read.compiled.values()) expect(code.byteOffset % 8).toBe(0);
      }),
      { numRuns: runs(200) },
    );
  });

  it('is nothing where there is no file, or one of something else', () => {
    const file = path.join(newFolder(), 'kept');
    expect(readKept(file)).toBe(NOTHING);
    writeFileSync(file, '');
    expect(readKept(file)).toBe(NOTHING);
    writeFileSync(file, 'something else');
    expect(readKept(file)).toBe(NOTHING);
  });
});

describe('what nobody has made anew for a quarter of a year', () => {
  it('is removed when something is kept beside it', () => {
    const folder = newFolder();
    const day = 24 * 3_600;
    for (const [name, days] of Object.entries({ old: 91, young: 89 })) {
      const at = Date.now() / 1_000 - days * day;
      utimesSync(put(folder, name, ''), at, at);
    }
    writeKept(path.join(folder, 'new'), NOTHING);
    expect(readdirSync(folder).toSorted()).toEqual(['new', 'young']);
  });
});

describe('where that is kept', () => {
  const own = (caches: string, command?: string): string | undefined =>
    startFile('/program', command, { XDG_CACHE_HOME: caches });

  it('is a file a command, program, version of Node and of its time zones', () => {
    const caches = newFolder();
    const names = ['validate', 'import', undefined, '--help'].map((name) => own(caches, name));
    expect(names.map((name) => path.basename(name ?? ''))).toEqual([
      expect.stringMatching(/^validate-\w+-v\d+\.\d+\.\d+-\w+-\d{4}\w$/),
      expect.stringMatching(/^import-/),
      expect.stringMatching(/^help-/),
      expect.stringMatching(/^help-/),
    ]);
    expect(startFile('/other', 'validate', { XDG_CACHE_HOME: caches })).not.toBe(names[0]);
  });

  it.each(['../../x', 'a/b', 'Ä', '', '-'.repeat(40), 'a'.repeat(40)])(
    'is nowhere for %j, which is no command',
    (command) => {
      expect(own(newFolder(), command)).toBeUndefined();
    },
  );

  it('is nowhere in a folder to which others may write: V8 runs what is there', () => {
    const caches = newFolder();
    expect(own(caches, 'validate')).toBeDefined();
    chmodSync(path.join(caches, 'docferry'), 0o777);
    expect(own(caches, 'validate')).toBeUndefined();
  });
});
