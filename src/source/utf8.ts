import { isUtf8 } from 'node:buffer';

/** What the bytes of a text look like as UTF-8. */
export interface Utf8Check {
  readonly valid: boolean;
  readonly ascii: boolean;
  /** Characters of several bytes that are well-formed. */
  readonly characters: number;
  /** Bytes that belong to no well-formed character. */
  readonly stray: number;
}

/** Checks bytes as UTF-8; if they are not whole, a character cut off at the end is no fault. */
export function checkUtf8(bytes: Buffer, whole: boolean): Utf8Check {
  const text = whole ? bytes : bytes.subarray(0, bytes.length - cutOff(bytes));
  let characters = 0;
  let stray = 0;
  for (let at = 0; at < text.length; ) {
    const length = sequenceLength(text[at] as number);
    if (length === 1) at += 1;
    else if (length > 1 && at + length <= text.length && isUtf8(text.subarray(at, at + length))) {
      characters += 1;
      at += length;
    } else {
      stray += 1;
      at += 1;
    }
  }
  return { valid: stray === 0, ascii: characters === 0 && stray === 0, characters, stray };
}

/** Bytes at the end that start a character and don't finish it. */
export function cutOff(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const length = sequenceLength(bytes[bytes.length - back] as number);
    if (length > back) return back;
    if (length > 0) return 0;
  }
  return 0;
}

/** Bytes of the character that a byte starts; 0 if it starts none. */
function sequenceLength(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}
