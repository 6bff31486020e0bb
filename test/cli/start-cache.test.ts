import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StartCache } from '../../src/cli/start-cache.js';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { runs } from '../helpers/runs.js';

/** A program of two files, and where what is compiled of them is kept. */
function program(): { readonly main: URL; readonly kept: string; readonly folder: string } {
  const folder = newFolder();
  const main = put(folder, 'main.cjs', MAIN);
  put(folder, 'parts.cjs', PARTS);
  return { main: pathToFileURL(main), kept: path.join(folder, 'kept'), folder };
}

const MAIN = `const { twice } = require("./parts.cjs");
const { basename } = require("node:path");
exports.answer = () => [basename(__filename), twice(21)];`;
const PARTS = 'exports.twice = (number) => 2 * number;';

/** What the program says when it is loaded anew; what is compiled of it is kept. */
function start({ main, kept }: { readonly main: URL; readonly kept: string }): unknown {
  const cache = new StartCache(kept);
  const { answer } = cache.load(main) as { answer(): unknown };
  const answered = answer();
  cache.keep('[]');
  return answered;
}

/**
 * A longer run of the program, until V8 has thrown away what it compiled of functions that nobody
 * calls; some versions don't. In a process of its own: the heap of all these tests takes long to grow old.
 */
function runLong({ main, kept, folder }: ReturnType<typeof program>): void {
  const script = `
        import { StartCache } from ${JSON.stringify(pathToFileURL(path.join(ROOT, 'dist/cli/start-cache.js')))};
    const cache = new StartCache(${JSON.stringify(kept)});
    cache.load(new URL(${JSON.stringify(main)}));
    cache.load(new URL('more.cjs', ${JSON.stringify(main)}));
    const probe = new vm.Script('(() => { const called = () => [1, 2].join(); called(); return called; })');
    const called = probe.runInThisContext()();
    const before = probe.createCachedData().length;
    const garbage = [];
    for (let more = 10_000; more > 0 && probe.createCachedData().length >= before; more -= 1) {
      garbage[more % 20] = new Array(100_000).fill(called);
    }
    cache.keep('[]');`;
  put(folder, 'more.cjs', '');
  execFileSync(process.execPath, ['--input-type=module', '-e', script]);
}

/** How much is kept of each file. */
function bytesOf(kept: string): Readonly<Record<string, number>> {
  const bytes = readFileSync(kept);
  const { entries } = JSON.parse(bytes.toString('utf8', 8, 8 + bytes.readUInt32LE(4)));
  return Object.fromEntries(
    entries.map(([url, , length]: string[]) => [path.basename(url ?? ''), length]),
  );
}

describe('what is compiled of a program', () => {
  it('is kept by its first start, and what further ones are given', () => {
    const made = program();
    expect(start(made)).toEqual(['main.cjs', 42]);
    const first = statSync(made.kept);
    expect(start(made)).toEqual(['main.cjs', 42]);
    // Had V8 rejected any of it, it would have been written again.
    expect(statSync(made.kept)).toMatchObject({ ino: first.ino, mtimeMs: first.mtimeMs });
    expect(readdirSync(made.folder).toSorted()).toEqual(['kept', 'main.cjs', 'parts.cjs']);
  });

  it('stays, where a longer run needs further files and has thrown some of it away', () => {
    const made = program();
    start(made);
    const before = bytesOf(made.kept);
    runLong(made);
    expect(bytesOf(made.kept)).toEqual({ ...before, 'more.cjs': expect.any(Number) });
  });

  it('is not used for a file that says something else by now, however long it is', () => {
    const made = program();
    start(made);
    put(made.folder, 'parts.cjs', PARTS.replace('2', '3'));
    expect(start(made)).toEqual(['main.cjs', 63]);
    expect(start(made)).toEqual(['main.cjs', 63]);
  });

  it('is thrown away where a byte of it is another one, or missing, and kept anew', () => {
    const made = program();
    start(made);
    const good = readFileSync(made.kept);
    const place = fc.nat(good.length - 1);
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, by, isCut) => {
        const damaged = isCut ? good.subarray(0, at) : Buffer.from(good);
        if (!isCut) damaged[at] = (damaged[at] as number) ^ by;
        writeFileSync(made.kept, damaged);
        expect(start(made)).toEqual(['main.cjs', 42]);
        expect(readFileSync(made.kept).length).toBe(good.length);
      }),
      { numRuns: runs(200) },
    );
  });

  it('is nowhere if it can not be written', () => {
    const made = { ...program(), kept: '/nowhere/at/all' };
    expect(start(made)).toEqual(['main.cjs', 42]);
  });
});

describe('what a start has answered', () => {
  /** What the start before has left; it is replaced. */
  function answersBefore({ main, kept }: ReturnType<typeof program>, now: string): string {
    const cache = new StartCache(kept);
    cache.load(main);
    cache.keep(now);
    return cache.answers;
  }

  it('is there in the next, also where nothing else is new', () => {
    const made = program();
    const given = ['["one"]', '["é \\" 😀"]', '["one"]'];
    expect(given.map((answers) => answersBefore(made, answers))).toEqual([
      '[]',
      ...given.slice(0, 2),
    ]);
    const last = statSync(made.kept);
    answersBefore(made, '["one"]');
    expect(statSync(made.kept)).toMatchObject({ ino: last.ino, mtimeMs: last.mtimeMs });
  });

  it('is forgotten where the program is another one by now', () => {
    const made = program();
    answersBefore(made, '["one"]');
    put(made.folder, 'main.cjs', `${MAIN}\n// Build 2\n`);
    expect(answersBefore(made, '["two"]')).toBe('[]');
    expect(answersBefore(made, '["two"]')).toBe('["two"]');
  });

  it('is forgotten where it is damaged', () => {
    const made = program();
    answersBefore(made, '["one"]');
    const bytes = readFileSync(made.kept);
    writeFileSync(made.kept, Buffer.from(bytes.toString('latin1').replace('one', 'two'), 'latin1'));
    expect(new StartCache(made.kept).answers).toBe('[]');
  });
});
