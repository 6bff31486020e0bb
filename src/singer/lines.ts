import { SourceBrokenError } from '../model/errors.js';

/** A line of a tap's output. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** A line that is longer is no message: it would only fill the memory. */
const MAX_LINE_BYTES: number = 64 * 2 ** 20;

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
  for await (const piece of pieces) yield* together(cutter.add(piece));
  yield* together(cutter.end());
}

/** All lines at once, also those before one that throws. */
function* together(cut: Iterable<Line>): Generator<readonly Line[]> {
  const lines: Line[] = [];
  try {
    for (const line of cut) lines.push(line);
  } catch (error) {
    if (lines.length > 0) yield lines;
    throw error;
  }
  if (lines.length > 0) yield lines;
}

class LineCutter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #number = 0;
  /** The pieces of the line that has not ended yet. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *add(piece: Uint8Array): Generator<Line> {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      this.#gather(piece.subarray(from, end));
      yield* this.end();
      from = end + 1;
    }
    this.#gather(piece.subarray(from));
  }

  /** Ends a line. */
  *end(): Generator<Line> {
    const bytes = this.#begun.length === 1 ? this.#begun[0] : Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    this.#number += 1;
    const text = this.#decode(bytes);
    if (text.trim() !== '') yield { number: this.#number, text };
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

  #decode(bytes: Uint8Array | undefined): string {
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

/** What comes next: lines, or that there are none, that it is time, or that somebody has interrupted. */
type Arrival = readonly Line[] | 'end' | 'due' | 'interrupted';

/** Waits for lines, and for no longer than it may. */
export class Inbox {
  readonly #lines: AsyncIterator<readonly Line[], void>;
  readonly #stop: AbortSignal;
  #reading = false;
  #arrived: { readonly step: IteratorResult<readonly Line[], void> } | undefined;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(lines: AsyncIterable<readonly Line[], void>, stop: AbortSignal) {
    this.#lines = lines[Symbol.asyncIterator]();
    this.#stop = stop;
    stop.addEventListener('abort', () => this.#wake());
  }

  /**
   * @param dueMs how long to wait for lines, in milliseconds; default: until they come
   * @throws what reading throws
   */
  async next(dueMs?: number): Promise<Arrival> {
    if (this.#stop.aborted) return 'interrupted';
    this.#read();
    if (this.#arrived === undefined && this.#failure === undefined) await this.#sleep(dueMs);
    if (this.#stop.aborted) return 'interrupted';
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#arrived === undefined) return 'due';
    const { step } = this.#arrived;
    this.#arrived = undefined;
    return step.done ? 'end' : step.value;
  }

  /** Nothing more is wanted. Whoever writes is not waited for. */
  close(): void {
    void this.#lines.return?.()?.catch(() => {});
  }

  #read(): void {
    if (this.#reading || this.#arrived !== undefined) return;
    this.#reading = true;
    this.#lines
      .next()
      .then(
        (step) => {
          this.#arrived = { step };
        },
        (error: unknown) => {
          this.#failure = { error };
        },
      )
      .finally(() => {
        this.#reading = false;
        this.#wake();
      });
  }

  async #sleep(dueMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (dueMs !== undefined) timer = setTimeout(resolve, Math.max(0, dueMs));
    });
    clearTimeout(timer);
  }
}
