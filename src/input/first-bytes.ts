/** What an input is, by its first bytes, where those tell. */
import type { Decompressed } from './decompress/decompressed.js';
import { takeSample } from './sample.js';

/** How zip archives start: with a member, with their end as there is none, with one of many parts. */
const ZIP_MARKS: readonly string[] = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** The first four bytes inside of what an input is packed in, as Latin-1. */
export async function markOf(inside: Decompressed): Promise<string> {
  const { bytes } = await takeSample(inside.look(), 4);
  return bytes.toString('latin1', 0, 4);
}

/** Workbooks are such archives, too. */
export function isZip(mark: string): boolean {
  return ZIP_MARKS.includes(mark);
}
