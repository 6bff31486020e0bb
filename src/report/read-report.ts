import { readFileSync, statSync } from 'node:fs';
import { OptionError } from '../model/errors.js';
import { isDevice, unreadableReason } from '../model/small-file.js';
import { pathText } from '../validation/explain-errors.js';
import { schemaMistakes } from '../validation/schemas.js';
import type { Report } from './report.js';

/**
 * Reads a report that was kept as JSON.
 * @param file its path; `-` for stdin
 * @throws OptionError for anything else
 */
export function readReport(file: string): Report {
  const value = parse(readText(file), file);
  const [mistake] = schemaMistakes('report', value);
  if (mistake === undefined) return value as Report;
  const found = `${pathText(mistake.path) || 'it'} ${mistake.says}`;
  throw new OptionError(
    `${shown(file)} is no report as --json and --report of this docferry give it: ${found}.`,
  );
}

function readText(file: string): string {
  try {
    // A terminal or /dev/zero may never end.
    if (file !== '-' && isDevice(statSync(file))) throw new Error('it is a device; name a file');
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8');
  } catch (error) {
    throw new OptionError(`The report ${shown(file)} can't be read (${unreadableReason(error)}).`);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OptionError(`${shown(file)} is no report: it isn't JSON.`);
  }
}

function shown(file: string): string {
  return file === '-' ? 'stdin' : file;
}
