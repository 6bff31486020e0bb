import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { OptionError } from '../errors.js';

/**
 * Writes a file whole or not at all: what it held before is lost only once the new text is there.
 * @throws OptionError if it can't be written
 */
export function replaceFile(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const draft = `${target}.${process.pid}.part`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    const code = (error as NodeJS.ErrnoException).code ?? 'unwritable';
    throw new OptionError(`${file} can't be written (${code}).`);
  }
}
