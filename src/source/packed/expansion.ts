import { BrokenInput } from '../broken-input.js';

/** So much may come out of any archive: what is small does no harm. */
const HARMLESS_BYTES = 64 * 1024 * 1024;

/** Holds how much may come out of packed data, so that a few bytes don't keep a run busy for days. */
export class Expansion {
  readonly #mostTimes: number;
  #packed = 0;
  #unpacked = 0;

  /** @param mostTimes how many times its packed size the data may have */
  constructor(mostTimes: number) {
    this.#mostTimes = mostTimes;
  }

  /** So many packed bytes have been read. */
  read(bytes: number): void {
    this.#packed += bytes;
  }

  /**
   * So many bytes have come out.
   * @throws BrokenInput if they are too many
   */
  gave(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked <= HARMLESS_BYTES || this.#unpacked <= this.#packed * this.#mostTimes)
      return;
    throw new BrokenInput(
      `unpacked it is more than ${this.#mostTimes} times as large as packed, as if it were made to fill disks`,
      'If it really is an export, set maxExpansion (--max-expansion) higher.',
    );
  }
}

/**
 * Unpacks within bounds.
 * @throws BrokenInput if the data ends early, is damaged, or becomes too large
 */
export async function* unpackWithin(
  mostTimes: number,
  pieces: AsyncIterable<Uint8Array>,
  unpack: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const expansion = new Expansion(mostTimes);
  const counted = passing(pieces, (bytes) => expansion.read(bytes));
  yield* passing(unpack(counted), (bytes) => expansion.gave(bytes));
}

/** The same pieces; each is told of before it is handed on. */
export async function* passing(
  pieces: AsyncIterable<Uint8Array>,
  tell: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    tell(piece.length);
    yield piece;
  }
}
