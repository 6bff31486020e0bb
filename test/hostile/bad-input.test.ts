import { minimalMapping } from '../helpers/reviews.js';
/**
 * Bad input, line by line of docs/bad-input.md, which names these tests. Every one goes the whole
 * way of a record but for sending it, and is held to the same rules by `check`.
 */

import { appendFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Mapping, Rule } from '../../src/index.js';
import {
  DocferryError,
  type Report,
  type ValidateOptions,
  validateDocuments,
} from '../../src/index.js';
import { reportText } from '../../src/report/report-text.js';
import { newFolder, put } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';

const MAPPING = minimalMapping({ published: { from: 'date', date: 'iso' } });
const HEAD = 'id,text,date\n';
const GOOD = '9,Good,2024-06-03\n';
const MIB = 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

type Content = string | Uint8Array;

async function check(
  name: string,
  content: Content,
  options: Partial<ValidateOptions> = {},
): Promise<Report> {
  const input = put(folder, name, content);
  const report = await validateDocuments({ throwOn: 'never', input, mapping: MAPPING, ...options });
  const { read, skipped, invalid, duplicate, unsent } = report.counts;
  expect(read).toBe(skipped + invalid + duplicate + unsent);
  for (const { examples } of report.problems) {
    for (const one of examples)
      expect(one).toMatchObject({
        source: input,
        record: expect.any(Number),
        line: expect.any(Number),
      });
  }
  const text = reportText(report) + JSON.stringify(report);
  expect(text).not.toMatch(/\n {4}at |node:internal|undefined|\[object/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  expect(text).not.toMatch(/[\0-\x08\x0e-\x1f\u202e]/);
  return report;
}

/** What keeps a run from starting, in one sentence that names the file. */
async function refusal(
  name: string,
  content: Content,
  options: Partial<ValidateOptions> = {},
): Promise<string> {
  const error = await check(name, content, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DocferryError);
  const { message, exitCode } = error as DocferryError;
  expect(exitCode).toBe(2);
  expect(message).not.toMatch(/\n {4}at |node:internal|undefined|\[object/);
  return message;
}

/** Kind, record, line and message of the first example of each kind. */
function problems(report: Report): unknown[] {
  return report.problems.map(({ kind, count, examples: [first] }) => ({
    kind,
    count,
    record: first?.record,
    line: first?.line,
    message: first?.message,
  }));
}

const saying = (pattern: RegExp): unknown => expect.stringMatching(pattern);

describe('bad bytes', () => {
  it('an empty file is refused, and one with only a header is 0 records', async () => {
    expect(await refusal('x.csv', '')).toMatch(/x\.csv is empty \(0 bytes\)/);
    const report = await check('x.csv', HEAD);
    expect(report.counts.read).toBe(0);
    expect(report.notices.join()).toMatch(/x\.csv has only a header and no records/);
    expect((await check('x.jsonl', '')).notices.join()).toMatch(/x\.jsonl is empty/);
  });

  it('a lone surrogate, in a text or an id, costs its record alone', async () => {
    const report = await check(
      'x.jsonl',
      '{"id":1,"text":"a\\ud800b"}\n{"id":"\\udc00","text":"b"}\n{"id":2,"text":"c"}\n',
    );
    expect(report.counts).toMatchObject({ invalid: 2, unsent: 1 });
    expect(problems(report)).toMatchObject([
      { kind: 'broken-text', count: 2, line: 1, message: saying(/\\ud800 at position 2.*fix/) },
    ]);
  });

  it('NUL bytes are characters like others, and ids that differ in one stay apart', async () => {
    const report = await check('x.csv', `${HEAD}1,a\0b,2024-06-03\n1\0,a\0b,2024-06-03\n`);
    expect(report.counts).toMatchObject({ read: 2, unsent: 2 });
  });
});

describe('bad tables', () => {
  it('an unclosed quote costs its line: what stands before and after it is kept', async () => {
    const rows = Array.from(
      { length: 30_000 },
      (_, n) => `a${n},some text of a review,2024-06-03\n`,
    );
    const text = `${HEAD}${GOOD}2,"open,2024-06-03\n${rows.join('')}`;
    expect(text.length).toBeGreaterThan(MIB);
    const report = await check('x.csv', text);
    expect(report.counts).toMatchObject({ read: 30_002, invalid: 1, unsent: 30_001 });
    expect(problems(report)).toMatchObject([
      {
        kind: 'unclosed-quote',
        record: 2,
        line: 3,
        message: saying(/opens a field on line 3 .*close or remove the quote/),
      },
    ]);
  });

  it('a bare quote in a field is a character; behind a closing quote it costs the line, and the option that relaxes it is named', async () => {
    const report = await check('x.csv', `${HEAD}1,a "b" c,2024-06-03\n2,"a" b,2024-06-03\n${GOOD}`);
    expect(report.counts).toMatchObject({ invalid: 1, unsent: 2 });
    expect(problems(report)).toMatchObject([
      {
        kind: 'malformed-quote',
        record: 2,
        line: 3,
        message: saying(/starts on line 3 .*--quote ""/),
      },
    ]);
    const relaxed = await check('x.csv', `${HEAD}2,"a" b,2024-06-03\n`, {
      source: { quote: null },
    });
    expect(relaxed.counts.unsent).toBe(1);
  });

  it('too few or too many fields cost the record, with both numbers', async () => {
    const report = await check('x.csv', `${HEAD}1,2\n2,a,2024-06-03,x\n${GOOD}`);
    expect(report.counts).toMatchObject({ invalid: 2, unsent: 1 });
    expect(report.problems[0]?.examples).toMatchObject([
      { record: 1, line: 2, message: saying(/2 fields .* 3 columns.*fix/) },
      { record: 2, line: 3, message: saying(/4 fields .* 3 columns.*fix/) },
    ]);
  });

  it('a missing, wrong or repeated header is told before anything is read', async () => {
    expect(await refusal('x.csv', `1,a,2024-06-03\n${GOOD}`)).toMatch(
      /x\.csv.*none of the 3 columns.*no header/s,
    );
    expect(await refusal('x.csv', `id,txt,date\n${GOOD}`)).toMatch(
      /no column "text"; did you mean "txt"/,
    );
    expect(await refusal('x.csv', 'id,text,text,date\n1,a,b,2024-06-03\n')).toMatch(
      /two columns "text"; under input, set header: .* skipLines: 1/,
    );
  });

  it('a wrong delimiter is told with the right one', async () => {
    expect(
      await refusal('x.csv', 'id;text;date\n1;a;2024-06-03\n', { source: { delimiter: ',' } }),
    ).toMatch(/with the delimiter "," it has one column.*set the delimiter to that/);
  });

  it('a field of 100 MB costs its record: the limit is named, and memory is bounded', async () => {
    const file = put(folder, 'x.csv', `${HEAD}1,"`);
    for (let n = 0; n < 100; n += 1) appendFileSync(file, Buffer.alloc(MIB, 'x'));
    appendFileSync(file, `",2024-06-03\n${GOOD}`);
    const before = process.memoryUsage.rss();
    const report = await validateDocuments({ input: file, mapping: MAPPING });
    expect(process.memoryUsage.rss() - before).toBeLessThan(80 * MIB);
    expect(report.counts).toMatchObject({ read: 2, invalid: 1, unsent: 1 });
    expect(problems(report)).toMatchObject([
      {
        kind: 'too-long',
        record: 1,
        line: 2,
        message: saying(
          /longer than 1048576 bytes: if it really is one record, raise maxRecordBytes under input/,
        ),
      },
    ]);
  });

  it('100,000 columns: in a row they cost the record, in a header the limit is named', async () => {
    const report = await check('x.csv', `${HEAD}1${',x'.repeat(100_000)}\n${GOOD}`);
    expect(report.counts).toMatchObject({ invalid: 1, unsent: 1 });
    expect(problems(report)).toMatchObject([{ kind: 'ragged', message: saying(/100,001 fields/) }]);
    const columns = Array.from({ length: 100_000 }, (_, n) => `column${n}`).join(',');
    expect(await refusal('x.csv', `${columns},${HEAD}`)).toMatch(
      /no complete header in the first \d+ KiB, the longest possible/,
    );
  });
});

describe('bad JSON', () => {
  it('JSON Lines that are a list, or are stated but pretty-printed, are told with what to do', async () => {
    const list = await check('x.jsonl', '[{"id":1,"text":"a"},{"id":2,"text":"b"}]\n');
    expect(problems(list)).toMatchObject([
      { kind: 'not-an-object', line: 1, message: saying(/is a list where an object/) },
    ]);
    expect(list.notices.join()).toMatch(/x\.jsonl .*set the format to json/);
    const pretty = '{\n  "id": 1,\n  "text": "a"\n}\n';
    expect((await check('x.jsonl', pretty)).counts).toMatchObject({ read: 1, unsent: 1 });
    const asLines = await check('x.jsonl', pretty, { source: { format: 'jsonl' } });
    expect(asLines.counts.unsent).toBe(0);
    expect(asLines.notices.join()).toMatch(/x\.jsonl .*set the format to json/);
    const stated = await check('x.jsonl', '[{"id":1,"text":"a"},\n{"id":2,"text":"b"}]\n', {
      source: { format: 'json' },
    });
    expect(stated.counts).toMatchObject({ read: 2, unsent: 2 });
  });

  it.each([['lists', '[', ']']])(
    'JSON 100,000 levels deep costs nothing where nobody asks for it, and its record else: %s',
    async (_, open, close) => {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      const one = (id: number | string, more: string): string =>
        `{"id":${id},"text":"a","x":${more}}`;
      const kept = await check('x.jsonl', `${one(1, deep)}\n${one(2, '1')}\n`);
      expect(kept.counts).toMatchObject({ read: 2, unsent: 2 });
      const document = await check('x.json', `[${one(1, deep)},${one(2, '1')}]`);
      expect(document.counts).toMatchObject({ read: 2, unsent: 2 });
      // With a long number beside it, it is read by another parser; and so is what is broken off.
      const long = await check(
        'x.jsonl',
        `${one('12345678901234567890', deep)}\n${one(3, open.repeat(100_000))}\n${one(2, '1')}\n`,
      );
      expect(long.counts).toMatchObject({ read: 3, unsent: 1 });
      expect(problems(long)).toMatchObject([
        { kind: 'not-json', line: 1, message: saying(/nested too deeply; fix/) },
      ]);
      const mapping: Mapping = { ...MAPPING, document: { sourceId: '{id}', text: '{x}' } };
      const asked = await check('x.jsonl', `${one(1, deep)}\n${one(2, '"b"')}\n`, { mapping });
      expect(asked.counts).toMatchObject({ invalid: 1, unsent: 1 });
      const path = { ...MAPPING, document: { sourceId: '{id}', text: '{x.0.0.0}' } };
      expect((await check('x.jsonl', `${one(1, deep)}\n`, { mapping: path })).counts.invalid).toBe(
        1,
      );
    },
  );

  it('a document more than a million levels deep ends there, and what came before is kept', async () => {
    const deep = `{"id":2,"x":${'['.repeat(1_000_000)}`;
    const report = await check('x.json', `[{"id":1,"text":"a"},${deep}`);
    expect(report).toMatchObject({ exitCode: 4, counts: { read: 1, unsent: 1 } });
    expect(report.stop?.message).toMatch(/nested more than 1000000 levels deep, on line 1\./);
  });

  it('of a repeated key the last one counts', async () => {
    const mapping: Mapping = {
      ...MAPPING,
      document: { sourceId: '{id}', text: { from: 'text', values: { b: 'ok' } } },
    };
    const text =
      '{"id":1,"text":"a","text":"b"}\n{"id":1234567890123456789,"text":"a","text":"b"}\n';
    expect((await check('x.jsonl', text, { mapping })).counts).toMatchObject({ unsent: 2 });
  });

  it('two numeric ids beyond 2^53 never merge, however they are written', async () => {
    const ids = [
      '9007199254740993',
      '9007199254740992',
      '9007199254740993.0',
      '9007199254740992.0',
      '9.007199254740993e15',
      '9.007199254740995E15',
      '90071992547409931e-1',
      '-9007199254740993',
      '-9007199254740992',
    ];
    const report = await check('x.jsonl', ids.map((id) => `{"id":${id},"text":"same"}\n`).join(''));
    expect(report.counts).toMatchObject({ read: ids.length, unsent: ids.length });
  });

  it('1e999 is no number: it costs its record, and the column is named', async () => {
    const report = await check(
      'x.jsonl',
      '{"id":1e999,"text":"a"}\n{"id":-1e999,"text":"b"}\n{"id":1,"text":"c"}\n',
    );
    expect(report.counts).toMatchObject({ invalid: 2, unsent: 1 });
    expect(problems(report)).toMatchObject([
      {
        kind: 'unreadable-number',
        line: 1,
        message: saying(/column "id": found Infinity, expected a finite/),
      },
    ]);
  });
});

describe('bad values', () => {
  it('a date that is wrong or ambiguous costs its record', async () => {
    const report = await check('x.csv', `${HEAD}1,a,2024-02-30\n2,b,soon\n3,c,03/04/2024\n${GOOD}`);
    expect(report.counts).toMatchObject({ invalid: 3, unsent: 1 });
    expect(report.problems[0]?.examples).toMatchObject([
      {
        field: 'published',
        line: 2,
        message: saying(/found "2024-02-30", expected an ISO 8601 date/),
      },
      { line: 3 },
      { line: 4, message: saying(/03\/04\/2024/) },
    ]);
  });

  it('a time that clocks skip costs its record, unless the mapping says what to take', async () => {
    const text = `${HEAD}1,a,2024-03-31T02:30:00\n2,b,2024-03-31T01:59\n3,c,2024-03-31T02:30Z\n`;
    const report = await check('x.csv', text, { mapping: { ...MAPPING, zone: 'Europe/Madrid' } });
    expect(report.counts).toMatchObject({ invalid: 1, unsent: 2 });
    expect(problems(report)).toMatchObject([
      {
        ...{ kind: 'skipped-time', record: 1, line: 2 },
        message: saying(
          /column "date": found "2024-03-31T02:30:00", .* Europe\/Madrid, where clocks went from 2024-03-31 02:00 to 2024-03-31 03:00; set the zone .*onError: else/,
        ),
      },
    ]);
    const instead = { from: 'date', date: 'iso', zone: 'UTC+1' };
    const published: Rule = { from: 'date', date: 'iso', onError: 'else', else: instead };
    const mapping: Mapping = {
      ...{ ...MAPPING, zone: 'Europe/Madrid' },
      document: { ...MAPPING.document, published },
    };
    expect((await check('x.csv', text, { mapping })).counts.unsent).toBe(3);
  });

  it('a repeated id is a duplicate with the same content, and invalid with other, with both places', async () => {
    const report = await check('x.csv', `${HEAD}1,a,2024-06-03\n1,a,2024-06-03\n1,b,2024-06-03\n`);
    expect(report.counts).toMatchObject({ duplicate: 1, invalid: 1, unsent: 1 });
    expect(problems(report)).toMatchObject([
      { kind: 'duplicate', record: 2, line: 3, message: saying(/x\.csv, record 1/) },
      {
        kind: 'repeated-id',
        record: 3,
        line: 4,
        message: saying(/x\.csv, record 1: check that it is/),
      },
    ]);
  });

  it('ids that differ only in normal form, case or inner spaces are different; outer spaces are trimmed', async () => {
    const ids = ['\u00e9', 'e\u0301', 'A', 'a', 'a  b', 'a b', 'a\u00a0b'];
    const rows = ids.map((id) => `${id},same,2024-06-03\n`).join('');
    expect((await check('x.csv', HEAD + rows)).counts).toMatchObject({ read: 7, unsent: 7 });
    // What the trimmed id means is told, and no other content is lost in silence.
    const spaced = await check('x.csv', `${HEAD}a,one,2024-06-03\n a ,two,2024-06-03\n`);
    expect(problems(spaced)).toMatchObject([{ kind: 'repeated-id', record: 2 }]);
  });
});

describe('bad files', () => {
  const table = `${HEAD}1,a,2024-06-03\n${GOOD}`;

  it('a truncated gzip file gives all records before that, then stops with the place', async () => {
    const report = await check('x.csv.gz', gzipSync(table).subarray(0, -4));
    expect(report).toMatchObject({ exitCode: 4, counts: { unsent: 2 } });
    const message = saying(/after record 2 .*ends early/);
    expect(report.stop).toMatchObject({ kind: 'source', message });
  });

  longTest('a gzip bomb takes bounded memory', async () => {
    const bomb = gzipSync(Buffer.alloc(512 * MIB, 'x'));
    const file = put(
      folder,
      'x.csv.gz',
      Buffer.concat([gzipSync(`${HEAD}1,`), bomb, gzipSync(`\n${GOOD}`)]),
    );
    const before = process.memoryUsage.rss();
    const report = await validateDocuments({ input: file, mapping: MAPPING });
    expect(process.memoryUsage.rss() - before).toBeLessThan(250 * MIB);
    expect(report.counts).toMatchObject({ invalid: 1, unsent: 1 });
  });
});

describe('bad mappings', () => {
  it('a document beyond the longest text that there can be is invalid, and the others are not', async () => {
    const document = { ...MAPPING.document, text: { join: Array(600).fill('{text}') } };
    const rows = `1,${'x'.repeat(900_000)},2024-06-03\n${GOOD}`;
    const { counts, problems } = await check('x.csv', HEAD + rows, {
      mapping: { ...MAPPING, document },
    });
    expect(counts).toMatchObject({ read: 2, invalid: 1, unsent: 1 });
    expect(problems).toMatchObject([
      { kind: 'too-long', examples: [{ record: 1, message: expect.stringContaining('truncate') }] },
    ]);
  });

  it.each<[string, string, RegExp]>([
    [
      'a typo is told with its key, line and nearest match',
      'document:\n  txet: a\n',
      /m\.yaml:2:3: .*txet is an unknown key; did you mean "text"/,
    ],
    [
      'YAML 5,000 levels deep is refused',
      `document: ${'['.repeat(5000)}${']'.repeat(5000)}`,
      /m\.yaml:1:\d+: this is nested too deeply/,
    ],
    ['an alias bomb is refused', aliasBomb(), /m\.yaml:1:1: its aliases .* expand/],
    [
      'an alias inside of its own anchor is refused with its place',
      'document:\n  text: &x { join: [*x, "{text}"] }\n',
      /m\.yaml:2:21: this alias .* refers to a node that contains it/,
    ],
  ])('%s', async (_, text, message) => {
    const mapping = put(folder, 'm.yaml', text);
    expect(await refusal('x.csv', HEAD + GOOD, { mapping })).toMatch(message);
  });
});

function aliasBomb(): string {
  const names = 'abcdefghi'.split('');
  const lines = names.map((name, at) => {
    const what = at === 0 ? 'lol' : `*${names[at - 1]}`;
    return `${name}: &${name} [${Array(9).fill(what).join(', ')}]`;
  });
  return lines.join('\n');
}
