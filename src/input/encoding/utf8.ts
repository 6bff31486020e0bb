/** Checks bytes as UTF-8. */
import { isAscii, isUtf8 } from 'node:buffer';

/** Result of checking bytes as UTF-8. */
export interface Utf8Check {
  /** Valid multi-byte characters, without coincidences (see {@link isTelling}). */
  readonly characters: number;
  /** Places with invalid bytes; adjacent bytes count as one place. */
  readonly stray: number;
}

/** Returns whether the bytes are valid UTF-8: like {@link checkUtf8}, much faster. */
export function isWellFormed(bytes: Buffer, whole: boolean): boolean {
  return isUtf8(withoutPartial(bytes, whole));
}

/**
 * Counts valid and invalid places. In a partial sample, a character cut off at the end is ignored.
 * @param enough stop after this many places
 */
export function checkUtf8(
  bytes: Buffer,
  whole: boolean,
  enough: number = Number.POSITIVE_INFINITY,
): Utf8Check {
  if (isAscii(bytes)) return { characters: 0, stray: 0 };
  const text = withoutPartial(bytes, whole);
  let characters = 0;
  let stray = 0;
  // A regular expression finds non-ASCII bytes much faster than a loop.
  for (const { 0: run, index } of text.toString('latin1').matchAll(/[\x80-\xff]+/g)) {
    let afterStray = -1;
    for (let at = index; at < index + run.length; ) {
      const length = sequenceLength(text[at] as number);
      if (length > 1 && isUtf8(text.subarray(at, at + length))) {
        characters += Number(isTelling(text, at, length));
        at += length;
      } else {
        stray += Number(afterStray !== at);
        at += 1;
        afterStray = at;
      }
    }
    if (characters + stray >= enough) break;
  }
  return { characters, stray };
}

function withoutPartial(bytes: Buffer, whole: boolean): Buffer {
  return whole ? bytes : bytes.subarray(0, bytes.length - partialLength(bytes));
}

/** Number of bytes at the end that start an incomplete character. */
function partialLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const length = sequenceLength(bytes[bytes.length - back] as number);
    if (length > back) return back;
    if (length > 0) return 0;
  }
  return 0;
}

/** Length of the character that a byte starts; 0 if it can't start one. */
function sequenceLength(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

/** Quotes, dashes, ellipsis, no-break space and similar, in windows-1252. */
const WINDOWS_PUNCTUATION = new Set([
  ...[0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99],
  ...[0xa0, 0xa9, 0xab, 0xae, 0xb7, 0xbb],
]);

/**
 * Returns whether a valid character is evidence for UTF-8. In windows-1252, too, an accented letter may
 * precede a punctuation mark (`CAFÉ »`, `Spaß…`), and some such pairs are valid UTF-8. Only after Â
 * and Ã, which start UTF-8's Western accents, is that implausible.
 */
function isTelling(bytes: Buffer, at: number, length: number): boolean {
  if ((bytes[at] as number) <= 0xc3) return true;
  return !bytes.subarray(at + 1, at + length).every((byte) => WINDOWS_PUNCTUATION.has(byte));
}
