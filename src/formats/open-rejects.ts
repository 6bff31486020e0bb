import { omitUndefined } from '../model/options.js';
import type { Opened } from './format.js';
import type { SourceOptions } from './options.js';

/**
 * Opens an input as a file of rejects, which is known by its columns; `null` if it isn't one. What a
 * mapping states of its exports may not hold for it: rejects of a workbook are CSV, and a spreadsheet may
 * have saved them in a dialect of its own, or as a workbook. So as few of the options as possible are
 * left out.
 * @param delimiter of a text
 */
export async function openRejects(
  open: (options: SourceOptions) => Promise<readonly Opened[]>,
  stated: SourceOptions,
  delimiter?: string,
): Promise<readonly Opened[] | null> {
  const { format: _, sheet: _1, skipLines: _2, header: _3, records: _4, ...dialect } = stated;
  const { maxRecordBytes, chunkBytes, flushMs, nulls } = stated;
  const limits = { maxRecordBytes, chunkBytes, flushMs, nulls };
  for (const options of [stated, dialect, omitUndefined({ ...limits, delimiter })]) {
    const opened = await open(options).catch(() => []);
    if (opened.some(({ layout }) => layout.header === 'rejects')) return opened;
  }
  return null;
}
