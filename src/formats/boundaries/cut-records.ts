import { ByteWindow } from '../../input/byte-window.js';
import { BrokenInput, brokenSource } from '../../input/raw-input.js';
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

/** A stretch of whole records, and why it ends. */
interface Stretch {
  readonly end: number;
  /** The line on which each record starts. */
  readonly recordLines: readonly number[];
  /** How many lines end in it. */
  readonly lines: number;
  readonly stop: Found | 'full' | 'end';
}

/** Cuts a text into chunks of whole records, whose ends a scanner finds. */
export class RecordCutter {
  readonly #source: ChunkSource;
  readonly #window: ByteWindow;
  readonly #limits: Limits;
  readonly #scanner: BoundaryScanner;
  /** Offset in the source behind which no record is cut. */
  readonly #to: number;
  /** Offset in the window's bytes of what has not been cut. */
  #at = 0;
  #loaded = false;
  #record: number;
  #line: number;

  constructor(
    window: ByteWindow,
    { source, limits, start, to }: Cutting,
    scanner: BoundaryScanner,
  ) {
    this.#source = source;
    this.#window = window;
    this.#limits = limits;
    this.#scanner = scanner;
    this.#to = to;
    this.#record = start.record;
    this.#line = start.line;
  }

  /** @throws SourceBrokenError after the last whole record, if the source can't be read on */
  async *chunks(): AsyncGenerator<Chunk, void, undefined> {
    const { chunkBytes } = this.#limits;
    const window = this.#window;
    for (let wanted = chunkBytes; this.#position().byte < this.#to; ) {
      await this.#need(wanted);
      const { end, recordLines, lines, stop } = this.#measure();
      const stuck = stop === 'more' && end === this.#at;
      if (recordLines.length > 0) {
        const position = this.#position();
        const records = recordLines.length;
        const bytes = copyOf(window.bytes, this.#at, end);
        yield { kind: 'bytes', ...this.#source, position, records, bytes, recordLines };
      }
      this.#pass(end, recordLines.length, lines);
      yield* this.#cutInvalid(stop);
      const isAll = (stop === 'end' || stop === 'more') && window.ended;
      if (isAll || stop === 'closed' || this.#scanner.fault !== undefined) break;
      // A record that does not end yet is looked at again only when there is twice as much of it.
      wanted = stuck ? Math.max(chunkBytes, 2 * (window.bytes.length - this.#at)) : chunkBytes;
    }
    if (this.#position().byte < this.#to) await this.#assertEnd();
  }

  /** What follows the last record must be the source's end. */
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
    const enough = window.ended || window.bytes.length - this.#at >= wanted;
    if (this.#loaded && enough) return;
    await window.fill(this.#at, wanted, this.#limits.flushMs);
    this.#at = 0;
    this.#load();
  }

  #load(): void {
    this.#scanner.load(this.#window.bytes, this.#window.complete);
    this.#loaded = true;
  }

  /** Counts whole records until there are enough bytes for a chunk, or something else comes. */
  #measure(): Stretch {
    const scanner = this.#scanner;
    const { length } = this.#window.bytes;
    const enough = Math.min(this.#at + this.#limits.chunkBytes, this.#to - this.#window.offset);
    let end = this.#at;
    const recordLines: number[] = [];
    let lines = 0;
    while (end < enough) {
      if (end === length) return { end, recordLines, lines, stop: 'end' };
      const found = scanner.scan(end);
      if (found === 'record') recordLines.push(this.#line + lines);
      else if (found !== 'nothing') return { end, recordLines, lines, stop: found };
      lines += scanner.lines;
      end = scanner.next;
    }
    return { end, recordLines, lines, stop: 'full' };
  }

  /** The record that makes no sense, or is longer than allowed: of that, keeps the start. */
  async *#cutInvalid(stop: Stretch['stop']): AsyncGenerator<Chunk, void, undefined> {
    if (stop === 'broken') {
      const { end, next, lines } = this.#scanner;
      const problem = this.#quoteProblem();
      const chunk = this.#brokenChunk(copyOf(this.#window.bytes, this.#at, end), problem);
      this.#pass(next, 1, lines);
      yield chunk;
    }
    if (stop !== 'over') return;
    const { maxRecordBytes } = this.#limits;
    const kept = copyOf(this.#window.bytes, this.#at, this.#at + maxRecordBytes);
    const chunk = this.#brokenChunk(kept, {
      kind: 'too-long',
      message: `the record is longer than ${maxRecordBytes} bytes: set maxRecordBytes higher, in the library, if it really is one record`,
    });
    if (!(await this.#skip())) return;
    this.#pass(this.#at, 1, 0);
    yield chunk;
  }

  /** What to say of the record that the scanner has found to be broken. */
  #quoteProblem(): BrokenChunk['problem'] {
    const { broken } = this.#scanner;
    const { dialect } = this.#source.layout;
    if (broken === undefined || dialect === undefined) throw new Error('No quote is broken.');
    const { kind, after } = broken;
    const { delimiter, quote, escape: mark } = dialect;
    const line = this.#line + broken.lines;
    const otherwise =
      mark === null
        ? 'choose another quote'
        : `write a quote inside of a quoted field as ${mark}${quote}`;
    if (kind === 'unclosed-quote') {
      return {
        kind,
        message: `the quote (${quote}) that opens a field on line ${line} is never properly closed; only this line is left out: close the quote, remove the quote, or ${otherwise}`,
      };
    }
    const [following] = [
      ...this.#window.bytes.toString('utf8', after, after + MAX_CHARACTER_BYTES),
    ];
    const shown = delimiter === '\t' ? 'tab' : delimiter;
    return {
      kind,
      message: `the quoted field that opens on line ${line} is closed, but then ${JSON.stringify(following)} stands where only a delimiter (${shown}) or the end of the line may follow: remove the quote, or ${otherwise}; if quotes mean nothing in this file, set quote to null (--quote "")`,
    };
  }

  /** Passes what the scanner skips. Returns whether its end was found. */
  async #skip(): Promise<boolean> {
    const window = this.#window;
    const scanner = this.#scanner;
    for (;;) {
      const isDone = scanner.skip(this.#at);
      if (scanner.fault !== undefined) return false;
      this.#pass(scanner.next, 0, scanner.lines);
      if (isDone || window.ended) return isDone;
      await window.fill(this.#at, this.#limits.chunkBytes);
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
 * Cuts lines that a format writes itself, one for each record, into chunks.
 * @param line number of the first line (or row), from 1
 * @throws SourceBrokenError after the last line that could be read, if the pieces fail
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
    yield* new RecordCutter(window, cutting, scanner).chunks();
  } finally {
    await window.close();
  }
}

/** Finds the records of a chunk of lines again. */
export function locateLines(chunk: Located, rules: RecordRules): LocatedRecord[] {
  return locateRecords(chunk, new RecordScanner(rules));
}

/** Finds the records of a chunk again. */
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
    else if (found !== 'nothing') throw new Error(`A chunk holds a record that is ${found}.`);
    line += scanner.lines;
  }
  return records;
}

/** A copy in memory of its own, which can be handed to another thread. */
function copyOf(bytes: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}
