/** Inspects the first file of an input for a guess, also inside archives and compression. */

import { BrokenInput, unreadable } from '../input/broken-input.js';
import { openInputs } from '../input/inputs.js';
import type { RawInput } from '../input/raw-input.js';
import type { Input } from '../model/source.js';
import type { SheetRows } from './format.js';
import { type Recognised, recognise } from './open-sources.js';
import { listsInText } from './open-text.js';
import type { SourceOptions } from './options.js';

/**
 * Finds paths of lists of objects in the first file, for the option `records`; shallowest first,
 * without a list at the top.
 * @throws SourceError if the input can't be read
 */
export async function findLists(
  input: Input,
  options: SourceOptions = {},
): Promise<readonly string[]> {
  const lists = await inspectFirst(input, options, async ({ raw, found }) =>
    found.kind === 'text' ? await listsInText(raw, found.inside, options) : [],
  );
  return lists ?? [];
}

/**
 * Reads the sheets of the first file, in order; `undefined` if it isn't a workbook.
 * @param max rows per sheet
 * @throws SourceError
 */
export async function firstSheets(
  input: Input,
  options: SourceOptions,
  max: number,
): Promise<readonly SheetRows[] | undefined> {
  return await inspectFirst(input, options, async ({ found }) => {
    if (found.kind !== 'binary') return undefined;
    return await found.format.binary.firstRows?.(found.file, max);
  });
}

interface FirstFile {
  readonly raw: RawInput;
  readonly found: Recognised;
}

/** Inspects the first file; of an archive, the first export. `undefined` for objects. */
async function inspectFirst<T>(
  input: Input,
  options: SourceOptions,
  inspect: (file: FirstFile) => Promise<T>,
): Promise<T | undefined> {
  const [opened] = await openInputs(input, options);
  if (opened === undefined) return undefined;
  const { raw } = opened;
  const closing = [() => raw.close()];
  try {
    return raw.kind === 'bytes' ? await inspect(await fileIn(raw, options, closing)) : undefined;
  } catch (error) {
    throw error instanceof BrokenInput ? unreadable(raw.name, error) : error;
  } finally {
    for (const close of closing) close();
  }
}

async function fileIn(
  raw: RawInput,
  options: SourceOptions,
  closing: (() => void)[],
): Promise<FirstFile> {
  const found = await recognise(raw, options, closing);
  if (found.kind !== 'archive') return { raw, found };
  const [first] = found.members;
  if (first === undefined) throw new Error('An archive was opened as no file. This is a bug.');
  return await fileIn(first, options, closing);
}
