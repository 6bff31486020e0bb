import { execFileSync } from 'node:child_process';
import { tellSkipped } from './needs.js';

/** Builds `dist/` once before the tests, so that tests of the command run today's code. */
export default function build(): void {
  tellSkipped();
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
