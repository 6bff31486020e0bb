/**
 * Recognises files that docferry wrote, so that a later run may replace them. A file is docferry's
 * only as it was written: with any change, it is the user's.
 */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readSmallFile } from '../model/small-file.js';

/** By the option that names the file. */
export const WRITTEN_EARLIER: Readonly<
  Record<'reportFile' | 'htmlFile', (file: string) => boolean>
> = {
  reportFile: (file) => holds(file, isSealedJson),
  htmlFile: (file) => holds(file, isSealed),
};

/** Returns whether it is a regular file, no link, with a text that fits. */
function holds(file: string, fits: (text: string) => boolean): boolean {
  try {
    return lstatSync(file).isFile() && fits(readSmallFile(file).toString());
  } catch {
    return false;
  }
}

/** Formats a report for a file; its last field is the hash of the rest. */
export function reportJson(report: object): string {
  const text = jsonText(report);
  return jsonText({ ...report, seal: hashOf(text) });
}

function jsonText(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** @throws SyntaxError */
function isSealedJson(text: string): boolean {
  const { seal, ...report } = JSON.parse(text) as { readonly seal?: unknown };
  return seal !== undefined && reportJson(report) === text;
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
