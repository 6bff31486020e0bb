import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { ROOT } from './markdown.js';

/** The built command, as a clone starts it. */
export const MAIN: string = path.join(ROOT, 'dist/cli/main.js');

/** The same under its name, as an installation links it. */
export const PROGRAM: string = path.join(ROOT, 'node_modules/.docferry-on-path/docferry');

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is run with besides its arguments. */
export interface Surroundings {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** A stream: what comes, as it comes. */
  readonly stdin?: string | Uint8Array | Readable;
  /** Module that the process loads before anything else. */
  readonly preload?: string;
  /** Most bytes that a file may have which the process writes: what is beyond can't be written. */
  readonly mostFileBytes?: number;
  /** Words before the command, of a program that runs it: `timeout`, `600`. */
  readonly under?: readonly string[];
}

/** A command under way. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has written so far. */
  readonly written: () => Pick<Ended, 'stdout' | 'stderr'>;
  /** Resolves once it has written this to stderr. */
  readonly says: (what: RegExp, timeoutMs?: number) => Promise<void>;
}

/** Runs `docferry` as a process of its own, without any credentials from outside. */
export function docferry(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  return startDocferry(args, surroundings).ended;
}

/** Starts `docferry` as a process of its own, without any credentials from outside. */
export function startDocferry(
  args: readonly string[],
  { cwd, env, stdin, preload, mostFileBytes, under = [] }: Surroundings,
): Started {
  const preloads = preload === undefined ? [] : ['--import', preload];
  const command = [process.execPath, ...preloads, PROGRAM, ...args];
  const [program = '', ...rest] = [...fileLimit(mostFileBytes), ...under, ...command];
  return follow(spawn(program, rest, { cwd, env: { ...usualEnvironment(), ...env } }), stdin);
}

/** What commands need of the environment, without any credentials. */
function usualEnvironment(): NodeJS.ProcessEnv {
  const { HOME, TZ, LANG, LC_ALL } = process.env;
  const PATH = [path.dirname(PROGRAM), process.env['PATH']].join(path.delimiter);
  return { PATH, HOME, TZ, LANG, LC_ALL };
}

/**
 * Runs several command lines one after another in one process: to start one takes far longer than
 * most commands. They share a folder, or each has its own. The process stays for later calls.
 */
export async function docferryEach(
  lines: readonly (readonly string[])[],
  { cwd, env }: { readonly cwd: string | readonly string[]; readonly env?: NodeJS.ProcessEnv },
): Promise<readonly Ended[]> {
  const runner = idle.pop() ?? startRunner();
  const folders = typeof cwd === 'string' ? [cwd] : cwd;
  runner.send({ lines, folders, env: { ...usualEnvironment(), ...env } });
  const { stdout, stderr, isAlive } = await outputOf(runner, lines.length);
  if (isAlive) idle.push(runner);
  const [outputs, errors] = [stdout.split('\f'), stderr.split('\f')];
  return lines.map((_, at) => ({
    code: Number(errors[2 * at + 1]),
    stdout: outputs[at] ?? '',
    stderr: errors[2 * at] ?? '',
  }));
}

/** The same for one line. What has to be started, or killed, takes `docferry`. */
export async function docferryOnce(
  args: readonly string[],
  surroundings: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const [ended] = await docferryEach([args], surroundings);
  return ended as Ended;
}

/** Processes of `docferryEach` that have nothing to do. */
const idle: ChildProcess[] = [];

function startRunner(): ChildProcess {
  const door = pathToFileURL(path.join(ROOT, 'dist/cli/command-line.js')).href;
  const program = path.join(import.meta.dirname, 'each-line.mjs');
  const runner = spawn(process.execPath, ['--no-warnings', program, PROGRAM, door], {
    cwd: '/',
    env: usualEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  runner.stdin?.end();
  runner.on('close', () => {
    if (idle.includes(runner)) idle.splice(idle.indexOf(runner), 1);
  });
  return runner;
}

/** What a runner writes until it has marked the end of so many lines, or has ended itself. */
function outputOf(
  runner: ChildProcess,
  lines: number,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly isAlive: boolean }> {
  const written = { stdout: '', stderr: '' };
  let marks = 0;
  return new Promise((resolve) => {
    const finish = (isAlive: boolean): void => {
      for (const output of [runner.stdout, runner.stderr]) output?.removeAllListeners('data');
      runner.off('close', ended);
      resolve({ ...written, isAlive });
    };
    for (const name of ['stdout', 'stderr'] as const) {
      runner[name]?.setEncoding('utf8').on('data', (text: string) => {
        written[name] += text;
        marks += text.split('\f').length - 1;
        // One on stdout, and two on stderr with the exit code between them.
        if (marks === 3 * lines) finish(true);
      });
    }
    const ended = (): void => finish(false);
    runner.on('close', ended);
  });
}

/** The variables that lead a command to a service. */
export function environmentOf(service: {
  readonly baseUrl: string;
  readonly username?: string;
  readonly apiKey?: string;
}): NodeJS.ProcessEnv {
  return {
    DOCFERRY_BASE_URL: service.baseUrl,
    DOCFERRY_USERNAME: service.username ?? 'ana',
    DOCFERRY_API_KEY: service.apiKey ?? 'key',
  };
}

/** Gathers what a process writes until it ends. */
export function follow(
  child: ChildProcessWithoutNullStreams,
  stdin?: Surroundings['stdin'],
): Started {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  if (stdin instanceof Readable) stdin.pipe(child.stdin);
  else child.stdin.end(stdin ?? '');
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
  const says = async (what: RegExp, timeout = 30_000): Promise<void> =>
    await expect.poll(() => stderr, { timeout }).toMatch(what);
  return { child, ended, written: () => ({ stdout, stderr }), says };
}

/** Words before a command; POSIX counts such a limit in blocks of 512 bytes. */
function fileLimit(bytes: number | undefined): readonly string[] {
  if (bytes === undefined) return [];
  return ['sh', '-c', 'ulimit -f "$0" && exec "$@"', String(Math.floor(bytes / 512))];
}
