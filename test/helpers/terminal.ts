import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { Surroundings } from './run-cli.js';

/** A program in a terminal, and somebody who types. */
export interface Terminal {
  /** Types keys; resolves to what the terminal shows from then on, once that matches. */
  type(keys: string, until: RegExp): Promise<string>;
}

/** Opens a terminal until the running test ends. It is made by `script`, of util-linux. */
export function openTerminal(
  command: string,
  { cwd, env = {} }: Pick<Surroundings, 'cwd' | 'env'>,
): Terminal {
  const sized = `stty rows 60 cols 160; exec ${command}`;
  const child = spawn('script', ['--quiet', '--command', sized, '/dev/null'], { cwd, env });
  // What runs in a terminal that is gone is hung up on, and ends.
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let shown = '';
  let onOutput = (): void => {};
  let onEnd = (): void => {};
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      onEnd();
      resolve();
    });
  });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
    onOutput();
  });
  const type = (keys: string, until: RegExp): Promise<string> => {
    shown = '';
    child.stdin.write(keys);
    return new Promise((resolve, reject) => {
      onOutput = () => {
        if (until.test(shown)) resolve(shown);
      };
      onEnd = () => reject(new Error(`the terminal closed: ${shown}`));
    });
  };
  return { type };
}
