import { crc32 } from 'node:zlib';
import { BrokenInput } from '../broken-input.js';
import { PieceReader } from '../piece-reader.js';
import { endOfHeader, isGzip } from './gzip-header.js';
import { Inflater } from './inflater.js';

/** What comes out of a slice is in memory at once. */
const SLICE_BYTES = 16 * 1024;
/** The checksum and the length behind a member's data. */
const TRAILER_BYTES = 8;

const REMEDY = 'Fetch the whole file again, then run the import again.';

/**
 * Unpacks gzip, also of several members. Everything that could be unpacked is given before an
 * error, and nothing behind a member is passed over in silence. Node's own stream does neither: it
 * drops what it holds when it fails, and ends quietly at a member that starts with a zero byte.
 * @throws BrokenInput if the data ends early, is damaged, or something else follows it
 */
export async function* gunzip(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const packed = new PieceReader(pieces);
  try {
    do {
      await passHeader(packed);
      yield* unpackMember(packed);
    } while (await hasAnotherMember(packed));
  } finally {
    await packed.close();
  }
}

/** What may stand behind the last member are zeros, with which tapes are filled up. */
async function hasAnotherMember(packed: PieceReader): Promise<boolean> {
  const start = await packed.atLeast(2);
  if (isGzip(start)) return true;
  for (let rest = start; rest.length > 0; rest = await packed.atLeast(1)) {
    if (rest.some((byte) => byte !== 0)) throw followedByOther(start);
    packed.pass(rest.length);
  }
  return false;
}

function followedByOther(start: Buffer): BrokenInput {
  // A member that is cut in its first byte, too, is one that ends early.
  if (start.length === 1 && start[0] === 0x1f) return endsEarly();
  return new BrokenInput('its gzip data has an end, and something that is no gzip follows', REMEDY);
}

async function passHeader(packed: PieceReader): Promise<void> {
  let seen = await packed.atLeast(1);
  for (let end = endOfHeader(seen); ; end = endOfHeader(seen)) {
    if (typeof end === 'string') throw damaged(end);
    if (end !== undefined) {
      packed.pass(end);
      return;
    }
    const more = await packed.atLeast(seen.length + 1);
    if (more.length === seen.length) throw endsEarly();
    seen = more;
  }
}

async function* unpackMember(packed: PieceReader): AsyncGenerator<Uint8Array, void, undefined> {
  const unpacker = new Inflater();
  let checksum = 0;
  let length = 0;
  try {
    while (!unpacker.ended) {
      const held = await packed.atLeast(1);
      const slice = held.subarray(0, SLICE_BYTES);
      const unpacked = slice.length === 0 ? await unpacker.end() : await unpacker.write(slice);
      for (const bytes of unpacked) {
        checksum = crc32(bytes, checksum);
        length += bytes.length;
      }
      yield* unpacked;
      if (unpacker.error !== undefined) throw brokenData(unpacker.error);
      // Whoever gives pieces may use them again.
      if (slice.length === held.length) await unpacker.ready();
      packed.pass(unpacker.taken);
    }
  } finally {
    unpacker.close();
  }
  await checkTrailer(packed, checksum, length);
}

async function checkTrailer(packed: PieceReader, checksum: number, length: number): Promise<void> {
  const trailer = await packed.atLeast(TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES) throw endsEarly();
  if (trailer.readUInt32LE(0) !== checksum) throw damaged('incorrect data check');
  if (trailer.readUInt32LE(4) !== length % 2 ** 32) throw damaged('incorrect length check');
  packed.pass(TRAILER_BYTES);
}

function brokenData(error: Error): BrokenInput {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'Z_BUF_ERROR' ? endsEarly() : damaged(error.message);
}

function endsEarly(): BrokenInput {
  return new BrokenInput('its gzip data ends early', REMEDY);
}

function damaged(reason: string): BrokenInput {
  return new BrokenInput(`its gzip data is damaged (${reason})`, REMEDY);
}
