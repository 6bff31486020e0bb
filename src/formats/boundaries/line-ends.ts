const LF = 0x0a;
const CR = 0x0d;

/** How many lines end in a span: at LF, at CRLF, or at CR alone. A CR at its very end counts. */
export function countLineEnds(bytes: Buffer, from: number = 0, to: number = bytes.length): number {
  const span = from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);
  let count = 0;
  for (let at = span.indexOf(LF); at >= 0; at = span.indexOf(LF, at + 1)) count += 1;
  for (let at = span.indexOf(CR); at >= 0; at = span.indexOf(CR, at + 1)) {
    if (span[at + 1] !== LF) count += 1;
  }
  return count;
}

/** Where the line after the one at `from` starts, or -1 if the line doesn't end in these bytes. */
export function nextLineStart(bytes: Buffer, from: number): number {
  const lf = bytes.indexOf(LF, from);
  const end = lf < 0 ? bytes.length : lf;
  const cr = bytes.subarray(0, end).indexOf(CR, from);
  if (cr < 0) return lf < 0 ? -1 : lf + 1;
  return cr + 1 === lf ? lf + 1 : cr + 1;
}

/** Where the line starts on which `position` stands, looking no further back than `from`. */
export function lineStart(bytes: Buffer, from: number, position: number): number {
  const before = bytes.subarray(from, position);
  return from + Math.max(before.lastIndexOf(LF), before.lastIndexOf(CR)) + 1;
}

/** The bytes as a Buffer, without copying them: bytes that crossed a thread are plain arrays. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
