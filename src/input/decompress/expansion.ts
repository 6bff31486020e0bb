import { thousands } from '../../model/figures.js';
import { BrokenInput } from '../broken-input.js';

/** So much may come out of any archive: what is small does no harm. */
const HARMLESS_BYTES = 64 * 1024 * 1024;
/** From here on, and from this share of the bound on, a person is told. */
const REMARKABLE_BYTES = HARMLESS_BYTES / 4;
const NEAR = 0.5;

/** A compressed input, as its bound on expansion sees it. */
interface Compressed {
  /** Its name, and what to call it where that stands already. */
  readonly name: string;
  readonly what: 'it' | 'the archive';
  /** How many times its compressed size it may have. */
  readonly mostTimes: number;
  /** How large it is, compressed; of a stream, as much as has been read. */
  readonly bytes: () => number;
}

/**
 * Holds how much may come out of a compressed input, so that a few bytes don't keep a run busy for
 * days. All that comes out of it counts, also of several members, and of what is compressed again
 * in them: against the size of the whole.
 */
export class Expansion {
  readonly #compressed: Compressed;
  /** How much has come out of each content; one that is read again counts once. */
  readonly #most = new Map<unknown, number>();
  #total = 0;
  #remark: string | undefined;

  constructor(compressed: Compressed) {
    this.#compressed = compressed;
  }

  /**
   * A content is read from its start: gives what is told of each piece that comes out.
   * @param content tells it from others of the same input
   */
  pass(content: unknown): (bytes: number) => void {
    let passed = 0;
    return (bytes) => {
      passed += bytes;
      const more = passed - (this.#most.get(content) ?? 0);
      if (more <= 0) return;
      this.#most.set(content, passed);
      this.#total += more;
      this.#remark ??= this.#remarkOn(this.#total);
      this.check(this.#total);
    };
  }

  /**
   * Checks a size that has come out, or is said to.
   * @throws BrokenInput if it is too large
   */
  check(total: number): void {
    const { what, mostTimes, bytes } = this.#compressed;
    if (total <= HARMLESS_BYTES || total <= bytes() * mostTimes) return;
    throw new BrokenInput(
      `decompressed, ${what} is more than ${mostTimes} times as large as compressed, as if it were made to fill disks`,
      'If it really is an export, decompress it and import the file that comes out (in the library, maxExpansion raises the limit).',
    );
  }

  /** What a person should know by now. */
  remarks(): readonly string[] {
    return this.#remark === undefined ? [] : [this.#remark];
  }

  #remarkOn(total: number): string | undefined {
    const { name, mostTimes, bytes } = this.#compressed;
    const compressed = Math.max(1, bytes());
    if (total <= REMARKABLE_BYTES || total <= compressed * mostTimes * NEAR) return undefined;
    const times = Math.floor(total / compressed);
    return `${name}: ${megabytes(total)} MB have been decompressed from ${megabytes(compressed)} MB, ${times} times as much. Beyond 64 MiB it is refused at more than ${mostTimes} times (in the library: maxExpansion). Decompressed, it has no limit.`;
  }
}

function megabytes(bytes: number): string {
  const millions = bytes / 1e6;
  return millions < 10 ? millions.toFixed(1) : thousands(millions);
}
