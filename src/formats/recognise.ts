/** What a file is: text, one of the formats that are known by their first bytes, or an archive. */
import type { Decompressed } from '../input/decompress/decompressed.js';
import type { RawInput } from '../input/raw-input.js';
import { takeSample } from '../input/sample.js';
import { SeekableInput } from '../input/seekable.js';
import type { BinaryFile } from './format.js';
import { type BinaryOne, binaryFormat } from './formats.js';

/** See the top of this file. */
export type Recognised =
  | { readonly kind: 'text' }
  | { readonly kind: 'binary'; readonly format: BinaryOne; readonly file: BinaryFile }
  | {
      readonly kind: 'archive';
      /** Its files that are to be read. */
      readonly members: readonly RawInput[];
      readonly notices: readonly string[];
    };

/** How zip archives start: with a member, with their end as there is none, with one of many parts. */
const ZIP_MAGIC: readonly string[] = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];
/** The media type of an OpenDocument file stands in here as well. */
const START_BYTES = 128;

/**
 * @param closing is given what releases what stays open
 * @throws SourceError, BrokenInput
 */
export async function recognise(
  raw: RawInput,
  inside: Decompressed,
  maxExpansion: number,
  closing: (() => void)[],
): Promise<Recognised> {
  const { bytes } = await takeSample(inside.look(), START_BYTES);
  const start = bytes.toString('latin1', 0, START_BYTES);
  if (ZIP_MAGIC.includes(start.slice(0, 4))) {
    const { recogniseZip } = await import('./archives.js');
    return await recogniseZip(raw, inside, { start, maxExpansion, closing });
  }
  const format = binaryFormat(start, []);
  if (format === undefined) return { kind: 'text' };
  const seekable = new SeekableInput(raw, inside);
  closing.push(() => seekable.done());
  const file = { name: raw.name, seekable, members: [], expansion: inside.expansion };
  return { kind: 'binary', format, file };
}
