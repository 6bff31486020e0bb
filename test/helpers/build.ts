import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { tellSkipped } from './needs.js';
import { MAIN, PROGRAM } from './run-cli.js';

/**
 * Builds `dist/` once before the tests, so that tests of the command run today's code, and links
 * the command as an installation does.
 */
export default function build(): void {
  tellSkipped();
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  mkdirSync(path.dirname(PROGRAM), { recursive: true });
  rmSync(PROGRAM, { force: true });
  symlinkSync(MAIN, PROGRAM);
}
