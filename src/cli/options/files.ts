/** Files that a command reads and must not write: the key, the job file and the like. */
import { OptionError } from '../../model/errors.js';
import type { OptionTable } from '../../model/options.js';
import type { JobOptions } from '../../operations/jobs.js';
import { JOB_FILE } from '../../operations/option-table.js';
import { isDevice, isSameFile } from '../../outputs/output-file.js';
import { isStdout } from '../print.js';

/** A file by how it was named: `--report`, or a word for what it is. */
export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** Environment variables that name files which every command may read. */
const VARIABLES = ['DOCFERRY_API_KEY_FILE', 'DOCFERRY_CA'];

/**
 * Makes sure that no output of a command is a file that it needs, by any spelling of its path and
 * through links; `--overwrite` doesn't matter.
 * @param given values of its options, by their names in the table
 * @param job those of them that a job file has, by their flags
 * @param more further files that are read
 * @throws OptionError that names both
 */
export function checkFiles(
  options: OptionTable,
  given: Readonly<Record<string, unknown>>,
  job: JobOptions = {},
  more: readonly NamedFile[] = [],
): void {
  const filesOf = (use: 'read' | 'written'): readonly NamedFile[] =>
    Object.entries(options).flatMap(([name, { flag, file }]) => {
      const path = given[name];
      if (file !== use || typeof path !== 'string' || flag === undefined) return [];
      return [{ name: job[flag] === path ? flag : `--${flag}`, path }];
    });
  const variables = VARIABLES.flatMap((name) => {
    const path = process.env[name];
    return path ? [{ name: `the file of ${name}`, path }] : [];
  });
  const read = filesOf('read').map(({ name, path }) => ({ name: `the file of ${name}`, path }));
  const jobs = { name: 'the job file', path: JOB_FILE };
  refuseReadFiles(filesOf('written'), [...read, ...variables, jobs, ...more]);
}

/** @throws OptionError if a command would write to a file that it reads, without that file's path */
export function refuseReadFiles(written: readonly NamedFile[], read: readonly NamedFile[]): void {
  for (const { name, path } of written) {
    if (isStdout(path) || isDevice(path)) continue;
    const same = read.find((one) => isSameFile(one.path, path));
    if (same === undefined) continue;
    throw new OptionError(
      `${name} ${path} is ${same.name}, which it would replace: name another file.`,
    );
  }
}
