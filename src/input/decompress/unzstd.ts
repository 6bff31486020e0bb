import type { Decompress } from 'fzstd';
import type { XXHash } from 'xxhash-wasm';
import { BrokenInput } from '../broken-input.js';
import { PieceReader } from '../piece-reader.js';
import {
  isSkippedFrame,
  LONGEST_ZSTD_HEADER,
  withoutChecksum,
  type ZstdFrame,
  zstdFrame,
} from './zstd-frame.js';
import { hasEndlessWeights } from './zstd-weights.js';

/** As much as the zstd command allows unless told otherwise: it is memory that is taken. */
const MOST_WINDOW_BYTES = 128 * 1024 * 1024;

const SKIPPED_HEADER_BYTES = 8;
const BLOCK_HEADER_BYTES = 3;
const LARGEST_BLOCK = 128 * 1024;
/** Two bits of a block's header: one byte that is repeated; what nobody knows. */
const REPEATED = 1;
const RESERVED = 3;
const CHECKSUM_BYTES = 4;

const NO_BYTES = new Uint8Array();

const REMEDY = 'Fetch the whole file again, then run the import again.';

/** Makes what unpacks frames, and what sums up their content. */
interface Tools {
  readonly unpacker: (give: (data: Uint8Array) => void) => Decompress;
  readonly sum: () => XXHash<bigint>;
}

/**
 * Unpacks zstd, also of several frames, a block at a time. Everything that could be unpacked is
 * given before an error. The library looks at no checksums and takes windows of any size, so
 * headers, lengths and checksums are looked at here.
 * @throws BrokenInput if the data ends early, is damaged, or asks for too much memory
 */
export async function* unzstd(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tools = await loadTools();
  const packed = new PieceReader(pieces);
  try {
    for (let seen = await frameStart(packed); seen.length > 0; seen = await frameStart(packed)) {
      if (isSkippedFrame(seen)) await skipFrame(packed, seen);
      else yield* unpackFrame(packed, frameOf(seen), tools);
    }
  } finally {
    await packed.close();
  }
}

async function loadTools(): Promise<Tools> {
  const [fzstd, { default: xxhash }] = await Promise.all([import('fzstd'), import('xxhash-wasm')]);
  const { create64 } = await xxhash();
  return { unpacker: (give) => new fzstd.Decompress(give), sum: () => create64() };
}

function frameStart(packed: PieceReader): Promise<Buffer> {
  return packed.atLeast(LONGEST_ZSTD_HEADER);
}

async function skipFrame(packed: PieceReader, seen: Buffer): Promise<void> {
  if (seen.length < SKIPPED_HEADER_BYTES) throw endsEarly();
  let left = SKIPPED_HEADER_BYTES + seen.readUInt32LE(4);
  while (left > 0) {
    const { length } = await packed.atLeast(1);
    if (length === 0) throw endsEarly();
    const passed = Math.min(left, length);
    packed.pass(passed);
    left -= passed;
  }
}

function frameOf(seen: Buffer): ZstdFrame {
  const frame = zstdFrame(seen);
  if (frame === undefined) throw endsEarly();
  if (typeof frame === 'string') throw damaged(frame);
  if (frame.needsDictionary) {
    throw new BrokenInput(
      'its zstd data was packed with a dictionary',
      'Unpack it with its dictionary first.',
    );
  }
  if (frame.windowBytes > MOST_WINDOW_BYTES) {
    throw new BrokenInput(
      `its zstd data asks for a window of ${frame.windowBytes} bytes; at most ${MOST_WINDOW_BYTES} are given`,
      'Unpack it first (zstd -d --long=31), or pack it without --long and --ultra.',
    );
  }
  return frame;
}

async function* unpackFrame(
  packed: PieceReader,
  frame: ZstdFrame,
  tools: Tools,
): AsyncGenerator<Uint8Array, void, undefined> {
  const unpacked: Uint8Array[] = [];
  const unpacker = tools.unpacker((data) => {
    if (data.length > 0) unpacked.push(data);
  });
  const sum = frame.hasChecksum ? tools.sum() : undefined;
  let length = 0;
  const header = await packed.atLeast(frame.headerBytes);
  push(unpacker, withoutChecksum(header.subarray(0, frame.headerBytes)), false);
  packed.pass(frame.headerBytes);
  for (let isLast = false; !isLast; ) {
    const block = await nextBlock(packed);
    isLast = block === undefined || (block.readUInt8(0) & 1) === 1;
    const failure = pushBlock(unpacker, block, isLast);
    for (const data of unpacked) {
      sum?.update(data);
      length += data.length;
    }
    yield* unpacked.splice(0);
    if (block === undefined) throw endsEarly();
    if (failure !== undefined) throw damaged(failure.message);
    packed.pass(block.length);
  }
  await checkEnd(packed, frame, length, sum);
}

/** The next block with its header; `undefined` if it is not whole. */
async function nextBlock(packed: PieceReader): Promise<Buffer | undefined> {
  const seen = await packed.atLeast(BLOCK_HEADER_BYTES);
  if (seen.length < BLOCK_HEADER_BYTES) return undefined;
  const header = seen.readUIntLE(0, BLOCK_HEADER_BYTES);
  const kind = (header >> 1) & 3;
  const size = header >> 3;
  if (kind === RESERVED || size > LARGEST_BLOCK) throw damaged('invalid block');
  const length = BLOCK_HEADER_BYTES + (kind === REPEATED ? 1 : size);
  const whole = await packed.atLeast(length);
  return whole.length < length ? undefined : whole.subarray(0, length);
}

/** @param block `undefined` where data ends early: then what is left in the unpacker comes out */
function pushBlock(
  unpacker: Decompress,
  block: Buffer | undefined,
  isLast: boolean,
): Error | undefined {
  const endless = block !== undefined && hasEndlessWeights(block);
  // The library keeps what it can't use yet: so it gets a copy, and an end if no more follows.
  const bytes = block === undefined || endless ? NO_BYTES : Buffer.from(block);
  const failure = push(unpacker, bytes, isLast || endless);
  return endless ? new Error('endless weights') : failure;
}

function push(unpacker: Decompress, bytes: Uint8Array, isLast: boolean): Error | undefined {
  try {
    unpacker.push(bytes, isLast);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function checkEnd(
  packed: PieceReader,
  { contentBytes, hasChecksum }: ZstdFrame,
  length: number,
  sum: XXHash<bigint> | undefined,
): Promise<void> {
  if (contentBytes !== undefined && contentBytes !== length) {
    throw damaged('incorrect length check');
  }
  if (!hasChecksum) return;
  const seen = await packed.atLeast(CHECKSUM_BYTES);
  if (seen.length < CHECKSUM_BYTES) throw endsEarly();
  // Of the 64 bits the lower half is kept.
  if (sum !== undefined && BigInt(seen.readUInt32LE(0)) !== BigInt.asUintN(32, sum.digest())) {
    throw damaged('incorrect data check');
  }
  packed.pass(CHECKSUM_BYTES);
}

function endsEarly(): BrokenInput {
  return new BrokenInput('its zstd data ends early', REMEDY);
}

function damaged(reason: string): BrokenInput {
  return new BrokenInput(`its zstd data is damaged (${reason})`, REMEDY);
}
