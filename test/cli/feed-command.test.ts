import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { docferry, docferryEach, environmentOf, startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { idsOf, review, reviews, startSeeded } from './seeded-sandbox.js';

const FEED = ['feed', '--monitorings', '1', '--output', 'jsonl'];

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
});

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `r${from + at}`);

describe('docferry feed', () => {
  it('downloads everything in the order of capture, page after page', async () => {
    const { env } = await startSeeded(reviews(230));
    const { code, stdout, stderr } = await docferry(FEED, { cwd, env });
    expect(code).toBe(0);
    expect(idsOf(stdout)).toEqual(numbered(1, 230));
    expect(stderr).toMatch(
      /^To continue: docferry feed --monitorings 1 --output jsonl --cursor \d{14}\.\d+\n$/,
    );
  });

  longTest('goes on where the last run ended, by its cursor file', async () => {
    const sandbox = await startSeeded(reviews(120));
    const surroundings = { cwd, env: sandbox.env };
    const remembered = [...FEED, '--cursor-file', 'feed.cursor'];
    expect(idsOf((await docferry(remembered, surroundings)).stdout)).toEqual(numbered(1, 120));
    const again = await docferry(remembered, surroundings);
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No new') });
    await sandbox.capture(1, [review(121), review(122)]);
    expect(idsOf((await docferry(remembered, surroundings)).stdout)).toEqual(['r121', 'r122']);
  });

  longTest('keeps pages whole with a cursor file, so that a limit loses nothing', async () => {
    const { env } = await startSeeded(reviews(230));
    const limited = [...FEED, '--cursor-file', 'c', '--limit', '50'];
    const runs: string[][] = [];
    for (let run = 0; run < 3; run += 1) {
      runs.push(idsOf((await docferry(limited, { cwd, env })).stdout));
    }
    expect(runs.map((ids) => ids.length)).toEqual([100, 100, 30]);
    expect(runs.flat()).toEqual(numbered(1, 230));
  });

  longTest('refuses a cursor file of other filters, and says which', async () => {
    const { env } = await startSeeded(reviews(1));
    await docferry([...FEED, '--cursor-file', 'c', '--languages', 'en'], { cwd, env });
    const before = readFileSync(path.join(cwd, 'c'), 'utf8');
    const other = [...FEED, '--cursor-file', 'c', '--languages', 'de'];
    const ended = await docferry(other, { cwd, env });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('languages en, now de');
    expect(readFileSync(path.join(cwd, 'c'), 'utf8')).toBe(before);
  });

  longTest('begins at a cursor or at a moment, unless its cursor file knows better', async () => {
    const { env } = await startSeeded(reviews(10));
    const shown = async (...args: string[]) =>
      idsOf((await docferry([...FEED, ...args], { cwd, env })).stdout);
    const { stderr } = await docferry([...FEED, '--since', '2024-05-01 00:11'], { cwd, env });
    expect(stderr).toContain('No new documents.');
    expect(await shown('--since', '2024-05-01 00:08')).toEqual(['r8', 'r9', 'r10']);
    expect(await shown('--since', '2000w')).toHaveLength(10);
    expect(await shown('--since', '1h')).toEqual([]);
    expect(await shown('--cursor', '20240501000900.0')).toEqual(['r9', 'r10']);
    const remembered = ['--since', '2024-05-01 00:08', '--cursor-file', 'c'];
    expect(await shown(...remembered)).toEqual(['r8', 'r9', 'r10']);
    expect(await shown(...remembered)).toEqual([]);
  });

  longTest('ends at its limit and says how much is left', async () => {
    const { env } = await startSeeded(reviews(130));
    const { stdout, stderr } = await docferry([...FEED, '--limit', '5'], { cwd, env });
    expect(idsOf(stdout)).toEqual(numbered(1, 5));
    expect(stderr).toBe('5 documents; 125 more remain.\n');
  });

  it('follows until it is interrupted: every document once, the cursor where it ended, status 0', async () => {
    const sandbox = await startSeeded(reviews(3));
    const args = [...FEED, '--follow', '--interval', '0.02', '--cursor-file', 'c'];
    const { child, ended, written } = startDocferry(args, { cwd, env: sandbox.env });
    const lines = (count: number) =>
      expect
        .poll(() => written().stdout.split('\n').length, { timeout: 30_000 })
        .toBeGreaterThan(count);
    await lines(3);
    await sandbox.capture(1, [review(4)]);
    await lines(4);
    await sandbox.capture(1, [review(5), review(6)]);
    await lines(6);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(idsOf(stdout)).toEqual(numbered(1, 6));
    const rest = await docferry([...FEED, '--cursor-file', 'c'], { cwd, env: sandbox.env });
    expect(rest.stdout).toBe('');
  });

  longTest('ends an interrupted download with 130, JSON and cursor whole', async () => {
    const server = await startServer(async (_request, response, body) => {
      if (body.includes('cursor')) return;
      json(response, 200, {
        documents: [{ id: 1 }],
        remaining: 1,
        nextCursor: '20240501000000.1',
      });
    });
    const args = ['feed', '--monitorings', '1', '--output', 'json', '--cursor-file', 'c'];
    const { child, ended } = startDocferry(args, { cwd, env: environmentOf(server) });
    await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBe(2);
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toEqual([{ id: 1 }]);
    expect(JSON.parse(readFileSync(path.join(cwd, 'c'), 'utf8')).cursor).toBe('20240501000000.1');
  });

  longTest('remembers the last page that was written when a later one fails', async () => {
    const server = await startServer((_request, response, body) => {
      if (body.includes('cursor')) return json(response, 503, { errors: [{ message: 'busy' }] });
      json(response, 200, {
        documents: [{ id: 1 }],
        remaining: 1,
        nextCursor: '20240501000000.1',
      });
    });
    const env = environmentOf(server);
    const { code, stdout } = await docferry([...FEED, '--cursor-file', 'c'], { cwd, env });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '{"id":1}\n' });
    expect(JSON.parse(readFileSync(path.join(cwd, 'c'), 'utf8')).cursor).toBe('20240501000000.1');
  });

  it('refuses what contradicts itself or is no cursor, moment or interval', async () => {
    const refused: readonly (readonly [string[], RegExp])[] = [
      [['--follow', '--output=json'], /--output jsonl/],
      [['--since', '2024-05-01', '--cursor', '20240501000000.0'], /leave one/],
      [['--cursor', 'abc'], /cursor/],
      [['--since', 'abc'], /--since is "abc"; expected/],
      [['--interval', '0'], /--interval/],
      [['--cursor-file', 'other'], /is not a docferry cursor file/],
    ];
    put(cwd, 'other', 'something');
    const env = environmentOf({ baseUrl: 'http://127.0.0.1:1/5.0' });
    const lines = refused.map(([args]) => ['feed', '--monitorings', '1', ...args]);
    for (const [at, ended] of (await docferryEach(lines, { cwd, env })).entries()) {
      const stderr = expect.stringMatching(refused[at]![1]);
      const stdout = at === 0 ? expect.stringContaining('"error"') : '';
      expect(ended, lines[at]?.join(' ')).toMatchObject({ code: 2, stdout, stderr });
    }
  });
});
