import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CapturedDocument } from '../../src/sandbox/input/captured-documents.js';
import { newFolder } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { HAS } from '../helpers/needs.js';
import { docferry, type Ended, environmentOf, MAIN, startDocferry } from '../helpers/run-cli.js';
import { eachSample, longTest, sample } from '../helpers/runs.js';
import { idsOf, review, reviews, startSeeded } from './seeded-sandbox.js';

const PERIOD = ['--start', '2024-05-01', '--end', '2024-05-31'];
const DOCUMENTS = ['documents', '--monitorings', '1', ...PERIOD];

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
});

describe('docferry documents', () => {
  it('shows a table of a hundred, the most recent first, and says how to get the others', async () => {
    const { env } = await startSeeded(reviews(250));
    const { code, stdout, stderr } = await docferry(DOCUMENTS, { cwd, env });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(101);
    expect(lines[0]).toMatch(
      /^ *id +published \(UTC\) +src +lang +sent +score +likes +author +text$/,
    );
    expect(lines[1]).toMatch(/^ *\d+ +2024-05-01 04:10 +RVW +en .*9\.5.* Ana 0 +Review 250$/);
    expect(stderr).toBe('The first 100: --limit 250 shows all of them.\n');
  });

  longTest.each(['jsonl', 'json', 'csv'])(
    'writes all of them as %s, and nothing else',
    async (output) => {
      const { env } = await startSeeded(reviews(230));
      const ended = await docferry([...DOCUMENTS, '--output', output], { cwd, env });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const read: Record<string, (text: string) => string[]> = {
        jsonl: idsOf,
        json: (text) => JSON.parse(text).map(({ sourceId }: { sourceId: string }) => sourceId),
        csv: (text) =>
          parse(text, { columns: true }).map((row) => (row as { sourceId: string }).sourceId),
      };
      const expected = Array.from({ length: 230 }, (_, at) => `r${230 - at}`);
      expect(read[output]?.(ended.stdout)).toEqual(expected);
    },
  );

  it('--since and --until take an age, and the end is now by default', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const { env } = await startSeeded([
      ...[review(1, { published: at(30) }), review(2, { published: at(5) })],
      review(3, { published: at(1) }),
    ]);
    const shown = async (...flags: string[]) => {
      const args = ['documents', '--monitorings', '1', '--output', 'jsonl', ...flags];
      return idsOf((await docferry(args, { cwd, env })).stdout);
    };
    expect(await shown('--since', '7d')).toEqual(['r3', 'r2']);
    expect(await shown('--since', '5w', '--until', '48h')).toEqual(['r2', 'r1']);
    expect(await shown('--start', at(40).slice(0, 10), '--until', '2w')).toEqual(['r1']);
  });

  it('--output csv-bom is CSV that starts with a byte order mark', async () => {
    const { env } = await startSeeded(reviews(2));
    const shown = async (output: string) =>
      (await docferry([...DOCUMENTS, '--output', output], { cwd, env })).stdout;
    expect(await shown('csv-bom')).toBe(`\ufeff${await shown('csv')}`);
  });

  longTest('keeps to --limit and --offset, and asks for no more than it shows', async () => {
    const { env } = await startSeeded(reviews(30));
    const paged = [...DOCUMENTS, '--output', 'jsonl', '--limit', '3', '--offset', '10'];
    const { stdout, stderr } = await docferry(paged, { cwd, env });
    expect(idsOf(stdout)).toEqual(['r20', 'r19', 'r18']);
    expect(stderr).toBe('The first 3: --limit 20 shows all of them.\n');
    const exact = await docferry([...DOCUMENTS, '--limit', '30'], { cwd, env });
    expect(exact.stderr).toBe('');
  });

  longTest('combines filters, in camel case or with dashes', async () => {
    const { env } = await startSeeded([
      review(1, { language: 'es', sentiment: 'R', text: 'ruido' }),
      review(2, { language: 'es', sentiment: 'B', text: 'ruido' }),
      review(3, { language: 'de', sentiment: 'R', text: 'ruido' }),
      review(4, { language: 'es', sentiment: 'R', text: 'frío' }),
      review(5, { language: 'es', sentiment: 'R', text: 'ruido', tags: ['7'] }),
    ]);
    const shared = [
      ...DOCUMENTS,
      '--output',
      'jsonl',
      '--languages',
      'es, en',
      '--sentiments',
      'R',
    ];
    const camel = await docferry([...shared, '--query', 'ruido', '--ignoreTags', '7'], {
      cwd,
      env,
    });
    expect(idsOf(camel.stdout)).toEqual(['r1']);
    const dashes = await docferry([...shared, '--query', 'ruido', '--ignore-tags=7'], { cwd, env });
    expect(dashes.stdout).toBe(camel.stdout);
  });

  longTest('takes true, false and neither for a filter that is a flag', async () => {
    const author = { sourceId: 'x', isVerified: true };
    const { env } = await startSeeded([review(1), review(2, { author })]);
    const shown = async (...flags: string[]) =>
      idsOf((await docferry([...DOCUMENTS, '--output', 'jsonl', ...flags], { cwd, env })).stdout);
    expect(await shown('--onlyVerifiedAuthors')).toEqual(['r2']);
    expect(await shown('--onlyVerifiedAuthors=false')).toEqual(['r1']);
    expect(await shown()).toEqual(['r2', 'r1']);
  });
});

