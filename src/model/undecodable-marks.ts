/**
 * What could not be decoded stands in a source's UTF-8 as a mark, which tells the bytes of the file
 * and their place. Marks consist of bytes that occur nowhere in UTF-8: no text holds one, no
 * delimiter or quote is found in one, and whatever holds one is known not to be valid. Sources that
 * are UTF-8 themselves have none: their bytes pass as they are.
 */
import { Buffer } from 'node:buffer';

/** Bytes of a file that are part of no character. */
export interface Undecodable {
  /** As they stand in the file. */
  readonly bytes: Buffer;
  /** Offset of the first of them in the file, once that is decompressed; nothing if it is not known. */
  readonly offset: number | undefined;
}

/** START, the bytes, BETWEEN, the offset, END: both in octal digits, which are the bytes from ZERO on. */
const START = 0xff;
const BETWEEN = 0xfe;
const END = 0xfd;
const ZERO = 0xf5;
const DIGITS_OF_A_BYTE = 3;
const MARK = /\xff((?:[\xf5-\xfc]{3})+)\xfe([\xf5-\xfc]*)\xfd/gu;

/** The mark to put where some bytes can't be decoded. */
export function undecodableMark(bytes: Iterable<number>, offset?: number): Buffer {
  const value = Array.from(bytes, (byte) => byte.toString(8).padStart(DIGITS_OF_A_BYTE, '0'));
  return Buffer.from([
    START,
    ...digits(value.join('')),
    BETWEEN,
    ...digits(offset?.toString(8) ?? ''),
    END,
  ]);
}

/** Some decoded bytes, taken apart at their marks: there is one stretch more than there are marks. */
export function splitAtMarks(decoded: Uint8Array): {
  readonly between: readonly Buffer[];
  readonly marks: readonly Undecodable[];
} {
  const bytes = Buffer.from(decoded.buffer, decoded.byteOffset, decoded.byteLength);
  const between: Buffer[] = [];
  const marks: Undecodable[] = [];
  let from = 0;
  for (const { 0: whole, 1: value = '', 2: offset = '', index } of matches(bytes)) {
    between.push(bytes.subarray(from, index));
    marks.push({
      bytes: Buffer.from((value.match(/.{3}/gu) ?? []).map(numberOf)),
      offset: offset === '' ? undefined : numberOf(offset),
    });
    from = index + whole.length;
  }
  between.push(bytes.subarray(from));
  return { between, marks };
}

/** Decoded bytes with � for each mark, to be shown. */
export function withoutMarks(decoded: Uint8Array): Buffer {
  const { between } = splitAtMarks(decoded);
  const shown = Buffer.from('\ufffd');
  return Buffer.concat(between.flatMap((part, n) => (n === 0 ? [part] : [shown, part])));
}

function matches(bytes: Buffer): Iterable<RegExpExecArray> {
  return bytes.includes(START) ? bytes.toString('latin1').matchAll(MARK) : [];
}

function digits(octal: string): number[] {
  return Array.from(octal, (digit) => ZERO + Number(digit));
}

function numberOf(shifted: string): number {
  const octal = Array.from(shifted, (digit) => digit.charCodeAt(0) - ZERO).join('');
  return Number.parseInt(octal, 8);
}
