import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';

/**
 * Makes a function from UTF-8 to a source's own encoding. UTF-8 passes untouched, even where it is
 * not valid. The first piece gets the byte order mark that UTF-16 and UTF-32 need.
 * @param encoding `null` if the source came as text, so that it has none
 */
export function encoderFor(encoding: string | null | undefined): (bytes: Uint8Array) => Uint8Array {
  const name = encoding ?? 'utf-8';
  if (/^(utf-?8|us-ascii|ascii)/i.test(name) || !iconv.encodingExists(name))
    return (bytes) => bytes;
  let addBOM = /^(utf|ucs)-?(16|32|2|4)/i.test(name);
  return (bytes) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const encoded = iconv.encode(addBOM ? text.replace(/^\ufeff/, '') : text, name, { addBOM });
    addBOM = false;
    return encoded;
  };
}
