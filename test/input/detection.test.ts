import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { formatOf } from '../../src/formats/formats.js';
import { openSources } from '../../src/formats/open-sources.js';
import type { SourceOptions } from '../../src/formats/options.js';
import { parseChunk } from '../../src/formats/read-records.js';
import type { Source } from '../../src/model/source.js';
import { deferred } from '../helpers/deferred.js';
import { inPieces, readAll, values } from './read-all.js';

async function open(text: string, options: SourceOptions = {}): Promise<Source> {
  const [source] = await openSources(inPieces(Buffer.from(text), 50), options);
  return source as Source;
}

describe('the dialect', () => {
  it('with a wrong delimiter leads to the right one', async () => {
    const source = await open('id;text;n\n1;a;2\n', { delimiter: ',' });
    const suggested = formatOf(source.layout).betterDelimiter?.(source.layout);
    expect(suggested).toEqual({ delimiter: ';', columns: ['id', 'text', 'n'] });
    await expect(open('"id";"text"\n"1";"a"\n', { delimiter: ',' })).rejects.toThrow(
      /mismatched quotes in its header if the delimiter is ",": with ";" it has 2 columns/,
    );
  });

  it.each<[SourceOptions, RegExp]>([
    [{ delimiter: '' }, /delimiter is empty/],
    [{ delimiter: '"', quote: '"' }, /can't be distinguished/],
    [{ records: 'a..b' }, /expected the path of a list/],
    [{ records: 'a', format: 'csv' }, /leave one of them out/],
    [{ format: 'yaml' as 'csv' }, /expected csv, jsonl, json, xml, xlsx or parquet/],
  ])('refuses %j', async (options, message) => {
    const opened = open('a,b\n1,2\n', options);
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toMatchObject({ name: 'OptionError', exitCode: 2 });
  });
});

describe('the format', () => {
  it.each([
    ['json', '[{"a":1}]'],
    ['json', ' \n[\n]'],
    ['jsonl', '{"a":1}\n{"a":2}\n'],
    ['jsonl', '\n{"a":1}'],
    ['csv', '[id],[text]\n1,a\n'],
    ['csv', '{id},text\n1,a\n'],
    ['csv', 'id,text\n1,{"a":1}\n'],
  ])('of %s is told by its text: %j', async (format, text) => {
    expect((await open(text)).detected.format).toBe(format);
  });

  it.each([
    [/zip archive.*cut off/, 'PK\x03\x04....reviews.csv'],
    [/old Excel workbook.*save it as \.xlsx/, '\xd0\xcf\x11\xe0....'],
    [/zstd.*zstd -d FILE/, '\x28\xb5\x2f\xfdxxxx'],
    [/web page.*download the export again/, '\n<!DOCTYPE html><html><body>Log in</body></html>'],
    [
      /a table in HTML, not a workbook.*save it as \.xlsx/,
      '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>a</td></tr></table>',
    ],
    [
      /YAML.*yq -o json/,
      '- id: 1\n  author: Ann\n  review: "Cold; loud"\n- id: 2\n  author: Bob\n',
    ],
    [
      /a key and a value on each line/,
      'id: 1\nauthor: Ann\nreview: Cold, loud\n\nid: 2\nauthor: Bob\n',
    ],
    [/source code/, 'window.data.part0 = [\n {"id": 1}\n]'],
    [/isn't text/, `\x89PNG${'\x00\x01\x02\xff'.repeat(50)}`],
  ])('is refused by name: %s', async (message, content) => {
    const opened = openSources(inPieces(Buffer.from(content, 'latin1'), 9));
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toMatchObject({ name: 'SourceError', exitCode: 2 });
  });

  it.each([
    ['text,stars\nNote: cold,2\nHint: loud,3\n'],
    ['Question: how was it?\nAnswer: cold\nQuiet, clean\nLoud\n'],
    ['class,text\na,b\n'],
    ['[a],b\nc,d\n'],
  ])('is CSV in %j', async (text) => {
    expect((await open(text)).layout.format).toBe('csv');
  });

  it('of an empty list or empty lines is zero records, which is said', async () => {
    expect((await open('{"a":[ ]}', { records: 'a' })).notices).toEqual([
      expect.stringContaining('empty list'),
    ]);
    expect((await open(' \n', { format: 'jsonl' })).notices).toEqual([
      expect.stringContaining('is empty'),
    ]);
    await expect(open(' \n\n')).rejects.toThrow(/is empty \(\d bytes?\)/);
  });
});

describe('a stream that is slow', () => {
  /** Gives the first part, and the rest once something was read. */
  async function readSlowly(first: string, rest: string): Promise<unknown[]> {
    const resumed = deferred();
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(first);
      await resumed.promise;
      yield Buffer.from(rest);
    }
    const [source] = await openSources(pieces(), { flushMs: 20 });
    const read: unknown[] = [];
    for await (const chunk of source?.chunks() ?? []) {
      read.push(...parseChunk(chunk).map(({ value }) => value));
      resumed.resolve();
    }
    return read;
  }

  it.each([
    [
      'CSV',
      'id,text\n1,a\n',
      '2,"b\nb"\n',
      [
        ['1', 'a'],
        ['2', 'b\nb'],
      ],
    ],
    [
      'CSV that stops within a record',
      'id,text\n1,a\n2,',
      'b\n',
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ],
  ])('gives its first record after the flush interval: %s', async (_, first, rest, records) => {
    expect(await readSlowly(first, rest)).toEqual(records);
  });

  it.each([
    ['a header over lines', ['id,"a\n\nte', 'xt"\n1,a\n'], [['1', 'a']]],
    ['a document', ['[\n\n{"a"', ':1}]'], [{ a: 1 }]],
  ])('is waited for where its start does not tell enough: %s', async (_, parts, records) => {
    async function* pieces(): AsyncGenerator<Buffer> {
      for (const part of parts) {
        yield Buffer.from(part);
        await sleep(80);
      }
    }
    expect(values(await readAll(pieces(), { flushMs: 20 }))).toEqual(records);
  });
});
