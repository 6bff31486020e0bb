/** Inputs that took minutes where others of their size take a second: each is looked at once. */

import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkMapping, validateDocuments } from '../../src/index.js';
import { todosIn } from '../../src/mapping/mapping-text.js';
import { newFolder, put } from '../helpers/files.js';
import { minimalMapping, minimalYaml } from '../helpers/reviews.js';
import { longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { textRows, workbookOf } from '../helpers/workbook.js';
import { ALWAYS, review } from '../sandbox/documents.js';

let cwd = '';
beforeEach(() => {
  cwd = newFolder();
});

const seconds = (count: number): number => count * 1000;

describe('a large parent of many records', () => {
  const inElement = (records: number, text: string): string => {
    const own = Array.from(
      { length: records },
      (_, id) => `<r><id>${id}</id><text>${text}</text></r>\n`,
    );
    return `<f><p><n>Hotel</n>\n${own.join('')}</p></f>\n`;
  };
  const mapping = {
    ...minimalMapping({ text: '{text} {parent.n}' }),
    input: { format: 'xml', records: 'f/p[]/r', nulls: ['N/A'] },
  } as const;

  longTest(
    'is looked at once in XML',
    async () => {
      const input = put(cwd, 'r.xml', inElement(200_000, 'A review with some words'));
      const report = await validateDocuments({ input, mapping, threads: 0 });
      expect(report.counts).toMatchObject({ read: 200_000, unsent: 200_000 });
    },
    seconds(90),
  );

  longTest(
    'is looked at once for rejects, which hold it with a single record each',
    async () => {
      const input = put(cwd, 'r.xml', inElement(20_000, ''));
      const rejects = path.join(cwd, 'rejects.xml');
      const invalid = { ...mapping, document: { ...mapping.document, text: '{text}' } };
      const report = await validateDocuments({ input, mapping: invalid, rejects, threads: 0 });
      expect(report.counts.invalid).toBe(20_000);
    },
    seconds(60),
  );
});

describe('a comment behind a TODO', () => {
  const LINES = 100_000;
  const commented = (line: string): string =>
    minimalYaml().replace('  text', `  # TODO: decide\n${line.repeat(LINES)}  text`);

  it(
    'of 100,000 lines is looked at once',
    () => {
      const [todo] = checkMapping(commented('  # more words here, é\n'));
      expect(todo).toMatchObject({ line: 4, column: 3 });
      expect(todo?.message).toContain('decide more words here, é more words');
    },
    seconds(60),
  );

  it.each([
    ['a: 1 # TODO: one\n# two  \n  #  three\nb: 2\n# no\n', [['one two three', 1, 6]]],
    [
      '# TODO one\n# TODO: two\r\n#\r\n# three',
      [
        ['one', 1, 1],
        ['two three', 2, 1],
      ],
    ],
    ['a: "# TODO: no"#TODO x\nb: 1 #TODO\n', [['', 2, 6]]],
    ['# TODO: é\r# more', [['é more', 1, 1]]],
  ])('ends where the comment does: %j', (text, expected) => {
    const found = todosIn(text);
    expect(found.map((todo) => [todo.text, todo.line, todo.column])).toEqual(expected);
    for (const { offset, end, text: todo } of found) {
      expect(text.slice(offset, end)).toMatch(/^#/);
      expect(
        text
          .slice(offset, end)
          .trimEnd()
          .endsWith(todo.split(' ').at(-1) ?? ''),
      ).toBe(true);
    }
  });
});

longTest(
  'a long list in a request to the sandbox is looked up once, not for each document',
  async () => {
    const sandbox = await startWithMonitoring();
    const documents = Array.from({ length: 500 }, (_, id) => review(`r-${id}`, { tags: ['x'] }));
    await sandbox.call('POST', '/monitorings/1/documents', { json: { documents } });
    const list = Array.from({ length: 200_000 }, (_, at) => `t${at}`).join(',');
    const founds = ['tags', 'ignoreTags', 'authorTags'].map(async (name) => {
      const form = { monitorings: '1', ...ALWAYS, [name]: list };
      return (await sandbox.call('POST', '/documents', { form })).body.total;
    });
    expect(await Promise.all(founds)).toEqual([0, 500, 0]);
    const words = Array.from({ length: 501 }, (_, at) => `w${at}`).join(' ');
    const form = { monitorings: '1', ...ALWAYS, authorName: words };
    expect((await sandbox.call('POST', '/documents', { form })).status).toBe(400);
  },
  seconds(30),
);

longTest('a workbook with more than 1,000 sheets is refused where all are wanted', async () => {
  const rows = textRows([['id', 'text']]);
  const sheets = Array.from({ length: 1_001 }, (_, at) => ({ name: `S${at}`, rows }));
  const input = put(cwd, 'r.xlsx', await workbookOf({ sheets }));
  const options = { input, mapping: minimalMapping(), source: { sheet: 'all' } };
  await expect(validateDocuments(options)).rejects.toThrow(
    'r.xlsx has 1,001 sheets, and at most 1,000 are read at a time',
  );
});
