import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';
import { splitAtMarks, type Undecodable } from '../../model/undecodable-marks.js';

/** From a source's UTF-8 to its own encoding. */
type Encode = (bytes: Uint8Array) => Uint8Array;

/**
 * Makes a function from UTF-8 to a source's own encoding, with the bytes that could not be decoded
 * as they were. UTF-8 passes untouched, even where it is not valid. The first piece gets the byte
 * order mark that UTF-16 and UTF-32 need.
 * @param encoding `null` if the source came as text, so that it has none
 */
export function encoderFor(encoding: string | null | undefined): Encode {
  if (encoding === null)
    return encodeTexts(
      (text) => text,
      () => IN_NO_TEXT,
    );
  const name = encoding ?? 'utf-8';
  if (/^(utf-?8|us-ascii|ascii)/i.test(name) || !iconv.encodingExists(name))
    return (bytes) => bytes;
  let addBOM = /^(utf|ucs)-?(16|32|2|4)/i.test(name);
  const encode = (bytes: Buffer): Buffer => {
    const text = bytes.toString('utf8');
    const encoded = iconv.encode(addBOM ? text.replace(/^\ufeff/, '') : text, name, { addBOM });
    addBOM = false;
    return encoded;
  };
  return encodeTexts(encode, ({ bytes }) => wholeUnits(bytes, name));
}

/** A lone surrogate of a text has no bytes in UTF-8: this one can't be taken for a character. */
const IN_NO_TEXT = Buffer.from([0xff]);

function encodeTexts(
  encode: (bytes: Buffer) => Buffer,
  bytesOf: (undecodable: Undecodable) => Buffer,
): Encode {
  return (decoded) => {
    const { between, marks } = splitAtMarks(decoded);
    return Buffer.concat(
      between.flatMap((part, n) => {
        const mark = marks[n];
        return mark === undefined ? [encode(part)] : [encode(part), bytesOf(mark)];
      }),
    );
  };
}

/** Makes a unit that no character has. */
const FILLING = 0xdb;

/** A code unit that a file's end has cut would shift all that is written behind it: it is filled up. */
function wholeUnits(bytes: Buffer, encoding: string): Buffer {
  const [, bits = '8', order] = /^utf-?(16|32)(le|be)/i.exec(encoding) ?? [];
  const filling = Buffer.alloc(Math.max(0, Number(bits) / 8 - bytes.length), FILLING);
  return Buffer.concat(order?.toLowerCase() === 'be' ? [filling, bytes] : [bytes, filling]);
}
