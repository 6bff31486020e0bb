import { execFileSync } from 'node:child_process';

/** Builds `dist/` once before the tests, so that tests of the command run today's code. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
