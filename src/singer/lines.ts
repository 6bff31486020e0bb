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

/** As long as a timer can. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Waits for lines, and for no longer than it may. */
export class Inbox {
  readonly #lines: AsyncIterator<readonly Line[], void>;
  readonly #stop: AbortSignal;
  /** Lines that were asked for, and have not been handed on. */
  #asked: Promise<IteratorResult<readonly Line[], void>> | undefined;

  constructor(lines: AsyncIterable<readonly Line[], void>, stop: AbortSignal) {
    this.#lines = lines[Symbol.asyncIterator]();
    this.#stop = stop;
  }

  /**
   * @param dueMs how long to wait for lines, in milliseconds; default: until they come
   * @throws what reading throws
   */
  async next(dueMs: number = MAX_WAIT_MS): Promise<Arrival> {
    if (this.#stop.aborted) return 'interrupted';
    this.#asked ??= this.#lines.next();
    const step = await this.#firstOf(this.#asked, Math.max(0, dueMs));
    if (this.#stop.aborted) return 'interrupted';
    if (step === 'due') return 'due';
    this.#asked = undefined;
    return step.done ? 'end' : step.value;
  }

  async #firstOf<T>(asked: Promise<T>, dueMs: number): Promise<T | 'due'> {
    let wake = (): void => {};
    const due = new Promise<'due'>((resolve) => {
      wake = () => resolve('due');
    });
    const timer = setTimeout(wake, dueMs);
    this.#stop.addEventListener('abort', wake);
    try {
      return await Promise.race([asked, due]);
    } finally {
      clearTimeout(timer);
      this.#stop.removeEventListener('abort', wake);
    }
  }

  /** Nothing more is wanted. Whoever writes is not waited for. */
  close(): void {
    void this.#lines.return?.()?.catch(() => {});
  }
}
