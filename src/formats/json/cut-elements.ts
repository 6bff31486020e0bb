import { BrokenInput, brokenSource } from '../../input/broken-input.js';
import type { ByteWindow } from '../../input/byte-window.js';
import type { Limits } from '../../input/limits.js';
import type { Chunk, Position } from '../../model/chunk.js';
import { asBuffer, countLineEnds } from '../../model/chunk.js';
import { lengthProblem } from '../boundaries/broken-record.js';
import { copyOf } from '../boundaries/cut-records.js';
import type { ChunkSource, Cutting, Located, LocatedRecord } from '../format.js';
import { AT_END, DEEPEST, isJsonBlank, JsonScanner, MISMATCH } from './json-scanner.js';

/** Why a stretch of elements ends. */
type Stop = 'full' | 'more' | 'closed' | 'ended' | 'over' | 'mismatch';

const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const CR = 0x0d;
const REMEDY = 'Fix the document or fetch it again, then run the import again.';

/** Cuts the elements of a list in a JSON document, or values one after another, into chunks. */
export class ElementCutter {
  readonly #source: ChunkSource;
  readonly #window: ByteWindow;
  readonly #limits: Limits;
  readonly #inList: boolean;
  readonly #scanner: JsonScanner;
  /** The brackets that close the document after the list's own, in that order. */
  readonly #closing: Uint8Array;
  /** Where the chunk starts in the window's bytes. */
  #start = 0;
  /** Where the element starts that has not ended yet. */
  #element = 0;
  /** How far the bytes have been scanned. */
  #scanned = 0;
  /** Whole elements between `start` and `element`. */
  #elements = 0;
  #record: number;
  #line: number;

  /** The window's first byte is the one behind the list's bracket, or the first value's. */
  constructor(window: ByteWindow, { source, limits, start, tail }: Cutting) {
    this.#source = source;
    this.#window = window;
    this.#limits = limits;
    this.#inList = source.layout.inList === true;
    this.#scanner = new JsonScanner(this.#inList);
    this.#record = start.record;
    this.#line = start.line;
    // The tail closes the list itself first.
    this.#closing = tail.subarray(1);
  }

  /** @throws SourceBrokenError after the last whole element, if the document makes no sense behind it */
  async *chunks(): AsyncGenerator<Chunk, void, undefined> {
    await this.#window.fill(0, this.#limits.chunkBytes);
    for (;;) {
      const stop = this.#measure();
      if (this.#elements > 0) yield this.#cut();
      if (stop === 'ended') return;
      if (stop === 'closed') break;
      if (stop === 'more' || stop === 'mismatch') await this.#readOn(stop);
      if (stop === 'over') {
        yield await this.#cutOver();
        if (this.#closesList(this.#scanned)) break;
        this.#passDelimiter();
      }
    }
    await this.#readTail();
  }

  /** Passes whole elements until there are enough bytes for a chunk, or something else comes. */
  #measure(): Stop {
    const { bytes } = this.#window;
    while (this.#element - this.#start < this.#limits.chunkBytes) {
      const at = this.#scanner.scan(bytes, this.#scanned);
      const trouble = this.#troubleAt(at);
      if (trouble !== undefined) return trouble;
      if (this.#isEmptyList(at)) return 'closed';
      this.#elements += 1;
      this.#element = at + 1;
      if (this.#closesList(at)) return 'closed';
      this.#scanned = at + 1;
    }
    return 'full';
  }

  /** Why what was scanned is no whole element, if it is none. */
  #troubleAt(at: number): Stop | undefined {
    if (at === MISMATCH) {
      this.#scanned = this.#scanner.mismatch;
      return 'mismatch';
    }
    this.#scanned = at === AT_END ? this.#window.bytes.length : at;
    if (this.#scanned - this.#element > this.#limits.maxRecordBytes) return 'over';
    if (at === AT_END) return this.#hasEnded() ? 'ended' : 'more';
    return this.#isDelimiter(at) ? undefined : 'mismatch';
  }

  #bracketsReason(): string {
    return this.#scanner.tooDeep
      ? `its lists and objects are nested more than ${DEEPEST} levels deep`
      : 'its brackets do not match';
  }

  /** Whether an element may end here: that values one after another do, the scanner knows. */
  #isDelimiter(at: number): boolean {
    return !this.#inList || this.#window.bytes[at] === COMMA || this.#closesList(at);
  }

  #closesList(at: number): boolean {
    return this.#inList && this.#window.bytes[at] === CLOSE_LIST;
  }

