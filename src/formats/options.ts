import { encodingName } from '../input/encoding/encoding-name.js';
import { limitsOf } from '../input/limits.js';
import type { Layout } from '../model/chunk.js';
import { OptionError } from '../model/errors.js';
import { checkNames } from '../model/names.js';
import { FORMATS, oneOf } from './formats.js';
import {
  FORMAT_NAMES,
  type InputOptions,
  SOURCE_OPTIONS,
  type SourceOptions,
} from './source-options.js';

export type { InputOptions, SourceOptions } from './source-options.js';

/**
 * Makes sure that what is stated about a source can be.
 * @throws OptionError
 */
export function checkOptions(options: SourceOptions): void {
  checkNames(options, SOURCE_OPTIONS, 'source');
  limitsOf(options);
  const { encoding, format, name, sheet } = options;
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new OptionError(`The source's name is ${JSON.stringify(name)}; expected a text.`);
  }
  if (encoding !== undefined) encodingName(encoding);
  checkSheet(sheet);
  checkPath('inputHeaderFile', options.inputHeaderFile);
  checkNulls(options.nulls);
  if (format !== undefined && !FORMAT_NAMES.includes(format)) {
    throw new OptionError(`The format is ${String(format)}; expected ${oneOf(FORMAT_NAMES)}.`);
  }
  for (const each of FORMATS) each.checkOptions?.(options);
}

/** What to state for another source to be read in a format; nothing for a program's objects. */
export function statedFormat({ format }: Pick<Layout, 'format'>): Pick<InputOptions, 'format'> {
  return isStated(format) ? { format } : {};
}

function isStated(format: string): format is NonNullable<InputOptions['format']> {
  return (FORMAT_NAMES as readonly string[]).includes(format);
}

function checkPath(name: string, path: unknown): void {
  if (path === undefined || (typeof path === 'string' && path !== '')) return;
  throw new OptionError(`${name} is ${JSON.stringify(path)}; expected the path of a file.`);
}

function checkNulls(nulls: unknown): void {
  const isText = (one: unknown): boolean => one === null || /^(string|number)$/.test(typeof one);
  if (nulls === undefined || (Array.isArray(nulls) && nulls.every(isText))) return;
  throw new OptionError(`The nulls are ${JSON.stringify(nulls)}; expected a list of texts.`);
}

function checkSheet(sheet: unknown): void {
  if (sheet === undefined || (Array.isArray(sheet) ? isSheetList(sheet) : isSheet(sheet))) return;
  throw new OptionError(
    `The sheet is ${JSON.stringify(sheet)}; expected its name, its number from 1, a list of these, or all.`,
  );
}

function isSheetList(sheets: readonly unknown[]): boolean {
  return sheets.length > 0 && sheets.every(isSheet);
}

function isSheet(sheet: unknown): boolean {
  if (typeof sheet === 'string') return sheet !== '';
  return typeof sheet === 'number' && Number.isInteger(sheet) && sheet >= 1;
}
