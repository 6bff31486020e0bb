import { OptionError } from '../errors.js';
import { checkCsvOptions } from './csv-options.js';
import { encodingName } from './encoding-name.js';
import { type OpenedInput, openInputs } from './inputs.js';
import { parsePath } from './json-path.js';
import { limitsOf } from './limits.js';
import { objectsSource } from './objects-source.js';
import { openFile } from './open-file.js';
import type { Input, Source, SourceOptions } from './source.js';

const FORMATS: readonly unknown[] = ['csv', 'jsonl', 'json'];

/**
 * Looks at the start of each input and finds out how to read it. Nothing stays open but streams,
 * of which what was looked at is kept.
 * @throws SourceError if an input is missing, unreadable or makes no sense
 * @throws OptionError if what is stated can't be
 */
export async function openSources(
  input: Input,
  options: SourceOptions = {},
): Promise<readonly Source[]> {
  checkOptions(options);
  const opened = await openInputs(input);
  const sources: Source[] = [];
  try {
    for (const [index, one] of opened.entries())
      sources.push(await openSource(one, index, options));
    return sources;
  } catch (error) {
    for (const { raw } of opened) raw.close();
    throw error;
  }
}

function openSource(
  { raw, notices }: OpenedInput,
  index: number,
  options: SourceOptions,
): Source | Promise<Source> {
  return raw.kind === 'objects'
    ? objectsSource(raw, index)
    : openFile(raw, { input: index, notices, options });
}

function checkOptions(options: SourceOptions): void {
  limitsOf(options);
  checkCsvOptions(options);
  if (options.encoding !== undefined) encodingName(options.encoding);
  if (options.records !== undefined) parsePath(options.records);
  if (options.format !== undefined && !FORMATS.includes(options.format)) {
    throw new OptionError(`The format is ${String(options.format)}; expected csv, jsonl or json.`);
  }
  if (options.records !== undefined && (options.format ?? 'json') !== 'json') {
    throw new OptionError(
      `records is the path of a list in a JSON document, but the format is ${options.format}: leave one of them out.`,
    );
  }
}
