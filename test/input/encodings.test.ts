import { constants, gunzipSync, gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../helpers/random-from.js';
import { cases } from '../helpers/runs.js';
import { inPieces, readAll, values } from './read-all.js';

const ROWS = [
  ['id', 'título'],
  ['1', 'café “bueno” – 5 €'],
  ['2', 'línea\ndos'],
];
const TEXT = ROWS.map((row) => row.map((field) => `"${field}"`).join(';')).join('\r\n');

function utf16(text: string, bigEndian = false): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
}

describe('the same table', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), 'utf-8'],
    ['UTF-16LE with a mark', utf16(`\ufeff${TEXT}`), 'utf-16le'],
    ['UTF-16BE with a mark', utf16(`\ufeff${TEXT}`, true), 'utf-16be'],
    ['UTF-16LE without', utf16(TEXT), 'utf-16le'],
    ['UTF-16BE without', utf16(TEXT, true), 'utf-16be'],
    ['UTF-32LE with a mark', iconv.encode(TEXT, 'utf-32le', { addBOM: true }), 'utf-32le'],
    ['windows-1252', iconv.encode(TEXT, 'windows-1252'), 'windows-1252'],
  ])('is the same in %s, compressed or not, however it is cut', async (_, bytes, encoding) => {
    for (const content of [bytes, gzipSync(bytes)]) {
      for (const piece of [1, 3, 1000]) {
        const read = await readAll(inPieces(content, piece), { chunkBytes: 64 });
        expect(read.source.detected).toMatchObject({ encoding, delimiter: ';' });
        expect(read.source.detected.compression).toBe(content === bytes ? null : 'gzip');
        expect(read.source.detected.columns).toEqual(ROWS[0]);
        expect(values(read)).toEqual(ROWS.slice(1));
        expect(Buffer.from(read.source.head).toString()).toBe('"id";"título"\r\n');
      }
    }
  });
});

describe('a stated encoding', () => {
  it('is used', async () => {
    const bytes = iconv.encode('id,text\n1,Привет', 'koi8-r');
    expect(values(await readAll(inPieces(bytes, 4), { encoding: 'KOI8-R' }))).toEqual([
      ['1', 'Привет'],
    ]);
  });

  it.each(['windows-125', 'base64'])('%s is unknown', async (encoding) => {
    const opened = readAll(inPieces(Buffer.from('a\n1'), 4), { encoding });
    await expect(opened).rejects.toThrow(
      `"${encoding}" is unknown; expected, for example, utf-8, windows-1252`,
    );
  });

  it.each(['windows-1252', 'koi8-r'])('%s must not garble text that is UTF-8', async (encoding) => {
    const opened = readAll(inPieces(Buffer.from('id,text\n1,Café'), 4), { encoding });
    await expect(opened).rejects.toThrow(
      `looks like utf-8, but its encoding is given as ${encoding}: leave the encoding out`,
    );
  });
});

describe('text that does not fit its encoding', () => {
  it('is not taken for windows-1252 if most of it is UTF-8; the damaged record is invalid', async () => {
    const bytes = Buffer.concat([
      Buffer.from('id,text\n1,naïve café é à ü\n2,damaged '),
      Buffer.from([0xe9]),
      Buffer.from('\n3,ok é\n'),
    ]);
    const read = await readAll(inPieces(bytes, 7));
    expect(read.source.detected.encoding).toBe('utf-8');
    expect(read.source.notices.join()).toMatch(/UTF-8, but some of its bytes are not/);
    expect(read.records.map(({ problem }) => problem?.kind ?? 'fine')).toEqual([
      ...['fine', 'not-utf8', 'fine'],
    ]);
    expect(read.records[1]?.problem?.message).toMatch(/not UTF-8: fix the record/);
  });

  it('is invalid if it comes after a sample of plain ASCII', async () => {
    const rows = `id,text\n${'1,plain\n'.repeat(50_000)}`;
    const bytes = Buffer.concat([Buffer.from(rows), Buffer.from('2,caf\u00e9\n3,ok\n', 'latin1')]);
    const read = await readAll(inPieces(bytes, 65_536));
    const [bad, good] = read.records.slice(-2);
    expect(bad?.problem?.message).toMatch(/not UTF-8: fix the record/);
    expect(good?.value).toEqual(['3', 'ok']);
  });
});

describe('gzip', () => {
  const table = `id,text\n${Array.from({ length: 5000 }, (_, n) => `${n},text ${n * 7919}\n`).join('')}`;

  it('that ends early gives its whole records, then says after which it ended early', async () => {
    const bytes = gzipSync(table);
    const read = await readAll(inPieces(bytes.subarray(0, bytes.length / 2), 4096));
    const count = read.records.length;
    expect(count).toBeGreaterThan(1000);
    expect(values(read).at(-1)).toEqual([String(count - 1), `text ${(count - 1) * 7919}`]);
    expect(String(read.error)).toMatch(
      new RegExp(`SourceBrokenError: stream ends early after record ${count} .*ends early`),
    );
  });

  it('gives every record that stands 16 KiB before a damaged byte', async () => {
    const bytes = gzipSync(table);
    const random = randomFrom(20_260_131);
    for (let left = cases(6, 2000); left > 0; left -= 1) {
      const at = Math.floor((bytes.length - 20) * (1 - random() / 2));
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 + Math.floor(random() * 255)), at);
      const before = gunzipSync(bytes.subarray(0, at), { finishFlush: constants.Z_SYNC_FLUSH });
      const sure = before.subarray(0, Math.max(0, before.length - 16 * 1024));
      const whole = sure.toString('latin1').split('\n').slice(1, -1);
      const read = await readAll(inPieces(damaged, 4096));
      const rows = values(read).slice(0, whole.length) as string[][];
      expect(
        rows.map((row) => row.join(',')),
        `byte ${at}`,
      ).toEqual(whole);
      expect(read.error).toMatchObject({ name: 'SourceBrokenError' });
    }
  });

  it.each([
    [
      'that is followed by zeros and other data',
      '\0\0garbage',
      /after record 2 .*followed by something else\. Get it without compression/,
    ],
    ['whose second member is cut off', '\x1f\x8b\x08', /after record 2 .*ends early/],
  ])('%s gives all records before it, however it is cut', async (_, rest, message) => {
    for (const piece of [1, 7, 4096]) {
      const bytes = [gzipSync('id,text\n1,a\n2,b\n'), Buffer.from(rest, 'latin1')];
      const read = await readAll(inPieces(Buffer.concat(bytes), piece));
      expect(values(read)).toEqual([
        ['1', 'a'],
        ['2', 'b'],
      ]);
      expect(String(read.error)).toMatch(message);
    }
  });
});
