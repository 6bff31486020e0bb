import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../src/formats/open-sources.js';
import type { Source } from '../../src/model/source.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { ALL_CASES, longTest } from '../helpers/runs.js';
import { textRows, workbookOf, workbookOfTexts } from '../helpers/workbook.js';
import { patched, zipOf } from '../helpers/zip.js';
import { BY_ZSTD, frame } from '../helpers/zstd.js';
import { inPieces, type ReadSource, readAll, readSource, values } from './read-all.js';

const ROWS = Array.from({ length: 40 }, (_, row) => [
  String(row + 1),
  `Review number ${row + 1} was good`,
]);

/** From one byte that is damaged to the next. */
const STEP = ALL_CASES ? 1 : 5;

const SKIPPED = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

it.skipIf(HAS.zstd)(
  'zstd is refused where Node.js has none, with the command to pipe it in',
  async () => {
    await expect(readAll(inPieces(BY_ZSTD, 7))).rejects.toThrow(
      /can't be read: Node.js v\d.* can't decompress zstd reliably.*: zstd -dc FILE \| docferry import -$/,
    );
  },
);

describe.skipIf(!HAS.zstd)('zstd', () => {
  it('is decompressed, as the command makes it', async () => {
    const read = await readAll(inPieces(BY_ZSTD, 7));
    expect(values(read)).toEqual(ROWS);
    expect(read.source.detected).toMatchObject({ format: 'csv', compression: 'zstd' });
  });

  it('may have several frames, and some that are to be skipped', async () => {
    const compressed = Buffer.concat([
      SKIPPED,
      BY_ZSTD,
      SKIPPED,
      frame('\n8,Fine\n'),
      frame('9,Bad\n'),
    ]);
    const read = await readAll(inPieces(compressed, 11));
    expect(values(read)).toEqual([...ROWS, ['8', 'Fine'], ['9', 'Bad']]);
    expect(read.error).toBeUndefined();
  });

  it('that is cut off gives what is whole, then ends early', async () => {
    const compressed = frame('id\n1\n', '2\n3');
    for (const lost of [1, 2, 3, 4, 5, 6]) {
      const read = await readAll(inPieces(compressed.subarray(0, -lost), 5));
      expect(values(read)[0]).toEqual(['1']);
      expect(read.error).toMatchObject({
        name: 'SourceBrokenError',
        message: expect.stringContaining('zstd data ends early'),
      });
    }
  });

  it('whose checksum is wrong gives its records, then ends early', async () => {
    const damaged = Buffer.from(BY_ZSTD);
    const last = damaged.length - 1;
    damaged.writeUInt8(damaged.readUInt8(last) ^ 1, last);
    const read = await readAll(inPieces(damaged, 7));
    // The last row has no line end: whether it is whole, nobody knows.
    expect(values(read)).toEqual(ROWS.slice(0, -1));
    expect(String(read.error)).toMatch(/after record 39 .*zstd data is damaged \(.*checksum/);
  });

  it('with any byte changed is told, or gives what it gave', async () => {
    for (let at = 4; at < BY_ZSTD.length; at += STEP) {
      const damaged = Buffer.from(BY_ZSTD);
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 + ((at * 31) % 255)), at);
      const read = await readAll(inPieces(damaged, 50)).catch((error: unknown) => ({ error }));
      if (read.error === undefined) expect(values(read as ReadSource)).toEqual(ROWS);
      else
        expect(read.error).toMatchObject({ name: expect.stringMatching(/^Source(Broken)?Error$/) });
    }
  });

  it('that asks for more memory than the command would give is refused', async () => {
    const compressed = frame('id\n1\n');
    compressed.writeUInt8(0x89, 5);
    await expect(readAll(inPieces(compressed, 50))).rejects.toThrow(
      /window of more than 128 MiB.*zstd -d --long=31/,
    );
    compressed.writeUInt8(0x88, 5);
    expect(values(await readAll(inPieces(compressed, 50)))).toEqual([['1']]);
  });

  it('that decompresses to far more than a file has is given up', async () => {
    const blocks = Array.from({ length: 4000 }, () => ({ of: 'x', times: 128 * 1024 }));
    const read = await readAll(inPieces(frame('id\n', ...blocks), 999));
    expect(read.error).toMatchObject({
      message: expect.stringMatching(/250 times.*maxExpansion/s),
    });
  });
});

describe('gzip', () => {
  const bomb = gzipSync(table(65));

  it('that decompresses to far more than a file has is given up, after the records before', async () => {
    const read = await readAll(inPieces(bomb, 4096));
    expect(values(read)[0]).toEqual(['1']);
    expect(read.error).toMatchObject({
      name: 'SourceBrokenError',
      message: expect.stringMatching(/more than 250 times as large as compressed.*maxExpansion/s),
    });
  });
});

