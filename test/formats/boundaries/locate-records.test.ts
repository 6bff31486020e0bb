import { describe, expect, it } from 'vitest';
import { formatOf } from '../../../src/formats/formats.js';
import type { BytesChunk, Layout } from '../../../src/model/chunk.js';

function located(layout: Layout, text: string): unknown[] {
  const bytes = Buffer.from(text);
  const position = { byte: 0, record: 1, line: 10 };
  const base = { source: 'reviews', input: 0, layout, position, records: 0 };
  const chunk: BytesChunk = { ...base, kind: 'bytes', bytes };
  return formatOf(layout)
    .locate(chunk)
    .map(({ line, start, end }) => [line, bytes.subarray(start, end).toString()]);
}

describe('the records of a chunk', () => {
  const dialect = { delimiter: ',', quote: '"', escape: '"', comment: '#' };
  const csv: Layout = { format: 'csv', dialect, columns: ['a', 'b'], header: 'plain' };

  it('of CSV stand between line ends of any kind, but for blank lines and comments', () => {
    expect(located(csv, '1,"a\r\nb"\r\n\r# "x\n2,\r""\n3,c"')).toEqual([
      [10, '1,"a\r\nb"'],
      [14, '2,'],
      [15, '""'],
      [16, '3,c"'],
    ]);
  });

  it('of CSV may have another escape than the quote', () => {
    const layout = { ...csv, dialect: { ...dialect, escape: '\\' } };
    expect(located(layout, '"a\\"\n\\\\","b"\n1,2')).toEqual([
      [10, '"a\\"\n\\\\","b"'],
      [12, '1,2'],
    ]);
  });

  it('of CSV follow delimiters from the left, so that none overlaps another', () => {
    const layout = { ...csv, dialect: { ...dialect, delimiter: '||' } };
    expect(located(layout, 'a|||"x\n1||"b\n"')).toEqual([
      [10, 'a|||"x'],
      [11, '1||"b\n"'],
    ]);
  });

  it('of JSON Lines are lines that are not blank', () => {
    expect(located({ format: 'jsonl' }, '{"a":1}\r\n \t\r{}\n')).toEqual([
      [10, '{"a":1}'],
      [12, '{}'],
    ]);
  });

  it('of a JSON document stand between commas, without the blanks around them', () => {
    const text = '\n  {"a":[1,\r\n2]} ,\r\n "],}" , ,[{}]\n]';
    expect(located({ format: 'json', inList: true }, text)).toEqual([
      [11, '{"a":[1,\r\n2]}'],
      [13, '"],}"'],
      [13, ''],
      [13, '[{}]'],
    ]);
  });

  it('of JSON values one after another end with their own bracket', () => {
    const text = '\n  {"a":[1,\r\n2]}{}\r\n\x1e[{"b":"}"}]';
    expect(located({ format: 'json' }, text)).toEqual([
      [11, '{"a":[1,\r\n2]}'],
      [12, '{}'],
      [13, '[{"b":"}"}]'],
    ]);
  });
});
