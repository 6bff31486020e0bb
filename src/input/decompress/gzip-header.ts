const FIXED_BYTES = 10;
const DEFLATE = 8;
/** Nobody has a name or a comment this long. */
const LONGEST_HEADER = 128 * 1024;

/** Flags of a header (RFC 1952): which parts follow its first ten bytes, in this order. */
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const HAS_CHECKSUM = 2;
const RESERVED = 0xe0;

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Where the header of a gzip member ends, which `bytes` start with.
 * @returns `undefined` if more bytes are needed to tell; a text if it is no such header
 */
export function endOfHeader(bytes: Buffer): number | string | undefined {
  if (bytes.length > 1 && !isGzip(bytes)) return 'incorrect header check';
  if (bytes.length > 2 && bytes[2] !== DEFLATE) return 'unknown compression method';
  if (bytes.length < FIXED_BYTES) return undefined;
  if (((bytes[3] as number) & RESERVED) !== 0) return 'unknown header flags set';
  const end = behindParts(bytes, bytes[3] as number);
  if (end !== undefined && end <= bytes.length) return end;
  return bytes.length > LONGEST_HEADER ? 'endless header' : undefined;
}

function behindParts(bytes: Buffer, flags: number): number | undefined {
  let end: number | undefined = FIXED_BYTES;
  if (flags & HAS_EXTRA)
    end = end + 2 > bytes.length ? undefined : end + 2 + bytes.readUInt16LE(end);
  if (flags & HAS_NAME) end = behindZero(bytes, end);
  if (flags & HAS_COMMENT) end = behindZero(bytes, end);
  return end !== undefined && flags & HAS_CHECKSUM ? end + 2 : end;
}

function behindZero(bytes: Buffer, from: number | undefined): number | undefined {
  if (from === undefined) return undefined;
  const zero = bytes.indexOf(0, from);
  return zero < 0 ? undefined : zero + 1;
}
