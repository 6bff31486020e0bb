import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { docferry, environmentOf, type Started, startDocferry } from '../helpers/run-cli.js';
import { eachSample } from '../helpers/runs.js';
import { idsOf, makeTarget, record, records, schema, state, type Target } from '../singer/tap.js';

/** Only the end of the tap's output, or of the target, ends an epoch. */
const LONG_EPOCH = { epoch: { seconds: 3_600 }, batchSize: 100 };
/** Records that are mapped together: they are sent while the epoch lasts. */
const AT_A_TIME = 500;

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
  it('imports what a tap writes; stdout has its states, stderr what a person should know', async () => {
    const target = await makeTarget();
    const { tap, ended } = start(target, '--report', 'report.json');
    tap.end(schema() + records(1, 3) + state({ at: 3 }));
    expect(await ended).toMatchObject({
      code: 0,
      stdout: '{"at":3}\n',
      stderr: expect.stringContaining('3'),
    });
    expect(await idsOf(target)).toEqual(['r-1', 'r-2', 'r-3']);
  });

  it('--quiet: stderr has the summary only if something is left to do', async () => {
    const target = await makeTarget();
    const said = async (tap: string) => {
      const env = environmentOf(target.sandbox);
      const args = ['target-singer', '--config', 'config.json', '--quiet'];
      return await docferry(args, { cwd: target.folder, env, stdin: tap });
    };
    expect(await said(schema() + records(1, 3))).toMatchObject({ code: 0, stderr: '' });
    expect(await said(schema() + record({ id: 'r-4' }))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Stopped early'),
    });
  });

  it('that is asked to end by SIGTERM writes the state of what it has read, and ends', async () => {
    const target = await makeTarget(LONG_EPOCH);
    const { tap, child, ended } = start(target);
    // The tap stays open, and silent.
    tap.write(schema() + records(1, AT_A_TIME) + state('read'));
    await untilThere(target, 1);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 130, stdout: '"read"\n' });
  });

  it('--about describes it, and its config as a JSON Schema', async () => {
    const { folder: cwd } = await makeTarget();
    const { code, stdout } = await docferry(['target-singer', '--about'], { cwd });
    const { name, settings } = JSON.parse(stdout);
    expect({ code, name, required: settings.required }).toEqual({
      ...{ code: 0, name: 'docferry', required: ['monitoring', 'streams'] },
    });
  });

  it('takes paths from the project where Meltano writes the config elsewhere', async () => {
    const target = await makeTarget();
    const run = path.join(target.folder, '.meltano/run/target-docferry');
    mkdirSync(run, { recursive: true });
    renameSync(path.join(target.folder, 'config.json'), path.join(run, 'target.config.json'));
    const args = ['target-singer', '--config', path.join(run, 'target.config.json')];
    const env = { ...environmentOf(target.sandbox), MELTANO_PROJECT_ROOT: target.folder };
    const stdin = schema() + records(1, 2) + state(2);
    expect(await docferry(args, { cwd: run, env, stdin })).toMatchObject({
      code: 0,
      stdout: '2\n',
    });
  });

  eachSample()([
    [['--config', 'none.json'], 'There is no config none.json.'],
    [['--report', '-'], 'is stdout, which is for states only'],
  ])('with %j says what is wrong before it reads anything', async (flags, message) => {
    const target = await makeTarget();
    const args = flags.includes('--config') ? flags : ['--config', 'config.json', ...flags];
    const { code, stdout, stderr } = await startDocferry(['target-singer', ...args], {
      cwd: target.folder,
      env: environmentOf(target.sandbox),
    }).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

/** Waits until the service shows so many documents of a target. */
async function untilThere(target: Target, count: number): Promise<void> {
  while ((await idsOf(target)).length < count) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
