import { isUtf8 } from 'node:buffer';
import { type Problem, UndecodableText } from '../record.js';

/** A byte that is part of no character. */
export interface BrokenByte {
  readonly value: number;
  /** Its offset in the source's decoded bytes. */
  readonly offset: number;
}

/** Some bytes as text, with the gaps that bytes of no character leave in it. */
export interface Pieces {
  /** One more than there are gaps. */
  readonly texts: readonly string[];
  readonly gaps: readonly BrokenByte[];
}

/**
 * Takes apart bytes that are not UTF-8.
 * @param offset where the first of them stands in the source
 */
export function piecesOf(bytes: Buffer, offset: number): Pieces {
  const texts: string[] = [];
  const gaps: BrokenByte[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      texts.push(bytes.toString('utf8', from, at));
      gaps.push({ value: bytes[at] as number, offset: offset + at });
      from = at + 1;
    }
    at += Math.max(1, length);
  }
  texts.push(bytes.toString('utf8', from));
  return { texts, gaps };
}

/** How many bytes the character has that starts here; 0 if none does. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const character = bytes.subarray(at, at + length);
  return character.length === length && isUtf8(character) ? length : 0;
}

/** What stands in a record for a text that can't be decoded. */
export function undecodableText({ texts, gaps }: Pieces): UndecodableText {
  const [first] = gaps;
  if (first === undefined) throw new Error('A text that can be decoded was taken for another.');
  return new UndecodableText(texts.join('\ufffd'), named(first), reasonOf(first));
}

/** What to say of a record that can't be read for bytes which can't be decoded. */
export function undecodableRecord({ message }: UndecodableText): Problem {
  return { kind: 'not-utf8', field: null, message };
}

function named({ value, offset }: BrokenByte): string {
  return `0x${value.toString(16).padStart(2, '0').toUpperCase()} at byte ${offset}`;
}

function reasonOf({ value }: BrokenByte): string {
  const character = new TextDecoder('windows-1252').decode(Uint8Array.of(value));
  // Control characters mean nothing in windows-1252 either.
  const likely = /\p{Cc}/u.test(character) ? '' : `, but would be ${character} in windows-1252`;
  return `is not UTF-8${likely}: fix the record, or state the file's encoding`;
}
