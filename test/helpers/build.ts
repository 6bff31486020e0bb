import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { ROOT } from './markdown.js';
import { tellSkipped } from './needs.js';
import { PROGRAM } from './run-cli.js';

/** What `dist/` is made of. */
const MADE_OF = ['src', 'scripts', 'schemas', 'mappings', 'package.json', 'tsconfig.build.json'];
/** What a build writes last. */
const WRITTEN_LAST = 'dist/LICENSES.txt';

/**
 * Builds `dist/` before the tests unless it is newer than all that it is made of, so that tests of
 * the command run today's code, and links the command on the PATH as an installation does.
 */
export default function build(): void {
  tellSkipped();
  if (!isCurrent()) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const main = path.join(ROOT, 'dist/cli/main.js');
  process.env['PATH'] = [path.dirname(PROGRAM), process.env['PATH']].join(path.delimiter);
  chmodSync(main, 0o755);
  // Other tests may be running it.
  if (existsSync(PROGRAM) && realpathSync(PROGRAM) === realpathSync(main)) return;
  mkdirSync(path.dirname(PROGRAM), { recursive: true });
  rmSync(PROGRAM, { force: true });
  symlinkSync(main, PROGRAM);
}

function isCurrent(): boolean {
  const built = changedMs(path.join(ROOT, WRITTEN_LAST));
  return MADE_OF.every((name) => latestIn(path.join(ROOT, name)) < built);
}

/** When something in a folder was changed last, in milliseconds since 1970; a file gone counts. */
function latestIn(place: string): number {
  const isFolder = statSync(place).isDirectory();
  const within = isFolder ? readdirSync(place).map((name) => path.join(place, name)) : [];
  return Math.max(changedMs(place), ...within.map(latestIn));
}

/** 0: it isn't there. */
function changedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
