import { crc32 } from 'node:zlib';
import { BrokenInput } from '../broken-input.js';
import { PieceReader } from '../piece-reader.js';
import { damaged, endsEarly, inflate, REMEDY } from './inflate.js';

/** The checksum and the length behind a member's data. */
const TRAILER_BYTES = 8;

/**
 * Decompresses gzip, also of several members. Wrong headers, checksums and lengths cost no data,
 * and nothing behind a member is passed over in silence. Node's own stream does neither: it drops
 * what it holds when it fails, and ends quietly at a member that starts with a zero byte.
 * @throws BrokenInput if the data ends early, is damaged, or something else follows it
 */
export async function* gunzip(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const compressed = new PieceReader(pieces);
  try {
    do {
      await passHeader(compressed);
      yield* member(compressed);
    } while (await hasAnotherMember(compressed));
  } finally {
    await compressed.close();
  }
}

async function passHeader(compressed: PieceReader): Promise<void> {
  let seen = await compressed.atLeast(1);
  for (let end = endOfHeader(seen); ; end = endOfHeader(seen)) {
    if (end !== undefined) {
      compressed.pass(end);
      return;
    }
    const more = await compressed.atLeast(seen.length + 1);
    if (more.length === seen.length) throw endsEarly('gzip');
    seen = more;
  }
}

const FIXED_BYTES = 10;
const DEFLATE = 8;
/** Nobody has a name or a comment this long. */
const MAX_HEADER_BYTES = 128 * 1024;

/** Flags of a header (RFC 1952): which parts follow its first ten bytes, in this order. */
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const HAS_CHECKSUM = 2;
const RESERVED = 0xe0;

/** Where the header ends that bytes start with; `undefined` if more are needed to tell. */
function endOfHeader(bytes: Buffer): number | undefined {
  if (bytes.length > 1 && !isGzip(bytes)) throw damaged('gzip', 'incorrect header check');
  if (bytes.length > 2 && bytes[2] !== DEFLATE) throw damaged('gzip', 'unknown compression method');
  if (bytes.length < FIXED_BYTES) return undefined;
  const flags = bytes.readUInt8(3);
  if ((flags & RESERVED) !== 0) throw damaged('gzip', 'unknown header flags set');
  const end = endOfParts(bytes, flags);
  if (end !== undefined && end <= bytes.length) return end;
  if (bytes.length > MAX_HEADER_BYTES) throw damaged('gzip', 'endless header');
  return undefined;
}

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function endOfParts(bytes: Buffer, flags: number): number | undefined {
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

async function* member(compressed: PieceReader): AsyncGenerator<Uint8Array, void, undefined> {
  let checksum = 0;
  let length = 0;
  for await (const bytes of inflate(compressed, 'gzip')) {
    checksum = crc32(bytes, checksum);
    length += bytes.length;
    yield bytes;
  }
  const trailer = await compressed.atLeast(TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES) throw endsEarly('gzip');
  if (trailer.readUInt32LE(0) !== checksum) throw damaged('gzip', 'incorrect data check');
  if (trailer.readUInt32LE(4) !== length % 2 ** 32) throw damaged('gzip', 'incorrect length check');
  compressed.pass(TRAILER_BYTES);
}

/** What may stand behind the last member are zeros, with which tapes are filled up. */
async function hasAnotherMember(compressed: PieceReader): Promise<boolean> {
  const start = await compressed.atLeast(2);
  if (isGzip(start)) return true;
  for (let rest = start; rest.length > 0; rest = await compressed.atLeast(1)) {
    if (rest.some((byte) => byte !== 0)) throw followedByOther(start);
    compressed.pass(rest.length);
  }
  return false;
}

function followedByOther(start: Buffer): BrokenInput {
  // A member that is cut in its first byte, too, is one that ends early.
  if (start.length === 1 && start[0] === 0x1f) return endsEarly('gzip');
  return new BrokenInput('its gzip data has an end, and something that is no gzip follows', REMEDY);
}
