/** Bytes that can't be decoded, in every encoding and every way in which a file comes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Report, type ValidateOptions, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { docferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { zipOf } from '../helpers/zip.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const MAPPING = {
  name: 'Undecodable',
  profile: 'minimal',
  document: { sourceId: '{id}', text: '{text}' },
} as const;

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');

/** A table of three rows, of whose second text some bytes stand in the middle. */
function table(encoding: string, broken: Buffer): { readonly bytes: Buffer; readonly at: number } {
  const [before, behind] = ['id,text\n1,über\n2,"été ', ' x"\n3,Grüße\n'].map((text) =>
    iconv.encode(text, encoding),
  ) as [Buffer, Buffer];
  return { bytes: Buffer.concat([before, broken, behind]), at: before.length };
}

async function check(input: ValidateOptions['input'], options: Partial<ValidateOptions> = {}) {
  return await validateDocuments({ throwOn: 'never', input, mapping: MAPPING, ...options });
}

function messages({ problems }: Report): readonly string[] {
  return problems.flatMap(({ examples }) => examples.map(({ message }) => message));
}

const UNDEFINED_HERE = [
  ['windows-1252', hex('81'), '0x81', 'windows-1252'],
  ['windows-1253', hex('aa'), '0xAA', 'windows-1253'],
  ['iso-8859-7', hex('ff'), '0xFF', 'iso-8859-7'],
  ['utf-16le', hex('3dd8'), '0xD83D', 'UTF-16le'],
  ['utf-16be', hex('d83d'), '0xD83D', 'UTF-16be'],
  ['utf-16le', hex('00dc'), '0xDC00', 'UTF-16le'],
  ['utf-32le', hex('00d80000'), '0x0000D800', 'UTF-32le'],
  ['utf-32be', hex('00110000'), '0x00110000', 'UTF-32be'],
  ['gb18030', hex('ff'), '0xFF', 'gb18030'],
  ['gb18030', hex('81'), '0x81', 'gb18030'],
] as const;

