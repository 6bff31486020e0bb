/** Bytes that can't be decoded, in every encoding and every way in which a file comes. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Report, type ValidateOptions, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { minimalMapping } from '../helpers/reviews.js';
import { docferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { zipOf } from '../helpers/zip.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const MAPPING = minimalMapping();

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');

/** A table of three rows, of whose second text some bytes stand in the middle. */
function table(encoding: string, broken: Buffer): Buffer {
  const [before, behind] = ['id,text\n1,über\n2,"été ', ' x"\n3,Grüße\n'].map((text) =>
    iconv.encode(text, encoding),
  ) as [Buffer, Buffer];
  return Buffer.concat([before, broken, behind]);
}

async function check(input: ValidateOptions['input'], options: Partial<ValidateOptions> = {}) {
  return await validateDocuments({ throwOn: 'never', input, mapping: MAPPING, ...options });
}

function messages({ problems }: Report): readonly string[] {
  return problems.flatMap(({ examples }) => examples.map(({ message }) => message));
}

describe('bytes that an encoding gives no meaning', () => {
  it.each([
    ['windows-1252', hex('81')],
    ['utf-16le', hex('3dd8')],
    ['utf-32le', hex('00d80000')],
    ['gb18030', hex('ff')],
  ] as const)(
    'are � in the document, counted and told once, in %s: %j',
    async (encoding, broken) => {
      const bytes = table(encoding, broken);
      for (const source of [{ encoding }, { encoding, chunkBytes: 64 }]) {
        const input = put(folder, 'r.csv', bytes);
        const report = await check(input, { source });
        expect(report.counts).toMatchObject({ read: 3, unsent: 3 });
        const notices = report.notices.filter((notice) => notice.includes("can't be decoded"));
        expect(notices).toHaveLength(1);
        expect(notices[0]).toMatch(
          new RegExp(`: 1 character can't be decoded from ${encoding}, .* first is in "2,.* x`),
        );
      }
    },
  );

  it('are told of a header, and where the end of a file cuts a code unit', async () => {
    const head = Buffer.concat([Buffer.from('id,text,n'), hex('81'), Buffer.from('te\n1,a,b\n')]);
    const csv = await check(put(folder, 'h.csv', head), { source: { encoding: 'windows-1252' } });
    expect(csv.counts).toMatchObject({ read: 1, unsent: 1 });
    expect(csv.notices.join()).toMatch(/header with bytes that can't be decoded, in "n\ufffdte"/);
    const bytes = Buffer.from('\ufeffid,text\n1,a\n2,bc', 'utf16le').subarray(0, -1);
    const cut = await check(put(folder, 'r.csv', bytes));
    expect(cut.notices.join()).toMatch(/: 1 character can't be decoded from utf-16le/);
  });

  it('are lone surrogates in the text that a program hands over', async () => {
    const report = await check(Readable.from(['id,text\n1,a\ud83d', '\ude00\n2,b\ud800c\n']));
    expect(report.counts).toMatchObject({ read: 2, unsent: 2 });
    expect(report.notices.join()).toContain(
      "stream: 1 character of its text can't be encoded (lone surrogates)",
    );
  });
});

/** A file of two records, with some bytes inside of two cells of the first. */
const FILES: Readonly<Record<string, (text: Buffer, tag: Buffer) => Buffer>> = {
  csv: (text, tag) => joined('id,text,tag\n1,"é', text, '😀 ""x""","', tag, 'y"\n2,Grüße,z\n'),
  jsonl: (text, tag) =>
    joined('{"id":1,"text":"é', text, '😀","tag":"', tag, 'y"}\n{"id":2,"text":"Grüße"}\n'),
  json: (text, tag) =>
    joined('[{"id":1,"text":"é', text, '😀","tag":"', tag, 'y"},{"id":2,"text":"Grüße"}]'),
  nested: (text, tag) => joined('[{"of":', FILES['json']!(text, tag), '}]'),
};
const NONE = hex('');

function joined(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

describe('bytes that are not UTF-8', () => {
  it.each(
    Object.entries(FILES).flatMap(([name, file]) =>
      ['80', 'c3', 'e6 bc', 'f0 9f 98'].map((bytes) => [name, bytes, file] as const),
    ),
  )(
    'in %s cost their record if the mapping uses their column, and nothing otherwise: %s',
    async (name, bytes, file) => {
      const source = name === 'nested' ? { records: '[].of[]' } : { format: name as 'csv' };
      for (const wrap of [(content: Buffer) => content, gzipSync]) {
        const used = await check([wrap(file(hex(bytes), NONE))], { source });
        expect(used.counts).toMatchObject({ read: 2, invalid: 1, unsent: 1 });
        expect(used.problems).toMatchObject([{ kind: 'not-utf8', examples: [{ record: 1 }] }]);
        const unused = await check([wrap(file(NONE, hex(bytes)))], { source });
        expect(unused.counts).toMatchObject({ read: 2, unsent: 2 });
        expect(unused.inputs[0]?.encoding).toBe('utf-8');
      }
    },
  );

  it('cost a record that has a replacement character of its own, which is the same then', async () => {
    const own = await check([FILES['csv']!(Buffer.from('\ufffd'), hex('80'))]);
    expect(own.counts).toMatchObject({ invalid: 1, unsent: 1 });
    const alone = await check([FILES['csv']!(Buffer.from('\ufffd'), NONE)]);
    expect(alone.counts).toMatchObject({ invalid: 0, unsent: 2 });
  });
});

describe('a broken byte', () => {
  const bytes = table('utf-8', hex('e9'));
  const saying = 'column "text" has bytes that are not UTF-8: fix the record';

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
    ['which looks like a column that is there', line(key('te', 0xe9, 't'), '"text":"a",')],
  ])('costs nothing if the mapping has all of its columns, %s', async (_, record) => {
    const report = await check(put(folder, 'r.jsonl', record));
    expect(report.counts).toMatchObject({ read: 1, invalid: 0, unsent: 1 });
  });

  it.each([
    ['text', line(key('te', 0xe9, 't'))],
    ['user.id', line(key('us', 0xe9, 'r'), '"text":"a",')],
  ])(
    'costs the record if it may be a column of the mapping that the record lacks: %s',
    async (column, record) => {
      const report = await check(put(folder, 'r.jsonl', record), { mapping });
      expect(report.counts).toMatchObject({ read: 1, invalid: 1 });
      expect(messages(report)[0]).toMatch(
        new RegExp(`^a key that may be "${column}" has bytes that are not UTF-8: fix the record`),
      );
    },
  );
});
