/** Registry of formats. */
import type { Layout } from '../model/chunk.js';
import { csv } from './csv/format.js';
import type { BinaryFileFormat, Format, TextFileFormat } from './format.js';
import { json, jsonl } from './json/format.js';
import { objects } from './objects/format.js';
import { parquet } from './parquet/format.js';
import { xlsx } from './xlsx/format.js';
import { xml } from './xml/format.js';

/** In order of recognition; CSV accepts everything. */
export const TEXT_FORMATS: readonly TextFileFormat[] = [xml, jsonl, json, csv];

/** Format of text that no other recognises. */
export const FALLBACK_FORMAT: Format = csv;

export const BINARY_FORMATS: readonly BinaryFileFormat[] = [xlsx, parquet];

export const FILE_FORMATS: readonly Format[] = [csv, jsonl, json, xml, ...BINARY_FORMATS];

const BY_NAME: ReadonlyMap<string, Format> = new Map(
  [...FILE_FORMATS, objects].map((one) => [one.name, one]),
);

export function formatOf({ format }: Pick<Layout, 'format'>): Format {
  const known = BY_NAME.get(format);
  if (known === undefined) throw new Error(`There is no format ${format}. This is a bug.`);
  return known;
}

/** Format that the rejects of a source are written in. */
export function rejectsFormatOf(layout: Pick<Layout, 'format'>): Format {
  const own = formatOf(layout);
  return TEXT_FORMATS.find(({ name }) => name === own.rejects) ?? own;
}
