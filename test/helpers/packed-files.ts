import { execFileSync } from 'node:child_process';
import { ROOT } from './markdown.js';

/** The paths of what `npm pack` would put into the package. */
export function packedFiles(): readonly string[] {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const answer = JSON.parse(packed);
  const [{ files }] = Array.isArray(answer) ? answer : Object.values(answer);
  return files.map((file: { path: string }) => file.path);
}
