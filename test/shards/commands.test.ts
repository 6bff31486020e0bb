/** What the commands print of an import in shards, and their exit codes. */
import { describe, expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { docferryOnce, type Ended, startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { lines, makeJob, reportIn, reviews } from '../reliability/job.js';
import { KEY } from './shards-job.js';

const BAD = { id: 'bad', text: '', at: 'never' };

describe.runIf(HAS.postgres)('the commands of an import in shards', () => {
  longTest(
    'end with 0 for a shard, and with 4 or 1 for the report',
    { timeout: 120_000 },
    async () => {
      const sandbox = await startWithMonitoring();
      const state = await newSharedState();
      const job = await makeJob({ folder: newFolder(), sandbox, records: 20, files: 2, state });
      put(job.folder, 'reviews-1.jsonl', lines([...reviews(20).slice(10), BAD]));
      const { cwd, env = {} } = job.surroundings;
      const run = (...words: readonly string[]): Promise<Ended> =>
        docferryOnce(words, { cwd, env });
      const shard = (place: string): Promise<Ended> =>
        run(...job.arguments, '--run', KEY, '--shard', place);
      // Where the inputs aren't.
      const elsewhere = { cwd: newFolder(), env: { DOCFERRY_STATE: state } };
      const report = ['report', KEY, '--json'];

      const unknown = await docferryOnce(report, elsewhere);
      expect(unknown).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('There is no import'),
      });
      const ended = await shard('1/2');
      expect(ended.code, ended.stderr).toBe(0);
      const early = await docferryOnce(report, elsewhere);
      expect(early.code, early.stderr).toBe(4);
      const stop = { kind: 'shards', message: '1 of 2 shards done, 1 waiting' };
      expect(reportIn(early)).toMatchObject({ exitCode: 4, stop });
      expect((await shard('2/3')).code).toBe(2);

      const following = startDocferry(['report', KEY, '--follow', '--json'], elsewhere);
      await following.says(/1 of 2 shards done, 0 running, 1 left/);
      // Its invalid record is the report's affair.
      expect((await shard('2/2')).code).toBe(0);
      const followed = await following.ended;
      expect(followed.code, followed.stderr).toBe(1);
      const counts = { read: 21, accepted: 20, invalid: 1, unsent: 0 };
      expect(reportIn(followed)).toMatchObject({ exitCode: 1, counts });

      const files = ['--rejects', 'rejects.jsonl', '--report', 'report.json', '--html', 'r.html'];
      for (const [flags, code] of [
        [[], 1],
        [[], 2],
        [['--overwrite'], 1],
      ] as const) {
        const written = await docferryOnce([...report, ...files, ...flags], elsewhere);
        expect(written.code, written.stderr).toBe(code);
      }

      const listed = JSON.parse((await run('runs', 'list', '--json')).stdout);
      expect(listed).toHaveLength(1);
      expect(listed).toMatchObject([{ run: KEY }]);
      const shown = await run('runs', 'show', KEY);
      expect(shown.stdout.match(/^ *[12] +done/gm)).toHaveLength(2);
      const json = JSON.parse((await run('runs', 'show', KEY, '--json')).stdout);
      expect(json).toMatchObject({ run: KEY, shards: [DONE, { ...DONE, shard: 2 }] });
    },
  );
});

const DONE = { shard: 1, state: 'done', process: null, starts: 1 };
