import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../src/formats/open-sources.js';
import type { Source } from '../../src/model/source.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { ALL_CASES } from '../helpers/runs.js';
import { workbookOfTexts } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';
import { inPieces, readAll, readSource, values } from './read-all.js';

/** From one byte that is damaged to the next. */
const STEP = ALL_CASES ? 1 : 5;

describe('a zip archive', () => {
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
