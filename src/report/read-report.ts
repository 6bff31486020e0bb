import { readFileSync, statSync } from 'node:fs';
import { OptionError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import { isDevice, unreadableReason } from '../model/small-file.js';
import { pathText } from '../validation/explain-errors.js';
import { schemaMistakes } from '../validation/schemas.js';
import type { Report } from './report.js';

/**
 * Reads a report saved as JSON.
 * @param file path; `-` for stdin
 * @throws OptionError if it isn't a report
 */
export function readReport(file: string): Report {
  const value = withoutRequests(parse(readText(file), file));
  // A key that this version doesn't know, such as a figure that an earlier one had, isn't shown.
  const error = schemaMistakes('report', value).find(({ kind }) => kind !== 'unknown-field');
  if (error === undefined) return value as Report;
  const found = `${pathText(error.path) || 'it'} ${error.predicate}`;
  throw new OptionError(
    `${label(file)} isn't a report as written by --json and --report of this version: ${found}.`,
  );
}

/**
 * Drops a figure of 1.0.0-rc.0: of a part that may be `null`, ajv doesn't tell a key too many from
 * another mistake.
 */
function withoutRequests(value: unknown): unknown {
  if (!isObject(value) || !isObject(value['coverage'])) return value;
  const { requests: _, ...coverage } = value['coverage'];
  return { ...value, coverage };
}

function readText(file: string): string {
  try {
    // A terminal or /dev/zero may never end.
    if (file !== '-' && isDevice(statSync(file))) throw new Error('it is a device; name a file');
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8');
  } catch (error) {
    throw new OptionError(`The report ${label(file)} can't be read (${unreadableReason(error)}).`);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OptionError(
      `${label(file)} isn't a report: it isn't JSON. Name a file that --json or --report has written.`,
    );
  }
}

function label(file: string): string {
  return file === '-' ? 'stdin' : file;
}
