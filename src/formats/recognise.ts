/** What a file is: text, one of the formats that are known by their first bytes, or an archive. */
import { type Decompressed, decompressed } from '../input/decompress/decompressed.js';
import type { RawInput } from '../input/raw-input.js';
import { type ByteSample, takeSample } from '../input/sample.js';
import { SeekableInput } from '../input/seekable.js';
import { SourceError } from '../model/errors.js';
import type { BinaryFile } from './format.js';
import { type BinaryOne, binaryFormat } from './formats.js';

/** See the top of this file. */
export type Recognised = { readonly inside: Decompressed } & InputKind;

/** What is inside of an input. */
export type InputKind =
  /** With its start. */
  | { readonly kind: 'text'; readonly sample: ByteSample }
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
/** Enough to tell a text's encoding, format and header: what it is need not be looked at again. */
const SAMPLE_BYTES = 256 * 1024;

/**
 * @param maxExpansion how many times its compressed size an input may have
 * @param closing is given what releases what stays open
 * @throws SourceError, BrokenInput
 */
export async function recognise(
  raw: RawInput,
  maxExpansion: number,
  closing: (() => void)[],
): Promise<Recognised> {
  const outside = await takeSample(raw.peek(), SAMPLE_BYTES);
  const inside = decompressed(raw, outside.bytes, maxExpansion);
  const isPlain = inside.compression === null;
  const sample = isPlain ? outside : await takeSample(inside.peek(), SAMPLE_BYTES);
  const start = sample.bytes.toString('latin1', 0, START_BYTES);
  if (ZIP_MAGIC.includes(start.slice(0, 4))) {
    const { recogniseZip } = await import('./archives.js');
    return { inside, ...(await recogniseZip(raw, inside, { start, maxExpansion, closing })) };
  }
  if (raw.wantedMember) {
    throw new SourceError(
      `${raw.name} is no zip archive, so there is no ${raw.wantedMember} in it: check the path.`,
    );
  }
  const format = binaryFormat(start, []);
  if (format === undefined) return { inside, kind: 'text', sample };
  const seekable = new SeekableInput(raw, inside);
  closing.push(() => seekable.done());
  const file = { name: raw.name, seekable, members: [], expansion: inside.expansion };
  return { inside, kind: 'binary', format, file };
}
