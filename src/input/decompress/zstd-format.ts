/** What zstd frames and blocks say of themselves (RFC 8878). */

/** The header of a frame. */
export interface ZstdFrame {
  /** Of the header, its magic number with it. */
  readonly headerBytes: number;
  /** How far back the data refers to itself, in bytes. */
  readonly windowBytes: number;
  /** How many bytes come out, if it says so. */
  readonly contentBytes: number | undefined;
  readonly hasChecksum: boolean;
  readonly needsDictionary: boolean;
}

const MAGIC_BYTES = 4;
const MAGIC = 0xfd2fb528;
/** Frames of other data, to be passed over, have one of sixteen magic numbers. */
const SKIPPED_MAGIC = 0x184d2a50;

/** Flags of the byte behind the magic number. */
const SINGLE_SEGMENT = 0x20;
const RESERVED = 0x08;
const CHECKSUM = 0x04;
/** Bytes of a dictionary's number, and of the content's size, by two bits of the flags. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;
/** Sizes of two bytes start where those of one byte end. */
const SIZE_OFFSET = 256;

/** No header is longer. */
export const MAX_HEADER_BYTES = 18;

/** Whether bytes begin as zstd does. */
export function isZstd(bytes: Buffer): boolean {
  return startsWith(bytes, MAGIC) || isSkippedFrame(bytes);
}

export function isSkippedFrame(bytes: Buffer): boolean {
  return (
    bytes.length >= MAGIC_BYTES && (bytes.readUInt32LE(0) & 0xfffffff0) >>> 0 === SKIPPED_MAGIC
  );
}

function startsWith(bytes: Buffer, magic: number): boolean {
  return bytes.length >= MAGIC_BYTES && bytes.readUInt32LE(0) === magic;
}

/**
 * Reads the header that `bytes` start with.
 * @returns `undefined` if there are not enough bytes; a text if it is no such header
 */
export function zstdFrame(bytes: Buffer): ZstdFrame | string | undefined {
  if (bytes.length <= MAGIC_BYTES) return undefined;
  if (!startsWith(bytes, MAGIC)) return 'no frame starts where one should';
  const flags = bytes.readUInt8(MAGIC_BYTES);
  if ((flags & RESERVED) !== 0) return 'unknown header flags set';
  const isSingle = (flags & SINGLE_SEGMENT) !== 0;
  const dictionaryAt = MAGIC_BYTES + (isSingle ? 1 : 2);
  const dictionaryBytes = DICTIONARY_BYTES[(flags & 3) as 0 | 1 | 2 | 3];
  const sizeAt = dictionaryAt + dictionaryBytes;
  const sizeBytes = SIZE_BYTES[(flags >> 6) as 0 | 1 | 2 | 3] || (isSingle ? 1 : 0);
  const headerBytes = sizeAt + sizeBytes;
  if (bytes.length < headerBytes) return undefined;
  const contentBytes = sizeBytes === 0 ? undefined : sizeOf(bytes.subarray(sizeAt, headerBytes));
  return {
    headerBytes,
    windowBytes: isSingle ? (contentBytes ?? 0) : windowOf(bytes.readUInt8(MAGIC_BYTES + 1)),
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
  copy.writeUInt8(copy.readUInt8(MAGIC_BYTES) & ~CHECKSUM, MAGIC_BYTES);
  return copy;
}

const BLOCK_HEADER_BYTES = 3;
/** Two bits of a block's header, and of that of its literals: compressed, with its own tree. */
const COMPRESSED = 2;
/** Bytes of the header of compressed literals, by two of its bits. */
const LITERALS_HEADER_BYTES = [3, 3, 4, 5] as const;
/** From here on the weights' first byte says that they are not compressed. */
const PLAIN_WEIGHTS = 128;
/** What a table's size, a power of two, is at least. */
const MIN_LOG = 5;
const LOG_BITS = 4;
/** Two bits tell how many of the next weights have no probability; three: that more bits follow. */
const MORE_BLANKS = 3;

/**
 * Whether a block, its header with it, describes weights without an end (4.2.1.2). The weights of a
 * Huffman tree may be compressed by a table of probabilities. Where one weight has them all, telling
 * it takes no bits, so it would be told for ever; no encoder writes that, but damage makes it, and
 * the library never comes back from it.
 */
export function hasEndlessWeights(block: Buffer): boolean {
  const literals = block[BLOCK_HEADER_BYTES];
  if (literals === undefined || kindOf(block[0] as number) !== COMPRESSED) return false;
  if ((literals & 3) !== COMPRESSED) return false;
  const header = LITERALS_HEADER_BYTES[((literals >> 2) & 3) as 0 | 1 | 2 | 3];
  const weights = block.subarray(BLOCK_HEADER_BYTES + header);
  return (weights[0] ?? PLAIN_WEIGHTS) < PLAIN_WEIGHTS && isOneForAll(weights.subarray(1));
}

function kindOf(blockHeader: number): number {
  return (blockHeader >> 1) & 3;
}

/** Whether the first weight of a table that has a probability has all of it. */
function isOneForAll(table: Buffer): boolean {
  const bits = bitsOf(table);
  const log = bits.take(LOG_BITS) + MIN_LOG;
  const all = 2 ** log;
  // A probability is written as one more than it is. Small ones take a bit less.
  const short = 2 ** (log + 1) - 1 - (all + 1);
  while (bits.left > 0) {
    const low = bits.take(log);
    const written = low < short ? low : low + 2 ** log * bits.take(1);
    const probability = (written >= 2 ** log ? written - short : written) - 1;
    if (probability !== 0) return probability === all;
    while (bits.take(2) === MORE_BLANKS);
  }
  return false;
}

/** Takes bits off the low ends of bytes, in order; behind the last byte there are zeros. */
function bitsOf(bytes: Buffer): { take(count: number): number; readonly left: number } {
  let at = 0;
  return {
    take: (count) => {
      let value = 0;
      for (let bit = 0; bit < count; bit += 1, at += 1) {
        value |= (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) << bit;
      }
      return value;
    },
    get left() {
      return bytes.length * 8 - at;
    },
  };
}