describe('a zip archive', () => {
  it('of one file is that file, whatever its name', async () => {
    const read = await readAll(inPieces(await zipOf({ export: 'id\n1\n' }), 9));
    expect(read.source.name).toBe('stream/export');
    expect(values(read)).toEqual([['1']]);
  });

  it('of several gives those that are exports one after another, and names the others', async () => {
    const archive = await zipOf({
      'a/one.csv': 'id\n1\n',
      'two.jsonl': '{"id":2}\n',
      'three.csv.gz': gzipSync('id\n3\n'),
      'four.xlsx': await workbookOfTexts([['id'], ['4']]),
      'read me.pdf': '%PDF-1.7',
      '__MACOSX/._one.csv': 'x',
      'a/.DS_Store': 'x',
    });
    const sources = await openSources(inPieces(archive, 99));
    expect(sources.map(({ name, input }) => [name, input])).toEqual([
      ['stream/a/one.csv', 0],
      ['stream/two.jsonl', 1],
      ['stream/three.csv.gz', 2],
      ['stream/four.xlsx', 3],
    ]);
    expect(sources[0]?.notices).toEqual([expect.stringMatching(/read me\.pdf ignored/)]);
    const read = [];
    for (const source of sources) read.push(...values(await readSource(source)));
    expect(read).toEqual([['1'], { id: 2 }, ['3'], ['4']]);
  });

  it('leaves out what is written about exports, and says so', async () => {
    const archive = await zipOf({
      'README.txt': 'These are the reviews of June.',
      'data/reviews.csv': 'id\n1\n',
      'data/readme hotels.csv': 'id\n2\n',
      'manifest.json': '{"files":["reviews.csv"]}',
      'LICENSE.txt': 'Free.',
      '__MACOSX/data/._reviews.csv': 'x',
    });
    const sources = await openSources(inPieces(archive, 99));
    for (const source of sources) source.close();
    expect(sources.map(({ name }) => name)).toEqual([
      'stream/data/reviews.csv',
      'stream/data/readme hotels.csv',
    ]);
    expect(sources[0]?.notices).toEqual([
      expect.stringMatching(/README\.txt, manifest\.json, LICENSE\.txt ignored/),
    ]);
    const alone = await zipOf({ 'manifest.csv': 'id\n1\n', 'a.pdf': '' });
    expect(values(await readAll(inPieces(alone, 99)))).toEqual([['1']]);
  });

  it('is read by the name of a file in it, as messages give it', async () => {
    const folder = newFolder();
    const archive = put(
      folder,
      'x.zip',
      await zipOf({ 'a.csv': 'id\n1\n', 'b/c [1].csv': 'id\n2\n', 'd.csv': 'id\n3\n' }),
    );
    const sources = await openSources([`${archive}/b/c [1].csv`, `${archive}/a.csv`]);
    expect(sources.map(({ name }) => name)).toEqual([`${archive}/b/c [1].csv`, `${archive}/a.csv`]);
    const read = await Promise.all(sources.map(async (source) => await readSource(source)));
    expect(read.flatMap(values)).toEqual([['2'], ['1']]);
    await expect(openSources(`${archive}/e.csv`)).rejects.toThrow(
      /x\.zip has no file e\.csv; it contains a\.csv, b\/c \[1\]\.csv, d\.csv: check the name/,
    );
    const table = put(folder, 'table.csv', 'id\n1\n');
    await expect(openSources(`${table}/a.csv`)).rejects.toThrow(
      /table\.csv isn't a zip archive, so a\.csv can't be read/,
    );
    await expect(openSources(`${folder}/y.zip/a.csv`)).rejects.toThrow(
      /y\.zip\/a\.csv does not exist/,
    );
  });

  it.skipIf(!HAS.linux)('leaves nothing open when it has been read', async () => {
    const before = (await readdir('/proc/self/fd')).length;
    const archive = await zipOf({ 'a.csv': 'id\n1\n', 'b.csv': 'id\n2\n' });
    for (const source of await openSources(inPieces(archive, 9))) await readSource(source);
    await expect.poll(async () => (await readdir('/proc/self/fd')).length).toBe(before);
    const refused = await zipOf({ 'a.csv': 'id\n1\n', 'b.csv': '' });
    await expect(openSources(inPieces(refused, 9))).rejects.toThrow(/b\.csv is empty/);
    await expect.poll(async () => (await readdir('/proc/self/fd')).length).toBe(before);
  });

  it('may name its files like paths: nothing but the archive is read or written', async () => {
    const archive = patched(await zipOf({ 'aa/aa/aa.csv': 'id\n1\n' }), 'aa/aa/aa', '../../et');
    const read = await readAll(inPieces(archive, 9));
    expect(read.source.name).toBe('stream/../../et.csv');
    expect(values(read)).toEqual([['1']]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['no files', {}, /zip archive with no files/],
    ['no exports', { 'a.pdf': '', 'b.docx': '' }, /no export, only a\.pdf, b\.docx/],
    ['an archive', { 'a.csv': 'PK\x03\x04' }, /a\.csv.*cut off/],
  ])('with %s is refused', async (_, files, message) => {
    const opened = openSources(inPieces(await zipOf(files), 99));
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toMatchObject({ name: 'SourceError', exitCode: 2 });
  });

  it('that is encrypted is refused', async () => {
    const archive = await zipOf({ 'a.csv': 'id\n1\n' });
    const central = archive.indexOf('PK\x01\x02');
    archive.writeUInt16LE(archive.readUInt16LE(central + 8) | 1, central + 8);
    await expect(openSources(inPieces(archive, 99))).rejects.toThrow(
      /a\.csv can't be read: it is encrypted\. Extract it with its password/,
    );
  });

  it('whose file has another checksum gives its records, then ends early', async () => {
    const archive = await zipOf({ 'a.csv': 'id\n1\n' });
    const sum = archive.indexOf('PK\x01\x02') + 16;
    archive.writeUInt8(archive.readUInt8(sum) ^ 1, sum);
    const read = await readAll(inPieces(archive, 99));
    expect(values(read)).toEqual([['1']]);
    expect(read.error).toMatchObject({
      name: 'SourceBrokenError',
      message: expect.stringContaining('checksum'),
    });
  });

  it('whose file says that it is elsewhere, or larger, is refused or ends early', async () => {
    const archive = await zipOf({ 'a.csv': 'id\n1\n' });
    const central = archive.indexOf('PK\x01\x02');
    const moved = Buffer.from(archive);
    moved.writeUInt32LE(7, central + 42);
    await expect(openSources(inPieces(moved, 99))).rejects.toThrow(/gives a wrong position/);
    const larger = Buffer.from(archive);
    larger.writeUInt32LE(0x7fffffff, central + 20);
    await expect(openSources(inPieces(larger, 99))).rejects.toThrow(/a\.csv can't be read/);
  });

  describe('that decompresses to far more than a file has', () => {
    const content = table(33);
    const tooLarge = /decompressed, the archive is more than 250 times as large.*maxExpansion/s;

    longTest('in all of its files together is refused before any is read', async () => {
      const archive = await zipOf({ 'a.csv': content, 'b.csv': content });
      await expect(openSources(inPieces(archive, 4096))).rejects.toThrow(tooLarge);
      const sources = await openSources(inPieces(archive, 4096), { maxExpansion: 2000 });
      expect(sources).toHaveLength(2);
      for (const source of sources) expect(values(await readSource(source))[0]).toEqual(['1']);
    });

    longTest('and says otherwise is given up', async () => {
      const archive = await zipOf({ 'a.csv': content, 'b.csv': content });
      const central = archive.indexOf('PK\x01\x02');
      archive.writeUInt32LE(7, central + 24);
      const [a, b] = await openSources(inPieces(archive, 4096));
      expect((await readSource(a as Source)).error).toMatchObject({
        message: expect.stringContaining('checksum or size'),
      });
      expect((await readSource(b as Source)).error).toMatchObject({
        message: expect.stringMatching(tooLarge),
      });
    });

    longTest('in a few parts of a workbook is given up', async () => {
      const blank = `<x/>${' '.repeat(2 ** 20)}`.repeat(33);
      const rows = textRows([['id'], ['1']]) + blank;
      const workbook = await workbookOf({ sheets: [{ name: 'Reviews', rows }], shared: blank });
      const read = await readAll(inPieces(workbook, 4096));
      expect(read.error).toMatchObject({ message: expect.stringMatching(tooLarge) });
    });
  });

  it('with any byte changed gives its records or an error of docferry', async () => {
    const archive = await zipOf({ 'a.csv': 'id,text\n1,x\n2,y\n', 'b.csv': 'id\n3\n' });
    const digest = createHash('sha256').update(archive).digest();
    for (let at = 0; at < archive.length; at += STEP) {
      const damaged = Buffer.from(archive);
      damaged[at] = (damaged[at] as number) ^ (1 + ((digest[at % 32] as number) % 255));
      await expect(readWhole(damaged), `byte ${at}`).resolves.toBeUndefined();
    }
  });
});

/** A table of so many MiB that compresses to next to nothing. Long rows take least to read. */
function table(mebibytes: number): Buffer {
  const filling = Buffer.alloc(mebibytes * 2 ** 20, `${'x'.repeat(2 ** 16 - 1)}\n`);
  return Buffer.concat([Buffer.from('id\n1\n'), filling]);
}

/** Reads all that can be read; any other error than docferry's own is thrown. */
async function readWhole(bytes: Buffer): Promise<void> {
  const sources: Source[] = [];
  try {
    sources.push(...(await openSources(inPieces(bytes, 999))));
    for (const source of sources) {
      const { error } = await readSource(source);
      if (error !== undefined) throw error;
    }
  } catch (error) {
    if (!['SourceError', 'SourceBrokenError'].includes((error as Error).name)) throw error;
  } finally {
    for (const source of sources) source.close();
  }
}