describe('a command that asks the service', () => {
  eachSample(1)([
    ['without its filters', ['documents', '--monitorings', '1'], /start is missing: .*--since 7d/],
    [
      'with an age that is none',
      ['documents', '--monitorings', '1', '--since', '7 days'],
      /--since is "7 days"; expected a time .*7d/,
    ],
    [
      'with no moment',
      ['documents', '--monitorings', '1', '--start', 'soon', '--end', '2024-05-31'],
      /start is "soon"/,
    ],
    [
      'with --sandbox and a service',
      [...DOCUMENTS, '--sandbox', '--username', 'u'],
      /leave out --username/,
    ],
  ])('%s ends with 2 and says what to change', async (_, args, message) => {
    const env = environmentOf({ baseUrl: 'http://127.0.0.1:1/5.0' });
    const ended = await docferry(args, { cwd, env });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  longTest('ends with 3 for wrong credentials, never shown, and what is not there', async () => {
    const sandbox = await startSeeded();
    const env = { ...sandbox.env, DOCFERRY_API_KEY: 'a-wrong-key' };
    const refused = await docferry(DOCUMENTS, { cwd, env });
    expect(refused).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('401'),
    });
    expect(refused.stderr).not.toContain('a-wrong-key');
    const missing = await docferry(['monitorings', 'show', '99'], { cwd, env: sandbox.env });
    expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('99') });
  });

  eachSample()([
    [400, 2],
    [422, 2],
    [429, 4],
    [503, 4],
  ])(
    'shows what the service says with status %i, harmlessly, and ends with %i',
    async (status, code) => {
      const server = await startServer((_, response) =>
        json(response, status, { errors: [{ message: 'No such\u001b[2J filter' }] }),
      );
      const ended = await docferry(DOCUMENTS, { cwd, env: environmentOf(server) });
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(ended.stderr).toMatch(/No such.*\[2J filter/);
      expect(ended.stderr).not.toContain('\u001b');
    },
  );

  longTest('ends quietly when the reader of its output has seen enough', async () => {
    const { env } = await startSeeded(reviews(600));
    const { child, ended } = startDocferry([...DOCUMENTS, '--output', 'jsonl'], { cwd, env });
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  longTest.skipIf(!HAS.fullDisk)('ends with 4 when its output finds no room', async () => {
    const { env } = await startSeeded(reviews(1));
    const child = spawn(process.execPath, [MAIN, ...DOCUMENTS], {
      cwd,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(4);
    expect(stderr).toMatch(/^docferry: stdout can't be written: ENOSPC.*\n$/);
  });
});

const FILTERS = ['--monitorings', '1', '--start', '2024-05-01', '--end', '2024-05-31'];

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
    const [table, csv] = await Promise.all([context(), context('--output', 'csv')]);
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
    const rows: Record<string, string>[] = parse(csv.stdout, { columns: true });
    expect(rows.map((row) => row['parentId'] === rows[0]?.['id'])).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(csv.stderr).toBe('');
  });
});

describe('docferry authors', () => {
  const writers = [1, 2, 3, 4, 5].map((number) =>
    review(number, {
      author: { sourceId: number < 4 ? 'ana' : `b${number}`, name: `Name ${number}` },
    }),
  );

  longTest('ranks them by their publications, and says when there are more', async () => {
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
});

describe('docferry indicators', () => {
  longTest('shows each figure beside that of the period before', async () => {
    const { env } = await startSeeded([review(1), review(2)]);
    const { stdout } = await docferry(['indicators', ...FILTERS], { cwd, env });
    const { indicators } = JSON.parse(stdout);
    expect(indicators).toContainEqual({ name: 'posts', currentValue: 2, previousValue: 0 });
  });
});

describe('docferry chart', () => {
  /** The reference shows no answer: this one is of a shape that nobody foresaw. */
  it('gives the answer as it comes, whatever it is', async () => {
    for (const answer of sample([{ a: { b: [1, 2] } }, [[1, 2]], 'text'])) {
      const server = await startServer((_, response) => json(response, 200, answer));
      const { code, stdout } = await docferry(['chart', ...FILTERS], {
        cwd,
        env: environmentOf(server),
      });
      expect({ code, value: JSON.parse(stdout) }).toEqual({ code: 0, value: answer });
    }
  });
});
