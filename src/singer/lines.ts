import { SourceBrokenError } from '../model/errors.js';

/** A line of a tap's output. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** A line that is longer is no message: it would only fill the memory. */
export const MAX_LINE_BYTES: number = 64 * 2 ** 20;

const NEWLINE = 0x0a;

/**
 * Cuts bytes into lines, blank ones left out. Those that one piece ends come together.
 * @throws SourceBrokenError for a line that is too long or not UTF-8, after all before it
 */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[], void, undefined> {
  const cutter = new LineCutter(maxBytes);
  for await (const piece of pieces) yield* linesOf(cutter, () => cutter.add(piece));
  yield* linesOf(cutter, () => cutter.end());
}

/** What is wrong with a line is told once those before it were given. */
function* linesOf(cutter: LineCutter, cut: () => void): Generator<readonly Line[]> {
  let failure: { readonly error: unknown } | undefined;
  try {
    cut();
  } catch (error) {
    failure = { error };
  }
  const lines = cutter.take();
  if (lines.length > 0) yield lines;
  if (failure !== undefined) throw failure.error;
}

class LineCutter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #lines: Line[] = [];
  #number = 0;
  /** The pieces of the line that has not ended yet. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(piece: Uint8Array): void {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(NEWLINE, from);
      if (end < 0) break;
      this.#gather(piece.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#gather(piece.subarray(from));
  }

  end(): void {
    if (this.#begunBytes > 0) this.#endLine();
  }

  take(): readonly Line[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  #gather(bytes: Uint8Array): void {
    this.#begunBytes += bytes.byteLength;
    if (this.#begunBytes > this.#maxBytes) {
      throw new SourceBrokenError(
        `Line ${this.#number + 1} has more than ${this.#maxBytes / 2 ** 20} MiB, which is no message of a tap: look at what is piped into the target.`,
      );
    }
    if (bytes.byteLength > 0) this.#begun.push(bytes);
  }

  #endLine(): void {
    const [first] = this.#begun;
    const bytes =
      this.#begun.length === 1 && first !== undefined ? first : Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    this.#number += 1;
    const text = this.#decode(bytes);
    if (text.trim() !== '') this.#lines.push({ number: this.#number, text });
  }

  #decode(bytes: Uint8Array): string {
    try {
      // It takes a byte order mark away.
      return this.#decoder.decode(bytes);
    } catch {
      throw new SourceBrokenError(
        `Line ${this.#number} is not UTF-8: Singer messages are; have the tap write that encoding.`,
      );
    }
  }
}
