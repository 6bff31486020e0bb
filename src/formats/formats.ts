/** The formats that the registry names, and what is asked of all of them. */
import type { Layout } from '../model/chunk.js';
import type { BinaryFormat, Format } from './format.js';
import * as registry from './registry.js';
import { FORMAT_NAMES } from './source-options.js';

/** Those that files can have. */
export const FILE_FORMATS: readonly Format[] = FORMAT_NAMES.map((name) => registry[name]);

/** All of them, a program's objects too. */
export const FORMATS: readonly Format[] = [...FILE_FORMATS, registry.objects];

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
