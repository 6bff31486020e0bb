/** The formats, and what is asked of all of them. */
import type { Layout } from '../model/chunk.js';
import { csv } from './csv/format.js';
import type { BinaryFormat, Format } from './format.js';
import { json, jsonl } from './json/format.js';
import { objects } from './objects/format.js';
import { ods } from './ods/format.js';
import { parquet } from './parquet/format.js';
import type { FileFormat } from './source-options.js';
import { xlsx } from './xlsx/format.js';

const BY_FORMAT: Readonly<Record<FileFormat, Format>> = { csv, jsonl, json, xlsx, parquet, ods };

/** Those that files can have. */
export const FILE_FORMATS: readonly Format[] = Object.values(BY_FORMAT);

/** All of them, a program's objects too. */
export const FORMATS: readonly Format[] = [...FILE_FORMATS, objects];

const BY_NAME: ReadonlyMap<string, Format> = new Map(FORMATS.map((one) => [one.name, one]));

/** The format of a source or a chunk. */
export function formatOf({ format }: Pick<Layout, 'format'>): Format {
  const known = BY_NAME.get(format);
  if (known === undefined) throw new Error(`There is no format ${format}. This is a bug.`);
  return known;
}

/** `csv, jsonl or json`. */
export function oneOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** The format that a file's name has the extension of, also of a compressed file. */
export function formatNamed(fileName: string): string | undefined {
  const [, extension = ''] = /\.(\w+)(?:\.(?:gz|zst))?$/.exec(fileName.toLowerCase()) ?? [];
  return FILE_FORMATS.find(({ extensions }) => extensions.includes(extension))?.name;
}

/** A format that is not text. */
export type BinaryOne = Format & { readonly binary: BinaryFormat };

/** The format that a file's first bytes, or its members, are those of. */
export function binaryFormat(start: string, members: readonly string[]): BinaryOne | undefined {
  return FILE_FORMATS.find(
    (format): format is BinaryOne => format.binary?.recognise(start, members) ?? false,
  );
}
