import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { docferryEach, docferryOnce, type Ended, environmentOf } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { type EventLine, eventErrors, linesOf, replay } from '../report/replay.js';

const MAPPING = 'profile: minimal\ndocument: { sourceId: "{id}", text: "{text}" }\n';
const ROWS = 'id,text\n1,Good\n2,\n3,Better\n';
const COUNTS = { read: 3, skipped: 0, invalid: 1, duplicate: 0, rejected: 0, unknown: 0 };

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'mapping.yaml', MAPPING);
  put(cwd, 'reviews.csv', ROWS);
});

const events = (): readonly EventLine[] => linesOf(path.join(cwd, 'events.ndjson'));
const validating = (...flags: string[]): Promise<Ended> =>
  docferryOnce(['validate', 'reviews.csv', '--mapping', 'mapping.yaml', ...flags], { cwd });
const INTO_SANDBOX = ['--mapping', 'mapping.yaml', '--monitoring', '1', '--sandbox'];

/** Lines that a command has printed. */
function printed(stdout: string): readonly EventLine[] {
  return linesOf(put(newFolder(), 'stdout.ndjson', stdout));
}

describe('--events', () => {
  it('adds the events of each run to a file, as the schema says', async () => {
    const lines = [
      ['import', 'reviews.csv', ...INTO_SANDBOX, '--events', 'events.ndjson'],
      ['validate', 'reviews.csv', '-m', 'mapping.yaml', '--events', 'events.ndjson'],
    ];
    expect((await docferryEach(lines, { cwd })).map(({ code }) => code)).toEqual([1, 1]);
    const told = events();
    expect(told.flatMap(eventErrors)).toEqual([]);
    const ends = told.flatMap((event) => (event.type === 'end' ? [event.report] : []));
    expect(ends.map(({ command, counts }) => [command, counts])).toEqual([
      ['import', { ...COUNTS, accepted: 2, unsent: 0 }],
      ['validate', { ...COUNTS, accepted: 0, unsent: 2 }],
    ]);
    expect(new Set(told.map(({ run }) => run)).size).toBe(2);
    expect(replay(told).counts).toEqual(ends[1]?.counts);
  });

  longTest('keeps stdout for the events, and puts the report on stderr', async () => {
    const { code, stdout, stderr } = await validating('--events', '-');
    expect(code).toBe(1);
    const told = printed(stdout);
    expect(told.flatMap(eventErrors)).toEqual([]);
    expect(told.at(-1)).toMatchObject({ type: 'end', report: { exitCode: 1 } });
    expect(stderr).toContain('✗ 1 record: ');
    expect((await validating('--events', '-', '--quiet')).stderr).toBe('');
  });

  longTest(
    'is refused before anything begins where it is another file of the run or of somebody',
    async () => {
      const refused: readonly (readonly [string[], RegExp])[] = [
        [['reviews.csv'], /The file of events reviews\.csv is the input/],
        [['notes.txt'], /notes\.txt already exists: it doesn.t hold events/],
        [
          ['e', '--report', './e'],
          /The report as JSON and the file of events would be the same file/,
        ],
      ];
      put(cwd, 'notes.txt', 'mine');
      const lines = refused.map(([flags]) => [
        ...['import', 'reviews.csv', ...INTO_SANDBOX, '--events', ...flags],
      ]);
      for (const [at, ended] of (await docferryEach(lines, { cwd })).entries()) {
        const stderr = expect.stringMatching(refused[at]![1]);
        const flags = refused[at]![0].join(' ');
        const stdout = flags.endsWith('--json') ? expect.stringContaining('"error"') : '';
        expect(ended, flags).toMatchObject({ code: 2, stdout, stderr });
      }
      expect(readFileSync(path.join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
      expect(existsSync(path.join(cwd, '.docferry/runs'))).toBe(false);
    },
  );

  longTest('ends a run whose events can no longer be written, and it can be resumed', async () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => `${row},Good\n`).join('');
    put(cwd, 'reviews.csv', `id,text\n${rows}`);
    const sandbox = await startWithMonitoring();
    const surroundings = { cwd, env: environmentOf(sandbox) };
    const command = ['import', 'reviews.csv', '-m', 'mapping.yaml', '--monitoring', '1'];
    const full = await docferryOnce(
      [...command, '--json', '--quiet', '--events', '/dev/full'],
      surroundings,
    );
    expect(full).toMatchObject({ code: 4, stderr: expect.stringMatching(/ENOSPC/) });
    expect(JSON.parse(full.stdout)).toMatchObject({ stop: { kind: 'output' }, resumable: true });
    const { code } = await docferryOnce(
      [...command, '--resume', '--events', 'events.ndjson'],
      surroundings,
    );
    expect(code).toBe(0);
    expect(replay(events()).counts).toMatchObject({ read: 2_000, accepted: 2_000 });
  });
});
