import { execFileSync } from 'node:child_process';
import { ROOT } from './markdown.js';

/** What `npm pack` would put into the package. */
export interface PackedPackage {
  readonly files: readonly { readonly path: string }[];
  /** In bytes, of the compressed tarball and of all files in it. */
  readonly size: number;
  readonly unpackedSize: number;
}

/** What `npm pack` would make of the built project. */
export function packedPackage(): PackedPackage {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const answer = JSON.parse(packed);
  const [made] = Array.isArray(answer) ? answer : Object.values(answer);
  return made;
}

/** The paths of what `npm pack` would put into the package. */
export function packedFiles(): readonly string[] {
  return packedPackage().files.map((file) => file.path);
}
