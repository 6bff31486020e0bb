import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { put } from '../helpers/files.js';
import { snippets } from '../helpers/markdown.js';
import {
  docferryEach,
  environmentOf,
  MAIN,
  type Started,
  startDocferry,
} from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { linesOf } from '../report/replay.js';
import { idsOf, makeTarget, records, schema, state, type Target } from '../singer/tap.js';

/** Only the end of the tap's output, or of the target, ends an epoch. */
const LONG_EPOCH = { epoch: { seconds: 3_600 }, batchSize: 100 };
/** Records that are mapped together: they are sent while the epoch lasts. */
const AT_A_TIME = 500;

const NODE_MAIN = `'${process.execPath}' '${MAIN}'`;

interface Executed {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program while this process serves its requests. */
async function execute(
  program: string,
  args: readonly string[],
  { input, ...options }: { cwd: string; env: NodeJS.ProcessEnv; input: string },
): Promise<Executed> {
  const child = spawn(program, args, options);
  child.stdin.end(input);
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await closed, stdout, stderr };
}

/** Starts the command with a tap that writes when it is told to. */
function start(target: Target, ...flags: string[]): Started & { readonly tap: PassThrough } {
  const tap = new PassThrough();
  const started = startDocferry(['target-singer', '--config', 'config.json', ...flags], {
    cwd: target.folder,
    env: environmentOf(target.sandbox),
    stdin: tap,
  });
  return { ...started, tap };
}

describe('target-singer', () => {
  it('imports what a tap writes; stdout has its states, stderr what a person should know, --events the events of all runs', async () => {
    const target = await makeTarget({ epoch: { records: 2 } });
    const { tap, ended } = start(target, '--report', 'report.json', '--events', 'events.ndjson');
    tap.end(schema() + records(1, 2) + state({ at: 2 }) + records(3, 4) + state({ at: 4 }));
    expect(await ended).toMatchObject({
      code: 0,
      stdout: '{"at":2}\n{"at":4}\n',
      stderr: expect.stringContaining('4'),
    });
    expect(await idsOf(target)).toEqual(['r-1', 'r-2', 'r-3', 'r-4']);
    const events = linesOf(path.join(target.folder, 'events.ndjson'));
    const ends = events.flatMap((event) => (event.type === 'end' ? [event.report] : []));
    expect(ends.map(({ counts }) => counts.accepted)).toEqual([2, 2]);
    expect(new Set(events.map(({ run }) => run)).size).toBe(2);
  });

  longTest(
    'that is asked to end by SIGTERM writes the state of what it has read, and ends',
    async () => {
      const target = await makeTarget(LONG_EPOCH);
      const { tap, child, ended } = start(target);
      // The tap stays open, and silent.
      tap.write(schema() + records(1, AT_A_TIME) + state('read'));
      await untilThere(target, 1);
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ code: 130, stdout: '"read"\n' });
    },
  );

  it('describes itself with --about, and says what is wrong before it reads anything', async () => {
    const { folder: cwd, sandbox } = await makeTarget();
    const wrong: readonly (readonly [string[], string])[] = [
      [['--config', 'none.json'], 'There is no config none.json.'],
      [['--config', 'config.json', '--report', '-'], 'is stdout, which is for states only'],
      [['--config', 'config.json', '--events', '-'], '--events - is stdout, which is for states'],
    ];
    const lines = [['--about'], ...wrong.map(([flags]) => flags)];
    const [about, ...refused] = await docferryEach(
      lines.map((flags) => ['target-singer', ...flags]),
      { cwd, env: environmentOf(sandbox) },
    );
    const { name, settings } = JSON.parse(about?.stdout ?? '');
    expect({ code: about?.code, name, required: settings.required }).toEqual({
      ...{ code: 0, name: 'docferry', required: ['monitoring', 'streams'] },
    });
    for (const [at, { code, stdout, stderr }] of refused.entries()) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(wrong[at]?.[1]);
    }
  });

  longTest("runs as the loader of docs/singer.md in Meltano's layout", async () => {
    const { folder: project, sandbox } = await makeTarget();
    const page = snippets().filter(({ at }) => at.startsWith('docs/singer.md'));
    const snippet = (text: string): string =>
      page.find(({ code }) => code.includes(text))?.code ?? '';
    const [loader] = parse(snippet('loaders:')).plugins.loaders;
    const script = snippet('exec docferry');
    const program = put(project, 'target-docferry', script.replace('docferry', NODE_MAIN));
    chmodSync(program, 0o755);
    renameSync(path.join(project, 'mapping.json'), path.join(project, 'mapping.yaml'));
    put(project, 'key.txt', sandbox.apiKey);
    // As Meltano calls a loader: the config in a folder of its own, and the project's as working folder.
    const run = path.join(project, '.meltano/run/target-docferry');
    mkdirSync(run, { recursive: true });
    const config = { ...loader.config, baseUrl: sandbox.baseUrl, username: sandbox.username };
    const file = put(run, 'target.7a1c.config.json', JSON.stringify(config));
    const { status, stdout, stderr } = await execute(
      path.join(project, loader.executable),
      ['--config', file],
      {
        cwd: project,
        env: { PATH: process.env['PATH'], MELTANO_PROJECT_ROOT: project },
        input: schema() + records(1, 2) + state(2),
      },
    );
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: '2\n' });
    expect((await shownDocuments(sandbox)).length).toBe(2);
    expect(existsSync(path.join(project, '.docferry'))).toBe(true);
  });
});

/** Waits until the service shows so many documents of a target. */
async function untilThere(target: Target, count: number): Promise<void> {
  while ((await idsOf(target)).length < count) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
