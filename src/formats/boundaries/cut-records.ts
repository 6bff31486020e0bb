import { BrokenInput, brokenSource } from '../../input/broken-input.js';
import { ByteWindow } from '../../input/byte-window.js';
import {
  asBuffer,
  type BrokenChunk,
  type Chunk,
  countLineEnds,
  type Position,
} from '../../model/chunk.js';
import type {
  BoundaryScanner,
  ChunkSource,
  Cutting,
  Found,
  Located,
  LocatedRecord,
} from '../format.js';
import type { Limits } from '../options.js';
import { lineRules, type RecordRules, RecordScanner } from './record-scanner.js';

const MAX_CHARACTER_BYTES = 4;

interface Measured {
  readonly end: number;
  /** End of the last record; what follows may be half a comment. */
  readonly recordsEnd: number;
  /** Line number of each record. */
  readonly recordLines: readonly number[];
  readonly lines: number;
  readonly stop: Found | 'full' | 'end';
}

/** Cuts a text into chunks of whole records, using a scanner. */
export class RecordCutter {
  readonly #source: ChunkSource;
  readonly #window: ByteWindow;
  readonly #limits: Limits;
  readonly #scanner: BoundaryScanner;
  readonly #linesIn: ((element: Buffer) => readonly number[]) | undefined;
  /** Offset in the source at and after which no record is cut. */
  readonly #to: number;
  /** Offset in the window of the first byte that isn't cut yet. */
  #at = 0;
  #isLoaded = false;
  #record: number;
  #line: number;

  constructor(
    window: ByteWindow,
    { source, limits, start, to }: Cutting,
    scanner: BoundaryScanner,
    linesIn?: (element: Buffer) => readonly number[],
  ) {
    this.#source = source;
    this.#window = window;
    this.#limits = limits;
    this.#scanner = scanner;
    this.#linesIn = linesIn;
    this.#to = to;
    this.#record = start.record;
    this.#line = start.line;
  }

