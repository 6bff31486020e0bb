import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './markdown.js';

/** The built command. */
export const MAIN: string = path.join(ROOT, 'dist/cli/main.js');

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
  readonly stdin?: string | Uint8Array;
}

/** Runs `docferry` as a process of its own, without any credentials from outside. */
export function docferry(
  args: readonly string[],
  { cwd, env, stdin }: Surroundings,
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { PATH, HOME, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin ?? '');
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}
