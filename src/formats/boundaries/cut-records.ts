import { brokenSource } from '../../input/broken-input.js';
import type { ByteWindow } from '../../input/byte-window.js';
import type { Limits } from '../../input/limits.js';
import type { BrokenChunk, Chunk, Layout, Position } from '../../model/chunk.js';
import { lengthProblem, quoteProblem } from './broken-record.js';
import { countLineEnds, nextLineStart } from './line-ends.js';
import { rulesOf } from './record-rules.js';
import { type Found, RecordScanner } from './record-scanner.js';

/** What all chunks of a source have in common. */
export interface ChunkSource<L extends Layout = Layout> {
  readonly source: string;
  readonly input: number;
  readonly layout: L;
  readonly decodedFrom?: string;
}

type LineLayout = Layout & { readonly format: 'csv' | 'jsonl' };

/** A stretch of whole records, and why it ends. */
interface Stretch {
  readonly end: number;
  readonly records: number;
  readonly lines: number;
  readonly stop: Found | 'full' | 'end';
}

const LF = 0x0a;

/** Cuts a CSV or JSON Lines source into chunks. */
export class RecordCutter {
  readonly #source: ChunkSource<LineLayout>;
  readonly #window: ByteWindow;
  readonly #limits: Limits;
  readonly #scanner: RecordScanner;
  /** Offset in the window's bytes of what has not been cut. */
  #at = 0;
  #loaded = false;
  #record: number;
  #line: number;

  /** @param start where the window's first byte stands */
  constructor(
    source: ChunkSource<LineLayout>,
    window: ByteWindow,
    limits: Limits,
    start: Position,
  ) {
    this.#source = source;
    this.#window = window;
    this.#limits = limits;
    this.#scanner = new RecordScanner(rulesOf(source.layout, limits.maxRecordBytes));
    this.#record = start.record;
    this.#line = start.line;
  }

  /** @throws SourceBrokenError after the last whole record, if the source breaks off */
  async *chunks(): AsyncGenerator<Chunk, void, undefined> {
    const { chunkBytes } = this.#limits;
    const window = this.#window;
    for (let wanted = chunkBytes; ; ) {
      await this.#need(wanted);
      const stretch = this.#measure();
      const stuck = stretch.stop === 'more' && stretch.end === this.#at;
      if (stretch.records > 0) yield this.#cut(stretch);
      this.#pass(stretch.end, stretch.records, stretch.lines);
      if (stretch.stop === 'broken') yield this.#cutBroken();
      else if (stretch.stop === 'over') yield* this.#cutOver();
      else if (stretch.stop !== 'full' && window.ended) break;
      // A record that does not end yet is looked at again only when there is twice as much of it.
      wanted = stuck ? Math.max(chunkBytes, 2 * (window.bytes.length - this.#at)) : chunkBytes;
    }
    if (window.failure !== undefined) {
      throw brokenSource(this.#source.source, this.#position(), window.failure.error);
    }
  }

  async #need(wanted: number): Promise<void> {
    const window = this.#window;
    const enough = window.ended || window.bytes.length - this.#at >= wanted;
    if (this.#loaded && enough) return;
    await window.fill(this.#at, wanted);
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
    const enough = this.#at + this.#limits.chunkBytes;
    let end = this.#at;
    let records = 0;
    let lines = 0;
    while (end < enough) {
      if (end === length) return { end, records, lines, stop: 'end' };
      const found = scanner.scan(end);
      if (found === 'record') records += 1;
      else if (found !== 'nothing') return { end, records, lines, stop: found };
      lines += scanner.lines;
      end = scanner.next;
    }
    return { end, records, lines, stop: 'full' };
  }

  #cut({ end, records }: Stretch): Chunk {
    const bytes = copyOf(this.#window.bytes, this.#at, end);
    return { kind: 'bytes', ...this.#source, position: this.#position(), records, bytes };
  }

  /** The broken record that the scanner has just found. */
  #cutBroken(): BrokenChunk {
    const { end, next, lines } = this.#scanner;
    const problem = this.#quoteProblem();
    const chunk = this.#brokenChunk(copyOf(this.#window.bytes, this.#at, end), problem);
    this.#pass(next, 1, lines);
    return chunk;
  }

  #quoteProblem(): BrokenChunk['problem'] {
    const { broken } = this.#scanner;
    const { layout } = this.#source;
    if (broken === undefined || layout.format !== 'csv') throw new Error('No quote is broken.');
    const following = broken.after < 0 ? '' : firstCharacter(this.#window.bytes, broken.after);
    return quoteProblem(broken, this.#line + broken.lines, layout.dialect, following);
  }

  /** A record longer than allowed: keeps its start, and passes by the rest of its line. */
  async *#cutOver(): AsyncGenerator<Chunk, void, undefined> {
    const { maxRecordBytes } = this.#limits;
    const kept = copyOf(this.#window.bytes, this.#at, this.#at + maxRecordBytes);
    const chunk = this.#brokenChunk(kept, lengthProblem(maxRecordBytes));
    this.#at += maxRecordBytes;
    const whole = await this.#skipLine();
    if (!whole) return;
    this.#pass(this.#at, 1, countLineEnds(kept) + 1);
    yield chunk;
  }

  /** Goes to the start of the next line. Returns whether the line's end is known. */
  async #skipLine(): Promise<boolean> {
    const window = this.#window;
    for (;;) {
      const { bytes, ended } = window;
      const next = nextLineStart(bytes, this.#at);
      // A CR at the end of what has been read may be half of a CRLF.
      if (next >= 0 && (next < bytes.length || bytes[next - 1] === LF || ended)) {
        this.#at = next;
        return true;
      }
      if (ended) {
        this.#at = bytes.length;
        return window.complete;
      }
      await window.fill(next < 0 ? bytes.length : next - 1, this.#limits.chunkBytes);
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

/** A copy in memory of its own, which can be handed to another thread. */
export function copyOf(bytes: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}

/** The character at an offset. */
function firstCharacter(bytes: Buffer, at: number): string {
  return [...bytes.subarray(at, at + 4).toString('utf8')][0] ?? '';
}
