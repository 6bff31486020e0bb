import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CapturedDocument } from '../../src/sandbox/captured.js';
import { newFolder } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { docferry, type Ended, environmentOf } from '../helpers/run-cli.js';
import { longTest, sample } from '../helpers/runs.js';
import { review, startSeeded } from './seeded-sandbox.js';

const FILTERS = ['--monitorings', '1', '--start', '2024-05-01', '--end', '2024-05-31'];

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
});

describe('docferry context', () => {
  const post = (number: number, parent: number | null, text: string): CapturedDocument =>
    review(number, { source: 'FCP', parentSourceId: parent === null ? null : `r${parent}`, text });
  const thread = [
    post(1, null, 'publication'),
    post(2, 1, 'comment'),
    post(3, 2, 'reply'),
    post(4, 1, 'late comment'),
  ];
  /** The id of the first comment: a sandbox counts its documents. */
  const COMMENT = '2';

  it('shows a conversation in order, replies under what they reply to', async () => {
    const { env } = await startSeeded(thread);
    const context = (...flags: string[]): Promise<Ended> =>
      docferry(['context', COMMENT, ...flags], { cwd, env });
    const [table, limited, lines, csv] = await Promise.all([
      context(),
      context('--limit', '2'),
      context('--output', 'jsonl'),
      context('--output', 'csv'),
    ]);
    expect(table).toMatchObject({ code: 0, stderr: '' });
    const texts = table.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(line.indexOf('Ana')));
    expect(texts.slice(1)).toEqual([
      'Ana 1   publication',
      'Ana 0   └ comment',
      'Ana 1     └ reply',
      'Ana 0   └ late comment',
    ]);
    expect(limited.stderr).toBe('2 of 4 documents: --limit 4 gives all of them.\n');
    expect(lines.stdout.trimEnd().split('\n')).toHaveLength(4);
    const rows: Record<string, string>[] = parse(csv.stdout, { columns: true });
    expect(rows.map((row) => row['parentId'] === rows[0]?.['id'])).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(csv.stderr).toBe('');
  });

  longTest('gives the tree as one value', async () => {
    const { env } = await startSeeded(thread);
    const asTree = ['context', COMMENT, '--tree', '--output', 'json'];
    const { stdout } = await docferry(asTree, { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject({
      document: { text: 'publication' },
      replies: [
        { document: { text: 'comment' }, replies: [{ document: { text: 'reply' }, replies: [] }] },
        { document: { text: 'late comment' }, replies: [] },
      ],
    });
  });

  longTest('ends with 3 for a document that is not there', async () => {
    const { env } = await startSeeded();
    expect(await docferry(['context', '999'], { cwd, env })).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('docferry authors', () => {
  const writers = [1, 2, 3, 4, 5].map((number) =>
    review(number, {
      author: { sourceId: number < 4 ? 'ana' : `b${number}`, name: `Name ${number}` },
    }),
  );

  it('ranks them by their publications, and says when there are more', async () => {
    const { env } = await startSeeded(writers);
    const table = await docferry(['authors', ...FILTERS], { cwd, env });
    expect(table).toMatchObject({ code: 0, stderr: '' });
    const lines = table.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain('Name 3');
    const first = await docferry(['authors', ...FILTERS, '--limit', '1', '--output', 'jsonl'], {
      cwd,
      env,
    });
    expect(JSON.parse(first.stdout)).toMatchObject({ sourceId: 'ana', name: 'Name 3' });
    expect(first.stderr).toContain('--limit 200');
  });

  longTest('writes a CSV whose columns hold all there is', async () => {
    const { env } = await startSeeded(writers);
    const { stdout, stderr } = await docferry(['authors', ...FILTERS, '--output', 'csv'], {
      cwd,
      env,
    });
    expect(stderr).toBe('');
    expect(parse(stdout, { columns: true })).toHaveLength(3);
  });
});

describe('docferry indicators', () => {
  it('shows each figure beside that of the period before', async () => {
    const { env } = await startSeeded([review(1), review(2)]);
    const table = await docferry(['indicators', ...FILTERS], { cwd, env });
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(/^name +currentValue +previousValue\n/);
    expect(table.stdout).toMatch(/^posts +2 +0$/m);
    const { stdout } = await docferry(['indicators', ...FILTERS, '--output', 'json'], { cwd, env });
    const { indicators } = JSON.parse(stdout);
    expect(indicators).toContainEqual({ name: 'posts', currentValue: 2, previousValue: 0 });
  });
});

describe('docferry chart', () => {
  /** The reference shows no answer: this one is of a shape that nobody foresaw. */
  const chart = async (answer: unknown, ...args: string[]) => {
    const server = await startServer((_, response) => json(response, 200, answer));
    const env = environmentOf(server);
    const ended = await docferry(['chart', ...FILTERS, ...args], { cwd, env });
    return { ...ended, sent: new URLSearchParams(server.requests[0]?.body) };
  };

  it('gives the answer as it comes, whatever it is', async () => {
    const outputs = { json: { a: { b: [1, 2] } }, jsonl: [[1, 2]], table: 'text' };
    for (const [output, answer] of sample(Object.entries(outputs))) {
      const { code, stdout } = await chart(answer, '--output', output);
      expect({ code, value: JSON.parse(stdout) }).toEqual({ code: 0, value: answer });
    }
  });

  longTest('makes a table or a CSV of a list, alone or within the answer', async () => {
    const rows = [
      { day: '2024-05-01', posts: 3 },
      { day: '2024-05-02', posts: 14, source: { code: 'RVW' } },
    ];
    const table = await chart({ series: rows, unit: 'posts' });
    expect(table.stdout).toBe(
      'day         posts  source.code\n2024-05-01      3\n2024-05-02     14  RVW\n',
    );
    const csv = await chart(rows, '--output', 'csv');
    expect(csv.stdout).toBe('day,posts,source.code\n2024-05-01,3,\n2024-05-02,14,RVW\n');
    expect(await chart({ a: 1 }, '--output', 'csv')).toMatchObject({ code: 2, stdout: '' });
  });

  longTest('sends further parameters as they are, beside the filters', async () => {
    const { sent } = await chart([], '--parameter', 'by=day', '--parameter', 'x=a=b');
    expect(Object.fromEntries(sent)).toMatchObject({ by: 'day', x: 'a=b', monitorings: '1' });
  });

  longTest('asks the sandbox as it would ask the service', async () => {
    const { env } = await startSeeded([review(1)]);
    const ended = await docferry(['chart', ...FILTERS, '--output', 'json'], { cwd, env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toBeDefined();
  });
});
