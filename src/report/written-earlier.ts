/**
 * Recognises files that docferry wrote, so that a later run may replace them. A file is docferry's
 * only as it was written: with any change, it is the user's.
 */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { isObject } from '../model/record.js';
import { readSmallFile } from '../model/small-file.js';
import { schemaMistakes } from '../validation/schemas.js';

/** By the option that names the file; `targetReport` is that of a Singer target. */
export const WRITTEN_EARLIER: Readonly<
  Record<'reportFile' | 'htmlFile' | 'targetReport', (file: string) => boolean>
> = {
  reportFile: (file) => holds(file, isReport),
  htmlFile: (file) => holds(file, isSealed),
  targetReport: (file) => holds(file, isTargetReport),
};

/** Whether it is a regular file, no link, with a text that fits. */
function holds(file: string, fits: (text: string) => boolean): boolean {
  try {
    return lstatSync(file).isFile() && fits(readSmallFile(file).toString());
  } catch {
    return false;
  }
}

/** Formats a report for a file. */
export function reportJson(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

function isReport(text: string): boolean {
  const { value, isAsWritten } = parse(text);
  const { command, run, counts } = value;
  if (!isAsWritten || [command, run, counts].includes(undefined)) return false;
  // A version before may have had fewer fields; unknown ones are the user's.
  return schemaMistakes('report', value).every(({ kind }) => kind === 'missing-field');
}

const TARGET_FIELDS =
  'command status stop exitCode monitoring lines epochs counts streams skippedStreams states runsLeftOver elapsedMs';

function isTargetReport(text: string): boolean {
  const { value, isAsWritten } = parse(text);
  return isAsWritten && Object.keys(value).join(' ') === TARGET_FIELDS;
}

/** @throws SyntaxError */
function parse(text: string): {
  readonly value: Readonly<Record<string, unknown>>;
  readonly isAsWritten: boolean;
} {
  const value: unknown = JSON.parse(text);
  return isObject(value)
    ? { value, isAsWritten: reportJson(value) === text }
    : { value: {}, isAsWritten: false };
}

const SEAL = /<!-- docferry ([\w+/]+=*) -->\n$/;

/** Appends the page's hash, to recognise it. */
export function sealed(page: string): string {
  return `${page}<!-- docferry ${hashOf(page)} -->\n`;
}

function isSealed(text: string): boolean {
  const [seal = '', hash] = SEAL.exec(text) ?? [];
  return hash !== undefined && hash === hashOf(text.slice(0, -seal.length));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
