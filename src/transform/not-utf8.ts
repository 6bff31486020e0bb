import { isUtf8 } from 'node:buffer';
import type { Problem } from '../record.js';

/** What stands in for a character that the source's encoding could not give. */
const UNREADABLE = 0xff;

/** What to say of bytes that are not valid UTF-8; `field` is the column they stand in, if known. */
export function notUtf8(bytes: Buffer, field: string | null): Problem {
  const byte = bytes[firstInvalid(bytes)] ?? UNREADABLE;
  const where = field === null ? '' : ` in "${field}"`;
  const hex = `0x${byte.toString(16).padStart(2, '0').toUpperCase()}`;
  const message =
    byte === UNREADABLE
      ? `a character${where} (${hex}) can't be decoded: state the right encoding, or mend the record`
      : `the byte ${hex}${where} is not UTF-8${likely(byte)}: state the file's encoding, or mend the record`;
  return { kind: 'not-utf8', field, message };
}

function likely(byte: number): string {
  const character = new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
  // Control characters mean nothing in windows-1252 either.
  return /\p{Cc}/u.test(character) ? '' : `, but would be ${character} in windows-1252`;
}

/** Where the first byte stands that is part of no character: found by halving. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = boundary(bytes, (valid + invalid) >> 1, valid);
    if (middle === valid) break;
    if (isUtf8(bytes.subarray(valid, middle))) valid = middle;
    else invalid = middle;
  }
  for (let at = valid; at < invalid; ) {
    const length = [1, 2, 3, 4].find((size) => isUtf8(bytes.subarray(at, at + size)));
    if (length === undefined) return at;
    at += length;
  }
  return valid;
}

/** Moves back to the start of a character, but not before `least`. */
function boundary(bytes: Buffer, position: number, least: number): number {
  let at = position;
  while (at > least && ((bytes[at] as number) & 0xc0) === 0x80) at -= 1;
  return at;
}
