/** What the header of a zstd frame says (RFC 8878). */
export interface ZstdFrame {
  /** Of the header, its mark with it. */
  readonly headerBytes: number;
  /** How far back the data refers to itself, in bytes. */
  readonly windowBytes: number;
  /** How many bytes come out, if it says so. */
  readonly contentBytes: number | undefined;
  readonly hasChecksum: boolean;
  readonly needsDictionary: boolean;
}

const MARK_BYTES = 4;
const MARK = 0xfd2fb528;
/** Frames of other data, to be passed over, have one of sixteen marks. */
const SKIPPED_MARK = 0x184d2a50;

/** Flags of the byte behind the mark. */
const SINGLE_SEGMENT = 0x20;
const RESERVED = 0x08;
const CHECKSUM = 0x04;
/** Bytes of a dictionary's number, and of the content's size, by two bits of the flags. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;
/** Sizes of two bytes start where those of one byte end. */
const SIZE_OFFSET = 256;

/** No header is longer. */
export const LONGEST_ZSTD_HEADER = 18;

/** Whether bytes begin as zstd does. */
export function isZstd(bytes: Buffer): boolean {
  return startsWith(bytes, MARK) || isSkippedFrame(bytes);
}

export function isSkippedFrame(bytes: Buffer): boolean {
  return bytes.length >= MARK_BYTES && (bytes.readUInt32LE(0) & 0xfffffff0) >>> 0 === SKIPPED_MARK;
}

function startsWith(bytes: Buffer, mark: number): boolean {
  return bytes.length >= MARK_BYTES && bytes.readUInt32LE(0) === mark;
}

/**
 * Reads the header that `bytes` start with.
 * @returns `undefined` if there are not enough bytes; a text if it is no such header
 */
export function zstdFrame(bytes: Buffer): ZstdFrame | string | undefined {
  if (bytes.length <= MARK_BYTES) return undefined;
  if (!startsWith(bytes, MARK)) return 'no frame starts where one should';
  const flags = bytes.readUInt8(MARK_BYTES);
  if ((flags & RESERVED) !== 0) return 'unknown header flags set';
  const isSingle = (flags & SINGLE_SEGMENT) !== 0;
  const dictionaryAt = MARK_BYTES + (isSingle ? 1 : 2);
  const dictionaryBytes = DICTIONARY_BYTES[(flags & 3) as 0 | 1 | 2 | 3];
  const sizeAt = dictionaryAt + dictionaryBytes;
  const sizeBytes = SIZE_BYTES[(flags >> 6) as 0 | 1 | 2 | 3] || (isSingle ? 1 : 0);
  const headerBytes = sizeAt + sizeBytes;
  if (bytes.length < headerBytes) return undefined;
  const contentBytes = sizeBytes === 0 ? undefined : sizeOf(bytes.subarray(sizeAt, headerBytes));
  return {
    headerBytes,
    windowBytes: isSingle ? (contentBytes ?? 0) : windowOf(bytes.readUInt8(MARK_BYTES + 1)),
    contentBytes,
    hasChecksum: (flags & CHECKSUM) !== 0,
    needsDictionary: bytes.subarray(dictionaryAt, sizeAt).some((byte) => byte !== 0),
  };
}

function sizeOf(bytes: Buffer): number {
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE(0));
  return bytes.readUIntLE(0, bytes.length) + (bytes.length === 2 ? SIZE_OFFSET : 0);
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** A copy of a header that promises no checksum. */
export function withoutChecksum(header: Buffer): Buffer {
  const copy = Buffer.from(header);
  copy.writeUInt8(copy.readUInt8(MARK_BYTES) & ~CHECKSUM, MARK_BYTES);
  return copy;
}
