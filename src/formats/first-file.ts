/** The file that a look into an input is about: what is packed or archived is gone through. */

import { BrokenInput, unreadable } from '../input/broken-input.js';
import { type Decompressed, decompressed } from '../input/decompress/decompressed.js';
import { isZip, markOf } from '../input/first-bytes.js';
import { openInputs } from '../input/inputs.js';
import { limitsOf } from '../input/limits.js';
import type { RawInput } from '../input/raw-input.js';
import type { Input, SourceOptions } from '../model/source.js';
import type { WorkbookInput } from './xlsx/open-workbook.js';

/** A file that can be looked into. */
export interface FirstFile {
  readonly raw: RawInput;
  readonly decompressed: Decompressed;
  /** Its parts, if it is a workbook. */
  readonly workbook?: WorkbookInput;
}

/**
 * Looks into the first file of an input, which is that of its first source: of an archive the first
 * export. Nothing if the input is objects.
 * @throws SourceError if it can't be read
 */
export async function lookIntoFirst<T>(
  input: Input,
  options: SourceOptions,
  look: (file: FirstFile) => Promise<T>,
): Promise<T | undefined> {
  const [opened] = await openInputs(input);
  if (opened === undefined || opened.raw.kind !== 'bytes') return undefined;
  const closing: (() => void)[] = [];
  try {
    return await look(await fileIn(opened.raw, options, closing));
  } catch (error) {
    throw error instanceof BrokenInput ? unreadable(opened.raw.name, error) : error;
  } finally {
    for (const close of closing) close();
  }
}

async function fileIn(
  raw: RawInput,
  options: SourceOptions,
  closing: (() => void)[],
): Promise<FirstFile> {
  const inside = await decompressed(raw, limitsOf(options).maxExpansion);
  if (!isZip(await markOf(inside))) return { raw, decompressed: inside };
  const { openZip } = await import('../input/archive/open-zip.js');
  const onFailure = (close: () => void): number => closing.push(close);
  const zip = await openZip(raw, inside, { input: 0, notices: [], options, onFailure });
  if (zip.kind === 'workbook') return { raw, decompressed: inside, workbook: zip.workbook };
  for (const member of zip.members) closing.push(() => member.close());
  const [first] = zip.members;
  if (first === undefined) throw new Error('An archive was opened as no file. This is a bug.');
  return await fileIn(first, options, closing);
}
