const LF = 0x0a;
const CR = 0x0d;

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
