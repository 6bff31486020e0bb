import { SourceBrokenError } from '../model/errors.js';
import { MAX_TIMER_MS } from '../model/flush-timer.js';

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Whether the input ended without a line break after it. */
  readonly isCutOff: boolean;
}

/** Maximum length of a line, to bound memory. */
const MAX_LINE_BYTES: number = 64 * 2 ** 20;

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines, without blank ones. Lines that end within one piece are yielded
 * together.
 * @throws SourceBrokenError for a line that is too long or not UTF-8, after yielding all lines
 * before it
 */
export async function* splitLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[], void, undefined> {
  const cutter = new LineCutter(maxBytes);
  for await (const piece of pieces) yield* collect(cutter.add(piece));
  yield* collect(cutter.end());
}

/** Collects lines into one list, which is yielded before an error, too. */
function* collect(cut: Iterable<Line>): Generator<readonly Line[]> {
  const lines: Line[] = [];
  try {
    for (const line of cut) lines.push(line);
  } finally {
    if (lines.length > 0) yield lines;
  }
}

class LineCutter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #number = 0;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *add(piece: Uint8Array): Generator<Line> {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      this.#gather(piece.subarray(from, end));
      yield* this.#line(false);
      from = end + 1;
    }
    this.#gather(piece.subarray(from));
  }

  end(): Generator<Line> {
    return this.#line(true);
  }

  *#line(isCutOff: boolean): Generator<Line> {
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#number += 1;
    const text = this.#decode(bytes);
    if (text.trim() !== '') yield { number: this.#number, text, isCutOff };
  }

  #gather(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.byteLength;
    if (this.#pendingBytes > this.#maxBytes) {
      throw new SourceBrokenError(
        `Line ${this.#number + 1} has more than ${this.#maxBytes / 2 ** 20} MiB, too much for a Singer message: check what the tap writes.`,
      );
    }
    if (bytes.byteLength > 0) this.#pending.push(bytes);
  }

  #decode(bytes: Uint8Array | undefined): string {
    try {
      // Also strips a byte order mark.
      return this.#decoder.decode(bytes);
    } catch {
      throw new SourceBrokenError(
        `Line ${this.#number} is not UTF-8, as Singer messages must be: have the tap write UTF-8.`,
      );
    }
  }
}

/** Next step of reading: lines, the end of the input, the time limit, or an interruption. */
type Arrival = readonly Line[] | 'end' | 'due' | 'interrupted';

/** Reads lines with a time limit. */
export class LineReader {
  readonly #lines: AsyncIterator<readonly Line[], void>;
  readonly #stop: AbortSignal;
  /** Pending read, whose lines haven't been returned yet. */
  #pendingRead: Promise<IteratorResult<readonly Line[], void>> | undefined;

  constructor(lines: AsyncIterable<readonly Line[], void>, stop: AbortSignal) {
    this.#lines = lines[Symbol.asyncIterator]();
    this.#stop = stop;
  }

  /**
   * @param dueMs maximum time to wait for lines, in milliseconds; no limit by default
   * @throws any error of reading
   */
  async next(dueMs: number = MAX_TIMER_MS): Promise<Arrival> {
    if (this.#stop.aborted) return 'interrupted';
    this.#pendingRead ??= this.#lines.next();
    const step = await this.#firstOf(this.#pendingRead, Math.max(0, dueMs));
    if (this.#stop.aborted) return 'interrupted';
    if (step === 'due') return 'due';
    this.#pendingRead = undefined;
    return step.done ? 'end' : step.value;
  }

  async #firstOf<T>(read: Promise<T>, dueMs: number): Promise<T | 'due'> {
    let wake = (): void => {};
    const due = new Promise<'due'>((resolve) => {
      wake = () => resolve('due');
    });
    const timer = setTimeout(wake, dueMs);
    this.#stop.addEventListener('abort', wake);
    try {
      return await Promise.race([read, due]);
    } finally {
      clearTimeout(timer);
      this.#stop.removeEventListener('abort', wake);
    }
  }

  /** Stops reading, without waiting for the writer. */
  close(): void {
    void this.#lines.return?.()?.catch(() => {});
  }
}