describe('bytes that an encoding gives no meaning', () => {
  it.each(UNDEFINED_HERE)(
    'are named as they stand in the file, in %s: %j',
    async (encoding, broken, name, shown) => {
      const { bytes, at } = table(encoding, broken);
      for (const source of [{ encoding }, { encoding, chunkBytes: 64 }]) {
        const report = await check(put(folder, 'r.csv', bytes), { source });
        expect(report.counts).toMatchObject({ read: 3, invalid: 1, unsent: 2 });
        expect(messages(report)).toEqual([
          `column "text": ${name} at byte ${at} is not ${shown}: fix the record, or state the file's encoding`,
        ]);
        expect(report.notices.join()).toContain(
          `the first is ${name} at byte ${at}, record 2, line 3.`,
        );
      }
    },
  );

  it.each(UNDEFINED_HERE)(
    'come back in the rejects as they were, in %s: %j',
    async (encoding, broken) => {
      const { bytes } = table(encoding, broken);
      const rejects = path.join(folder, 'rejects.csv');
      await check(put(folder, 'r.csv', bytes), { source: { encoding }, rejects });
      const kept = readFileSync(rejects);
      const row = Buffer.concat([
        iconv.encode('2,"été ', encoding),
        broken,
        iconv.encode(' x"', encoding),
      ]);
      expect(kept.includes(row)).toBe(true);
      const again = await check(rejects, { source: { encoding } });
      expect(again.counts).toMatchObject({ read: 1, invalid: 1 });
      put(
        folder,
        'fixed.csv',
        Buffer.concat([
          kept.subarray(0, kept.indexOf(broken)),
          kept.subarray(kept.indexOf(broken) + broken.length),
        ]),
      );
      const fixed = await check(path.join(folder, 'fixed.csv'), { source: { encoding } });
      expect(fixed.counts).toMatchObject({ read: 1, unsent: 1 });
    },
  );

  it.each(['utf-8', 'utf-16le', 'utf-32be', 'gb18030'])(
    'are not what stands in %s as �',
    async (encoding) => {
      const { bytes } = table(encoding, iconv.encode('\ufffd', encoding));
      const report = await check(put(folder, 'r.csv', bytes), { source: { encoding } });
      expect(report.counts).toMatchObject({ read: 3, unsent: 3 });
      expect(report.notices.join()).not.toContain('decoded');
    },
  );

  it('are told in JSON, too, and in the header of a table with one � each', async () => {
    const text = Buffer.concat([Buffer.from('[{"id":1,"text":"a'), hex('9d'), Buffer.from('b"}]')]);
    const json = await check(put(folder, 'r.json', text), { source: { encoding: 'windows-1252' } });
    expect(messages(json)).toEqual([
      expect.stringMatching(/^column "text": 0x9D at byte 18 is not windows-1252/),
    ]);
    const head = Buffer.concat([Buffer.from('id,text,n'), hex('81'), Buffer.from('te\n1,a,b\n')]);
    const csv = await check(put(folder, 'h.csv', head), { source: { encoding: 'windows-1252' } });
    expect(csv.counts).toMatchObject({ read: 1, unsent: 1 });
    expect(csv.notices.join()).toMatch(/header with bytes that can't be decoded, in "n\ufffdte"/);
  });

  it('cost the last record alone where the end of a file cuts a code unit', async () => {
    const bytes = Buffer.from('\ufeffid,text\n1,a\n2,bc', 'utf16le').subarray(0, -1);
    const rejects = path.join(folder, 'rejects.csv');
    const report = await check(put(folder, 'r.csv', bytes), { rejects });
    expect(report.counts).toMatchObject({ read: 2, invalid: 1, unsent: 1 });
    expect(messages(report)).toEqual([
      expect.stringMatching(
        new RegExp(`^column "text": 0x63 at byte ${bytes.length - 1} is not UTF-16le`),
      ),
    ]);
    // What stands behind it is not shifted.
    expect(readFileSync(rejects).toString('utf16le')).toMatch(
      /^\ufeffid,text,docferry_outcome.*\n2,b.,invalid,.*\n$/u,
    );
  });
});

describe('a text that a program hands over with a lone surrogate', () => {
  it('is no text: the surrogate is named, and no place that it has not', async () => {
    const report = await check(Readable.from(['id,text\n1,a\n2,b\ud800c\n']));
    expect(report.counts).toMatchObject({ read: 2, invalid: 1, unsent: 1 });
    expect(messages(report)).toEqual([
      'column "text": 0xD800 is a lone surrogate, and no text: fix the record',
    ]);
  });
});

describe('a broken byte', () => {
  const { bytes, at } = table('utf-8', hex('e9'));
  const saying = `column "text": 0xE9 at byte ${at} is not UTF-8, but would be é in windows-1252`;

  longTest('is told alike in a file, in gzip, in an archive and from stdin', async () => {
    put(folder, 'm.json', JSON.stringify(MAPPING));
    put(folder, 'plain.csv', bytes);
    put(folder, 'packed.csv.gz', gzipSync(bytes));
    put(
      folder,
      'exports.zip',
      await zipOf({ 'a/good.csv': 'id,text\n4,ok\n', 'a/june.csv': bytes }),
    );
    const inputs = ['plain.csv', 'packed.csv.gz', 'exports.zip', '-'];
    const ended = await Promise.all(
      inputs.map((input) =>
        docferry(['validate', input, '-m', 'm.json', '--json'], { cwd: folder, stdin: bytes }),
      ),
    );
    const names = ['plain.csv', 'packed.csv.gz', 'exports.zip/a/june.csv', 'stdin'];
    for (const [n, { code, stdout }] of ended.entries()) {
      const report = JSON.parse(stdout) as Report;
      expect(code).toBe(1);
      expect(report.counts).toMatchObject({ invalid: 1, unsent: n === 2 ? 3 : 2 });
      expect(report.problems[0]?.examples).toEqual([
        expect.objectContaining({
          source: names[n],
          record: 2,
          line: 3,
          message: expect.stringContaining(saying),
        }),
      ]);
      expect(report.notices.join()).toContain(`${names[n]}: in column "text" of 1 record`);
    }
  });
});

describe('a key of JSON with a broken byte', () => {
  const line = (key: Buffer, rest = ''): Buffer =>
    Buffer.concat([Buffer.from(`{"id":1,"kind":"é",${rest}"`), key, Buffer.from('":"x"}\n')]);
  const mapping = {
    ...MAPPING,
    document: {
      sourceId: '{id}',
      text: '{text}',
      author: { username: '{user.name}', sourceId: '{user.id}' },
    },
  };
  const key = (...parts: readonly (string | number)[]): Buffer =>
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))),
    );

  it.each([
    ['at the top', line(key('caf', 0xe9), '"text":"a",')],
    [
      'inside of an object',
      Buffer.concat([
        Buffer.from('{"id":1,"text":"é","more":[{"n'),
        Buffer.of(0xe9),
        Buffer.from('":1}]}\n'),
      ]),
    ],
    ['which looks like a column that is there', line(key('te', 0xe9, 't'), '"text":"a",')],
  ])('costs nothing if the mapping has all of its columns, %s', async (_, record) => {
    const report = await check(put(folder, 'r.jsonl', record));
    expect(report.counts).toMatchObject({ read: 1, invalid: 0, unsent: 1 });
    expect(report.notices.join()).toMatch(
      /in column ".*\ufffd.*" of 1 record, bytes can't be decoded; the first is 0xE9/,
    );
  });

  it.each([
    ['text', line(key('te', 0xe9, 't'))],
    ['text', line(key('tex', 0xe9))],
    ['text', line(key('te', 0xc3, 'xt'))],
    ['user.id', line(key('us', 0xe9, 'r'), '"text":"a",')],
    [
      'user.name',
      Buffer.concat([
        Buffer.from('{"id":1,"text":"é","user":{"id":"u","n'),
        Buffer.of(0xe9),
        Buffer.from('me":1}}\n'),
      ]),
    ],
  ])(
    'costs the record if it may be a column of the mapping that the record lacks: %s',
    async (column, record) => {
      const report = await check(put(folder, 'r.jsonl', record), { mapping });
      expect(report.counts).toMatchObject({ read: 1, invalid: 1 });
      expect(messages(report)[0]).toMatch(
        new RegExp(`^a key that may be "${column}": 0x(E9|C3) at byte \\d+ is not UTF-8`),
      );
    },
  );
});
