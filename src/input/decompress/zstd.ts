import type { Decompress } from 'fzstd';
import xxhash, { type XXHash } from 'xxhash-wasm';
import { BrokenInput } from '../broken-input.js';
import { PieceReader } from '../piece-reader.js';
import { REMEDY } from './zlib-stream.js';
import {
  hasEndlessWeights,
  isSkippedFrame,
  MAX_HEADER_BYTES,
  withoutChecksum,
  type ZstdFrame,
  zstdFrame,
} from './zstd-format.js';

/** As much as the zstd command allows unless told otherwise: it is memory that is taken. */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024;

const SKIPPED_HEADER_BYTES = 8;
const BLOCK_HEADER_BYTES = 3;
const MAX_BLOCK_BYTES = 128 * 1024;
/** Two bits of a block's header: one byte that is repeated; what nobody knows. */
const REPEATED = 1;
const RESERVED = 3;
const CHECKSUM_BYTES = 4;

const NO_BYTES = new Uint8Array();

/** Makes what decompresses frames, and what sums up their content. */
interface Tools {
  readonly decoder: (give: (data: Uint8Array) => void) => Decompress;
  readonly sum: () => XXHash<bigint>;
}

/**
 * Decompresses zstd, also of several frames, a block at a time. Everything that could be decompressed
 * is given before an error. The library looks at no checksums and takes windows of any size, so
 * headers, lengths and checksums are looked at here.
 * @throws BrokenInput if the data ends early, is damaged, or asks for too much memory
 */
export async function* unzstd(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tools = await loadTools();
  const compressed = new PieceReader(pieces);
  try {
    for (;;) {
      const seen = await compressed.atLeast(MAX_HEADER_BYTES);
      if (seen.length === 0) return;
      if (isSkippedFrame(seen)) await skipFrame(compressed, seen);
      else yield* decompressFrame(compressed, frameOf(seen), tools);
    }
  } finally {
    await compressed.close();
  }
}

async function loadTools(): Promise<Tools> {
  const fzstd = await import('fzstd');
  const { create64 } = await xxhash();
  return { decoder: (give) => new fzstd.Decompress(give), sum: () => create64() };
}

async function skipFrame(compressed: PieceReader, seen: Buffer): Promise<void> {
  if (seen.length < SKIPPED_HEADER_BYTES) throw endsEarly('zstd');
  let left = SKIPPED_HEADER_BYTES + seen.readUInt32LE(4);
  while (left > 0) {
    const { length } = await compressed.atLeast(1);
    if (length === 0) throw endsEarly('zstd');
    const passed = Math.min(left, length);
    compressed.pass(passed);
    left -= passed;
  }
}

function frameOf(seen: Buffer): ZstdFrame {
  const frame = zstdFrame(seen);
  if (frame === undefined) throw endsEarly('zstd');
  if (typeof frame === 'string') throw damaged('zstd', frame);
  if (frame.needsDictionary) {
    throw new BrokenInput(
      'its zstd data was compressed with a dictionary',
      'Decompress it with its dictionary first.',
    );
  }
  if (frame.windowBytes > MAX_WINDOW_BYTES) {
    throw new BrokenInput(
      `its zstd data asks for a window of ${frame.windowBytes} bytes; at most ${MAX_WINDOW_BYTES} are given`,
      'Decompress it first (zstd -d --long=31), or compress it without --long and --ultra.',
    );
  }
  return frame;
}

async function* decompressFrame(
  compressed: PieceReader,
  frame: ZstdFrame,
  tools: Tools,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decompressed: Uint8Array[] = [];
  const decoder = tools.decoder((data) => {
    if (data.length > 0) decompressed.push(data);
  });
  const sum = frame.hasChecksum ? tools.sum() : undefined;
  let length = 0;
  const header = await compressed.atLeast(frame.headerBytes);
  push(decoder, withoutChecksum(header.subarray(0, frame.headerBytes)), false);
  compressed.pass(frame.headerBytes);
  for (let isLast = false; !isLast; ) {
    const block = await nextBlock(compressed);
    isLast = block === undefined || (block.readUInt8(0) & 1) === 1;
    const failure = pushBlock(decoder, block, isLast);
    for (const data of decompressed) {
      sum?.update(data);
      length += data.length;
    }
    yield* decompressed.splice(0);
    if (block === undefined) throw endsEarly('zstd');
    if (failure !== undefined) throw damaged('zstd', failure.message);
    compressed.pass(block.length);
  }
  await checkEnd(compressed, frame, length, sum);
}

/** The next block with its header; `undefined` if it is not whole. */
async function nextBlock(compressed: PieceReader): Promise<Buffer | undefined> {
  const seen = await compressed.atLeast(BLOCK_HEADER_BYTES);
  if (seen.length < BLOCK_HEADER_BYTES) return undefined;
  const header = seen.readUIntLE(0, BLOCK_HEADER_BYTES);
  const kind = (header >> 1) & 3;
  const size = header >> 3;
  if (kind === RESERVED || size > MAX_BLOCK_BYTES) throw damaged('zstd', 'invalid block');
  const length = BLOCK_HEADER_BYTES + (kind === REPEATED ? 1 : size);
  const whole = await compressed.atLeast(length);
  return whole.length < length ? undefined : whole.subarray(0, length);
}

/** @param block `undefined` where data ends early: then what is left in the decoder comes out */
function pushBlock(
  decoder: Decompress,
  block: Buffer | undefined,
  isLast: boolean,
): Error | undefined {
  const endless = block !== undefined && hasEndlessWeights(block);
  // The library keeps what it can't use yet: so it gets a copy, and an end if no more follows.
  const bytes = block === undefined || endless ? NO_BYTES : Buffer.from(block);
  const failure = push(decoder, bytes, isLast || endless);
  return endless ? new Error('endless weights') : failure;
}

function push(decoder: Decompress, bytes: Uint8Array, isLast: boolean): Error | undefined {
  try {
    decoder.push(bytes, isLast);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function checkEnd(
  compressed: PieceReader,
  { contentBytes, hasChecksum }: ZstdFrame,
  length: number,
  sum: XXHash<bigint> | undefined,
): Promise<void> {
  if (contentBytes !== undefined && contentBytes !== length) {
    throw damaged('zstd', 'incorrect length check');
  }
  if (!hasChecksum) return;
  const seen = await compressed.atLeast(CHECKSUM_BYTES);
  if (seen.length < CHECKSUM_BYTES) throw endsEarly('zstd');
  // Of the 64 bits the lower half is kept.
  if (sum !== undefined && BigInt(seen.readUInt32LE(0)) !== BigInt.asUintN(32, sum.digest())) {
    throw damaged('zstd', 'incorrect data check');
  }
  compressed.pass(CHECKSUM_BYTES);
}

function endsEarly(kind: string): BrokenInput {
  return new BrokenInput(`its ${kind} data ends early`, REMEDY);
}

function damaged(kind: string, reason: string): BrokenInput {
  return new BrokenInput(`its ${kind} data is damaged (${reason})`, REMEDY);
}