  /** @throws SourceBrokenError after the last whole record, if the source can't be read further */
  async *cut(): AsyncGenerator<Chunk, void, undefined> {
    const { chunkBytes } = this.#limits;
    const window = this.#window;
    for (let wanted = chunkBytes; this.#position().byte < this.#to; ) {
      await this.#need(wanted);
      if (this.#scanner.startsAtRecords) this.#skipBetweenRecords();
      const { end, recordsEnd, recordLines, lines, stop } = this.#measure();
      const holdsNoRecord = stop === 'need-more-data' && end === this.#at;
      if (recordLines.length > 0) {
        const position = this.#position();
        const records = recordLines.length;
        const bytes = copyForTransfer(window.bytes, this.#at, recordsEnd);
        yield { kind: 'bytes', ...this.#source, position, records, bytes, recordLines };
      }
      this.#pass(end, recordLines.length, lines);
      yield* this.#cutInvalid(stop);
      if (this.#isLast(stop)) break;
      // Rescan an incomplete record only once there is twice as much of it, to stay linear.
      wanted = holdsNoRecord
        ? Math.max(chunkBytes, 2 * (window.bytes.length - this.#at))
        : chunkBytes;
    }
    if (this.#position().byte < this.#to) await this.#assertEnd();
  }

  /** Returns whether nothing is cut after this stop. */
  #isLast(stop: Measured['stop']): boolean {
    // Nothing more comes: the rest, if there is any, is half a record of a source that failed.
    if (this.#window.ended && (stop === 'end' || stop === 'need-more-data')) return true;
    // After the list of records, or a fault, the rest is only checked.
    return stop === 'closed' || this.#scanner.fault !== undefined;
  }

  /** Checks that only the source's end follows the last record. */
  async #assertEnd(): Promise<void> {
    if (this.#scanner.fault === undefined) await this.#skip();
    const { source } = this.#source;
    const { fault } = this.#scanner;
    const { bytes, failure } = this.#window;
    if (fault !== undefined) {
      const line = this.#line + countLineEnds(bytes, this.#at, fault.at);
      const error = new BrokenInput(`${fault.reason}, on line ${line}`, fault.remedy);
      throw brokenSource(source, { ...this.#position(), line }, error);
    }
    if (failure !== undefined) throw brokenSource(source, this.#position(), failure.error);
  }

  async #need(wanted: number): Promise<void> {
    const window = this.#window;
    const isThere = window.ended || window.bytes.length - this.#at >= wanted;
    if (this.#isLoaded && isThere) return;
    await window.fill(this.#at, wanted, this.#limits.flushMs);
    this.#at = 0;
    this.#load();
  }

  #load(): void {
    this.#scanner.load(this.#window.bytes, this.#window.complete);
    this.#isLoaded = true;
  }

  /** Skips what precedes the next record, as far as it is loaded. */
  #skipBetweenRecords(): void {
    const { length } = this.#window.bytes;
    while (this.#at < length && this.#scanner.scan(this.#at) === 'blank') {
      this.#pass(this.#scanner.next, 0, this.#scanner.lines);
    }
  }

  /** Counts whole records until a chunk is full or the scanner finds something else. */
  #measure(): Measured {
    const scanner = this.#scanner;
    const { length } = this.#window.bytes;
    const until = Math.min(this.#at + this.#limits.chunkBytes, this.#to - this.#window.offset);
    let end = this.#at;
    let recordsEnd = end;
    const recordLines: number[] = [];
    let lines = 0;
    while (end < until) {
      if (end === length) return { end, recordsEnd, recordLines, lines, stop: 'end' };
      const found = scanner.scan(end);
      if (found === 'record') {
        const start = this.#line + lines;
        const inside = this.#linesIn?.(this.#window.bytes.subarray(end, scanner.end));
        if (inside === undefined) recordLines.push(start);
        else for (const line of inside) recordLines.push(start + line);
        recordsEnd = scanner.next;
      } else if (found !== 'blank') return { end, recordsEnd, recordLines, lines, stop: found };
      lines += scanner.lines;
      end = scanner.next;
    }
    return { end, recordsEnd, recordLines, lines, stop: 'full' };
  }

  /** Yields a record that is malformed or too long; of the latter only the start. */
  async *#cutInvalid(stop: Measured['stop']): AsyncGenerator<Chunk, void, undefined> {
    if (stop === 'broken') {
      const { end, next, lines } = this.#scanner;
      const problem = this.#quoteProblem();
      const chunk = this.#brokenChunk(copyForTransfer(this.#window.bytes, this.#at, end), problem);
      this.#pass(next, 1, lines);
      yield chunk;
    }
    if (stop !== 'too-long') return;
    const { maxRecordBytes } = this.#limits;
    const start = copyForTransfer(this.#window.bytes, this.#at, this.#at + maxRecordBytes);
    const chunk = this.#brokenChunk(start, {
      kind: 'too-long',
      message: `the record is longer than ${maxRecordBytes} bytes: if it really is one record, raise maxRecordBytes under input in the mapping`,
    });
    if (!(await this.#skip())) return;
    this.#pass(this.#at, 1, 0);
    yield chunk;
  }

  #quoteProblem(): BrokenChunk['problem'] {
    const { broken } = this.#scanner;
    const { dialect } = this.#source.layout;
    if (broken === undefined || dialect === undefined) throw new Error('No quote is broken.');
    const { kind, after } = broken;
    const { delimiter, quote, escape: mark } = dialect;
    const line = this.#line + broken.lines;
    const alternative =
      mark === null
        ? 'choose another quote'
        : `write quotes inside quoted fields as ${mark}${quote}`;
    if (kind === 'unclosed-quote') {
      return {
        kind,
        message: `the quote (${quote}) that opens a field on line ${line} is never closed properly; only this line is skipped: close or remove the quote, or ${alternative}`,
      };
    }
    const [following] = [
      ...this.#window.bytes.toString('utf8', after, after + MAX_CHARACTER_BYTES),
    ];
    const shown = delimiter === '\t' ? 'tab' : delimiter;
    return {
      kind,
      message: `the quoted field that starts on line ${line} is closed before ${JSON.stringify(following)}, but only a delimiter (${shown}) or the end of the line may follow: remove the quote, or ${alternative}. If quotes have no meaning in this file, set quote to null (--quote "")`,
    };
  }

  /** Skips what the scanner skips. Returns whether its end was found. */
  async #skip(): Promise<boolean> {
    const window = this.#window;
    const scanner = this.#scanner;
    for (;;) {
      const isComplete = scanner.skip(this.#at);
      if (scanner.fault !== undefined) return false;
      this.#pass(scanner.next, 0, scanner.lines);
      if (isComplete || window.ended) return isComplete;
      const left = window.bytes.length - this.#at;
      await window.fill(this.#at, Math.max(this.#limits.chunkBytes, 2 * left));
      this.#at = 0;
      this.#load();
    }
  }

  #brokenChunk(bytes: Buffer, problem: BrokenChunk['problem']): BrokenChunk {
    const position = this.#position();
    return { kind: 'broken', ...this.#source, position, records: 1, bytes, problem };
  }

  #position(): Position {
    return { byte: this.#window.offset + this.#at, record: this.#record, line: this.#line };
  }

  #pass(end: number, records: number, lines: number): void {
    this.#at = end;
    this.#record += records;
    this.#line += lines;
  }
}

/**
 * Cuts lines written by a format itself, one per record, into chunks.
 * @param line number of the first line (or row), from 1
 * @throws SourceBrokenError after the last readable line, if the pieces fail
 */
export async function* cutLines(
  pieces: AsyncIterable<Uint8Array>,
  { source, limits }: Pick<Cutting, 'source' | 'limits'>,
  line: number,
): AsyncGenerator<Chunk, void, undefined> {
  const window = new ByteWindow(pieces);
  const start = { byte: 0, record: 1, line };
  const cutting = { source, limits, start, to: Number.POSITIVE_INFINITY, tail: Buffer.alloc(0) };
  try {
    const scanner = new RecordScanner(lineRules(limits.maxRecordBytes));
    yield* new RecordCutter(window, cutting, scanner).cut();
  } finally {
    await window.close();
  }
}

export function locateLines(chunk: Located, rules: RecordRules): LocatedRecord[] {
  return locateRecords(chunk, new RecordScanner(rules));
}

export function locateRecords(
  { bytes, position }: Located,
  scanner: BoundaryScanner,
): LocatedRecord[] {
  const buffer = asBuffer(bytes);
  scanner.load(buffer, true);
  const records: LocatedRecord[] = [];
  let { line } = position;
  for (let start = 0; start < buffer.length; start = scanner.next) {
    const found = scanner.scan(start);
    if (found === 'record') records.push({ line, start, end: scanner.end });
    else if (found !== 'blank') throw new Error(`A chunk holds a record that is ${found}.`);
    line += scanner.lines;
  }
  return records;
}

/** Copies into separate memory that can be transferred to another thread. */
function copyForTransfer(bytes: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}
