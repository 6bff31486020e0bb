/**
 * A description of weights that never ends (RFC 8878, 4.2.1.2). The weights of a Huffman tree may be
 * packed by a table of probabilities. Where one weight has them all, telling it takes no bits, so it
 * would be told for ever; nobody packs like that, but damage makes it, and the library unpacks it
 * for ever.
 */
const BLOCK_HEADER_BYTES = 3;
/** Two bits of a block's header, and of that of its literals: packed, with what unpacks it. */
const PACKED = 2;
/** Bytes of the header of packed literals, by two of its bits. */
const LITERALS_HEADER_BYTES = [3, 3, 4, 5] as const;
/** From here on the weights' first byte says that they are not packed. */
const PLAIN_WEIGHTS = 128;
/** What a table's size, a power of two, is at least. */
const LEAST_LOG = 5;
const LOG_BITS = 4;
/** Two bits tell how many of the next weights have no probability; three: that more bits follow. */
const MORE_BLANKS = 3;

/** Whether a block, its header with it, holds such weights. */
export function hasEndlessWeights(block: Buffer): boolean {
  const literals = block[BLOCK_HEADER_BYTES];
  if (literals === undefined || kindOf(block[0] as number) !== PACKED) return false;
  if ((literals & 3) !== PACKED) return false;
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
  const log = bits.take(LOG_BITS) + LEAST_LOG;
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
