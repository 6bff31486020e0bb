import { isUtf8 } from 'node:buffer';
import type { Chunk } from '../model/chunk.js';
import { type Problem, UndecodableText } from '../model/record.js';
import { splitAtMarks, type Undecodable } from '../model/undecodable-marks.js';

/** Some bytes as text, with the gaps that bytes of no character leave in it. */
export interface Pieces {
  /** One more than there are gaps. */
  readonly texts: readonly string[];
  readonly gaps: readonly Undecodable[];
}

/** Where some bytes of a chunk come from. */
export interface ByteOrigin {
  /** As in {@link Chunk}. */
  readonly decodedFrom?: string | undefined;
  /** Where the first of them stands in the source's decoded bytes. */
  readonly offset: number;
}

/** Takes apart bytes that are not UTF-8. */
export function piecesOf(bytes: Buffer, { offset, decodedFrom }: ByteOrigin): Pieces {
  if (decodedFrom === undefined) return piecesOfUtf8(bytes, offset);
  const { between, marks } = splitAtMarks(bytes);
  return joined(
    between.map((part) => piecesOfUtf8(part, undefined)),
    marks,
  );
}

/** A gap between each two of several pieces. */
function joined([first, ...others]: readonly Pieces[], gaps: readonly Undecodable[]): Pieces {
  const all = { texts: [...(first?.texts ?? [''])], gaps: [...(first?.gaps ?? [])] };
  for (const [n, other] of others.entries()) {
    all.gaps.push(gaps[n] as Undecodable, ...other.gaps);
    all.texts.push(...other.texts);
  }
  return all;
}

function piecesOfUtf8(bytes: Buffer, offset: number | undefined): Pieces {
  const texts: string[] = [];
  const gaps: Undecodable[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      texts.push(bytes.toString('utf8', from, at));
      const place = offset === undefined ? undefined : offset + at;
      gaps.push({ bytes: bytes.subarray(at, at + 1), offset: place });
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
export function undecodableText(
  { texts, gaps }: Pieces,
  { decodedFrom }: Pick<ByteOrigin, 'decodedFrom'>,
): UndecodableText {
  const [first] = gaps;
  if (first === undefined) throw new Error('A text that can be decoded was taken for another.');
  const named = nameOf(first, decodedFrom);
  return new UndecodableText(texts.join('\ufffd'), named, reasonOf(first, decodedFrom));
}

/** What to say of a record that can't be read for bytes which can't be decoded. */
export function undecodableRecord({ message }: UndecodableText): Problem {
  return { kind: 'not-utf8', field: null, message };
}

/** Such as `0xE9 at byte 1234`; a code unit of several bytes is named as one number. */
function nameOf({ bytes, offset }: Undecodable, decodedFrom: string | undefined): string {
  const value = decodedFrom?.endsWith('le') ? Buffer.from(bytes).reverse() : bytes;
  const hex = `0x${value.toString('hex').toUpperCase()}`;
  return offset === undefined ? hex : `${hex} at byte ${offset}`;
}

function reasonOf({ bytes }: Undecodable, decodedFrom: string | undefined): string {
  if (decodedFrom === 'text') return 'is a lone surrogate, and no text: fix the record';
  const encoding = (decodedFrom ?? 'utf-8').replace('utf', 'UTF');
  const likely = decodedFrom === undefined ? likelyCharacter(bytes) : '';
  return `is not ${encoding}${likely}: fix the record, or state the file's encoding`;
}

function likelyCharacter(bytes: Buffer): string {
  const character = new TextDecoder('windows-1252').decode(bytes);
  // Control characters mean nothing in windows-1252 either.
  return /\p{Cc}/u.test(character) ? '' : `, but would be ${character} in windows-1252`;
}