  /** Whether only blanks follow the last of several values. */
  #hasEnded(): boolean {
    const { bytes, complete } = this.#window;
    return !this.#inList && complete && bytes.subarray(this.#element).every(isJsonBlank);
  }

  /** Whether the list is closed before anything stood in it. */
  #isEmptyList(at: number): boolean {
    const { bytes } = this.#window;
    if (!this.#closesList(at) || this.#record + this.#elements > 1) return false;
    return bytes.subarray(this.#element, at).every(isJsonBlank);
  }

  #cut(): Chunk {
    const { bytes } = this.#window;
    const chunk: Chunk = {
      kind: 'bytes',
      ...this.#source,
      position: this.#position(),
      records: this.#elements,
      bytes: copyOf(bytes, this.#start, this.#element - (this.#inList ? 1 : 0)),
    };
    this.#line += countLineEnds(bytes, this.#start, this.#element);
    this.#record += this.#elements;
    this.#elements = 0;
    this.#start = this.#element;
    return chunk;
  }

  /** Reads on, so that an element which has not ended is looked at with twice as much of it. */
  async #readOn(stop: Stop): Promise<void> {
    if (stop === 'mismatch') this.#fail(this.#scanned, this.#bracketsReason());
    const window = this.#window;
    const unread = window.bytes.length - this.#start;
    const where = this.#inList ? 'the list' : 'a value';
    if (window.ended) this.#fail(window.bytes.length, `it ends in the middle of ${where}`);
    await window.fill(this.#start, Math.max(this.#limits.chunkBytes, 2 * unread));
    this.#scanned -= this.#start;
    this.#element -= this.#start;
    this.#start = 0;
  }

  /** An element longer than allowed: keeps its start, and goes to its end. */
  async #cutOver(): Promise<Chunk> {
    const { maxRecordBytes } = this.#limits;
    const position = this.#position();
    const bytes = copyOf(this.#window.bytes, this.#start, this.#start + maxRecordBytes);
    const problem = lengthProblem(maxRecordBytes);
    await this.#nextDelimiter();
    if (!this.#isDelimiter(this.#scanned)) this.#fail(this.#scanned, this.#bracketsReason());
    this.#record += 1;
    return { kind: 'broken', ...this.#source, position, records: 1, bytes, problem };
  }

  /** Scans to the next delimiter without keeping what is passed. */
  async #nextDelimiter(): Promise<void> {
    const window = this.#window;
    for (;;) {
      const at = this.#scanner.scan(window.bytes, this.#scanned);
      if (at === MISMATCH) this.#fail(this.#scanner.mismatch, this.#bracketsReason());
      if (at !== AT_END) {
        this.#scanned = at;
        return;
      }
      if (window.ended) this.#fail(window.bytes.length, 'it ends before its last bracket');
      await this.#dropRead();
    }
  }

  async #dropRead(): Promise<void> {
    const { bytes } = this.#window;
    // A CR may be the first half of a CRLF, which is one line end.
    const used = bytes.length - (bytes.at(-1) === CR ? 1 : 0);
    this.#line += countLineEnds(bytes, this.#start, used);
    await this.#window.fill(used, this.#limits.chunkBytes);
    this.#start = 0;
    this.#element = 0;
    this.#scanned = bytes.length - used;
  }

  #passDelimiter(): void {
    const next = this.#scanned + 1;
    this.#line += countLineEnds(this.#window.bytes, this.#start, next);
    this.#start = next;
    this.#element = next;
    this.#scanned = next;
  }

  /** Makes sure that the document ends as it should: what follows the list holds no records. */
  async #readTail(): Promise<void> {
    this.#passDelimiter();
    for (const bracket of this.#closing) {
      do {
        await this.#nextDelimiter();
        this.#passDelimiter();
      } while (this.#window.bytes[this.#scanned - 1] === COMMA);
      if (this.#window.bytes[this.#scanned - 1] !== bracket) {
        this.#fail(this.#scanned, this.#bracketsReason());
      }
    }
    for (;;) {
      const { bytes, ended, failure } = this.#window;
      const at = bytes.subarray(this.#scanned).findIndex((byte) => !isJsonBlank(byte));
      if (at >= 0) this.#fail(this.#scanned + at, 'something follows the end of the document');
      if (failure !== undefined) this.#fail(bytes.length, '');
      if (ended) return;
      this.#scanned = bytes.length;
      await this.#dropRead();
    }
  }

  /** @param at where in the window's bytes the trouble is */
  #fail(at: number, reason: string): never {
    const { bytes, ended, failure } = this.#window;
    const line = this.#line + countLineEnds(bytes, this.#start, at);
    const broken = new BrokenInput(`${reason}, on line ${line}`, REMEDY);
    const error = ended && at === bytes.length && failure !== undefined ? failure.error : broken;
    throw brokenSource(this.#source.source, { ...this.#position(), line }, error);
  }

  #position(): Position {
    return { byte: this.#window.offset + this.#start, record: this.#record, line: this.#line };
  }
}

/** Finds the elements of a chunk again. */
export function locateElements({ bytes: chunk, layout, position }: Located): LocatedRecord[] {
  const bytes = asBuffer(chunk);
  const inList = layout.inList === true;
  const scanner = new JsonScanner(inList);
  const records: LocatedRecord[] = [];
  let { line } = position;
  let counted = 0;
  for (let from = 0; inList || from < bytes.length; ) {
    const at = scanner.scan(bytes, from);
    const next = at === AT_END ? bytes.length + 1 : at + 1;
    const { start, end } = trimmed(bytes, from, inList ? next - 1 : next);
    line += countLineEnds(bytes, counted, start);
    counted = start;
    records.push({ line, start, end });
    if (at < 0) break;
    from = next;
  }
  return records;
}

/** An element without the blanks around it. */
function trimmed(bytes: Buffer, from: number, to: number): { start: number; end: number } {
  let start = from;
  let end = to;
  while (start < end && isJsonBlank(bytes[start])) start += 1;
  while (end > start && isJsonBlank(bytes[end - 1])) end -= 1;
  return { start, end };
}
