import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING } from '../helpers/reviews.js';
import { type Ended, environmentOf, follow, MAIN } from '../helpers/run-cli.js';
import { ALL_CASES, eachSample, longTest } from '../helpers/runs.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { lines, reviews } from '../reliability/job.js';

const NOT_OURS = /bug in docferry|^ +at /m;

/** Runs the command in a shell that first does something to the process. */
function within(shell: string, cwd: string, args: readonly string[], env = {}): Promise<Ended> {
  const script = `${shell} && exec "$0" "$@"`;
  const { PATH, HOME } = process.env;
  const words = ['-c', script, process.execPath, MAIN, ...args];
  return follow(spawn('sh', words, { cwd, env: { PATH, HOME, ...env } })).ended;
}

function place(): string {
  const made = newFolder();
  put(made, 'reviews.jsonl', lines(reviews(10)));
  put(made, 'mapping.json', JSON.stringify(MAPPING));
  return made;
}

const VALIDATE = ['validate', 'reviews.jsonl', '--mapping', 'mapping.json', '--quiet'];

describe('a process that the system gives little', () => {
  eachSample()([20, 22, 24, 28])('is told so when it may open only %i files', async (files) => {
    const limit = `ulimit -n ${files}`;
    const ended = await within(limit, place(), VALIDATE);
    // With fewer still, which differ by version, Node can't load any program.
    const { stderr } = await within(limit, place(), ['--version']);
    if (stderr.includes('node:internal')) return;
    expect(ended.stderr).not.toMatch(NOT_OURS);
    if (ended.code === 0) return;
    expect(ended.code, ended.stderr).toBe(4);
    expect(ended.stderr).toMatch(/^docferry: .*(limit of open files|too many open files)/);
  });

  longTest('is told so when the folder that it was started in is gone', async () => {
    const made = place();
    const gone = path.join(made, 'gone');
    mkdirSync(gone);
    const [input, mapping] = ['reviews.jsonl', 'mapping.json'].map((name) => path.join(made, name));
    const args = ['validate', input as string, '--mapping', mapping as string];
    const ended = await within('rmdir "$PWD"', gone, args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^docferry: The working folder no longer exists/);
  });
});

describe('a state folder that nothing can be written to', () => {
  longTest('is told when a file stands in its place', async () => {
    const made = place();
    writeFileSync(path.join(made, 'state'), '');
    const sandbox = await startTestSandbox();
    const itself = await importTo('state', made, sandbox, 'true');
    expect(itself).toMatchObject({ code: 2 });
    expect(itself.stderr).toContain('--state-dir state is a file: name a folder.');
    const below = await importTo('state/below', made, sandbox, 'true');
    expect(below).toMatchObject({ code: 2 });
    expect(below.stderr).toContain(
      "--state-dir state/below can't be written: state isn't a folder.",
    );
  });

  it.skipIf(!(ALL_CASES && canMount()))(
    'is told when it is on a read-only file system (needs a mount)',
    async () => {
      const made = place();
      const sandbox = await startTestSandbox();
      const before = await importTo('state', made, sandbox, 'true');
      expect(before.code, before.stderr).toBe(0);
      const readOnly = 'mount --bind state state && mount -o remount,ro,bind state';
      for (const args of [
        ['import', 'reviews.jsonl', ...IMPORT],
        ['import', 'reviews.jsonl', '--resume', ...IMPORT],
        ['runs', 'prune'],
      ]) {
        const ended = await commandIn(made, sandbox, readOnly, [...args, '--state-dir', 'state']);
        expect(ended.stderr, args.join(' ')).not.toMatch(NOT_OURS);
        // An import is refused before it opens anything.
        expect(ended.code, ended.stderr).toBe(args[0] === 'import' ? 2 : 4);
        expect(ended.stderr).toMatch(
          /can't be (?:read or )?written: .*(read-only file system|write there)/,
        );
      }
      const listed = await commandIn(made, sandbox, readOnly, [
        ...['runs', 'list'],
        ...['--state-dir', 'state'],
      ]);
      expect(listed, listed.stderr).toMatchObject({ code: 0 });
      const anew = await commandIn(made, sandbox, readOnly, [
        ...['import', 'reviews.jsonl', ...IMPORT],
        ...['--state-dir', 'state/new'],
      ]);
      expect(anew.code, anew.stderr).toBe(2);
      expect(anew.stderr).toMatch(/--state-dir state\/new .*read-only file system/);
    },
  );
});

const IMPORT = ['--mapping', 'mapping.json', '--monitoring', '1', '--quiet'];

async function importTo(
  stateDir: string,
  made: string,
  sandbox: TestSandbox,
  shell: string,
): Promise<Ended> {
  await sandbox.ensureMonitoring(1);
  const env = environmentOf(sandbox);
  const args = ['import', 'reviews.jsonl', ...IMPORT, '--state-dir', stateDir];
  return await within(shell, made, args, env);
}

/** Runs the command where a folder of its own is mounted, so that nobody else sees that. */
function commandIn(
  made: string,
  sandbox: TestSandbox,
  shell: string,
  args: readonly string[],
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const words = ['-m', 'sh', '-c', `${shell} && exec "$0" "$@"`, process.execPath, MAIN, ...args];
  const env = { PATH, HOME, ...environmentOf(sandbox) };
  return follow(spawn('unshare', words, { cwd: made, env })).ended;
}

/** Only root may, and not in every container. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
