import { BrokenInput } from '../broken-input.js';

/** Output below this size is always allowed: it can do no harm. */
const MIN_LIMITED_BYTES = 64 * 1024 * 1024;
/** Compressed input, as {@link Expansion} needs it. */
interface Compressed {
  readonly subject: 'it' | 'the archive';
  /** Largest allowed ratio of decompressed to compressed size. */
  readonly maxRatio: number;
  /** Compressed size in bytes; for a stream, the bytes read so far. */
  readonly bytes: () => number;
}

/**
 * Limits how much a compressed input may expand, against decompression bombs. Everything that comes
 * out of an input counts together (all members, and data that is compressed again inside) against
 * the compressed size of the whole.
 */
export class Expansion {
  readonly #compressed: Compressed;
  /** Most bytes read from each content; reading one again doesn't count twice. */
  readonly #mostRead = new Map<unknown, number>();
  #total = 0;

  constructor(compressed: Compressed) {
    this.#compressed = compressed;
  }

  /**
   * Starts counting a content from its beginning. Returns a callback for the size of each piece.
   * @param content identifies it among the contents of the input
   */
  pass(content: unknown): (bytes: number) => void {
    let passed = 0;
    return (bytes) => {
      passed += bytes;
      const more = passed - (this.#mostRead.get(content) ?? 0);
      if (more <= 0) return;
      this.#mostRead.set(content, passed);
      this.#total += more;
      this.check(this.#total);
    };
  }

  /**
   * Checks a decompressed size, measured or stated.
   * @throws BrokenInput if it exceeds the limit
   */
  check(total: number): void {
    const { subject, maxRatio, bytes } = this.#compressed;
    if (total <= MIN_LIMITED_BYTES || total <= bytes() * maxRatio) return;
    throw new BrokenInput(
      `decompressed, ${subject} is more than ${maxRatio} times as large as compressed, like a decompression bomb`,
      'If it really is an export, raise maxExpansion under input in the mapping.',
    );
  }
}
