import type { JsonPath } from './records-path.js';

type Kind = 'list' | 'object';

export interface Opening {
  readonly path: JsonPath;
  readonly kind: Kind;
  /** Offset after its opening bracket. */
  readonly inside: number;
}

export interface Outline {
  /** Place where the visitor stopped. */
  readonly stopped: Opening | undefined;
  readonly isMalformed: boolean;
  /** Whether the document's last bracket was reached. */
  readonly closed: boolean;
  /** Offset of what wasn't walked through. */
  readonly end: number;
  /** Up to the last comma, with the closing brackets that are due there. */
  readonly beforeComma: { readonly end: number; readonly closers: string };
}

interface Frame {
  readonly kind: Kind;
  readonly path: JsonPath;
  /** Closing brackets, its own first. */
  readonly closers: string;
  /** Key or index of the current value; `undefined` before a key. */
  step: string | number | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const CLOSERS: Readonly<Record<number, Kind>> = { 93: 'list', 125: 'object' };
const OPENERS: Readonly<Record<number, Kind>> = { 91: 'list', 123: 'object' };
const MAX_DEPTH = 1000;

/**
 * Walks through the start of a JSON document and calls a visitor for each list and object, until it
 * returns true.
 */
export function walkJson(bytes: Buffer, visit: (opening: Opening) => boolean): Outline {
  return new Walk(bytes, visit).run();
}

class Walk {
  readonly #bytes: Buffer;
  readonly #visit: (opening: Opening) => boolean;
  readonly #frames: Frame[] = [];
  #at = 0;
  #beforeComma: Outline['beforeComma'] = { end: 0, closers: '' };
  #stopped: Opening | undefined;
  #closed = false;

  constructor(bytes: Buffer, visit: (opening: Opening) => boolean) {
    this.#bytes = bytes;
    this.#visit = visit;
  }

  run(): Outline {
    const { length } = this.#bytes;
    let isMalformed = false;
    while (this.#at < length && !this.#closed && !isMalformed && this.#stopped === undefined) {
      isMalformed = !this.#pass(this.#bytes[this.#at] as number);
      this.#at += 1;
    }
    const end = Math.min(this.#at, length);
    return {
      stopped: this.#stopped,
      isMalformed,
      closed: this.#closed,
      end,
      beforeComma: this.#beforeComma,
    };
  }

  /** Returns whether the byte is valid here. */
  #pass(byte: number): boolean {
    if (isJsonBlank(byte)) return true;
    const opens = OPENERS[byte];
    if (opens !== undefined) return this.#open(opens);
    const frame = this.#frames.at(-1);
    if (frame === undefined) return false;
    if (byte === QUOTE) return this.#string(frame);
    if (byte === COMMA) {
      this.#beforeComma = { end: this.#at, closers: frame.closers };
      frame.step = typeof frame.step === 'number' ? frame.step + 1 : undefined;
      return true;
    }
    const closes = CLOSERS[byte];
    // Keys are quoted; other bytes are part of a number or word, which the parser checks.
    if (closes === undefined) return frame.step !== undefined;
    this.#frames.pop();
    this.#closed = this.#frames.length === 0;
    return closes === frame.kind;
  }

  #open(kind: Kind): boolean {
    const parent = this.#frames.at(-1);
    const step = parent?.step;
    if ((parent !== undefined && step === undefined) || this.#frames.length === MAX_DEPTH)
      return false;
    const path = parent === undefined || step === undefined ? [] : [...parent.path, step];
    const closers = (kind === 'list' ? ']' : '}') + (parent?.closers ?? '');
    this.#frames.push({ kind, path, closers, step: kind === 'list' ? 0 : undefined });
    const opening = { path, kind, inside: this.#at + 1 };
    if (this.#visit(opening)) this.#stopped = opening;
    return true;
  }

  /** Skips a string; for a key, up to its colon. */
  #string(frame: Frame): boolean {
    const start = this.#at;
    const end = stringEnd(this.#bytes, start + 1);
    this.#at = end - 1;
    if (frame.step !== undefined) return true;
    let colon = end;
    while (isJsonBlank(this.#bytes[colon])) colon += 1;
    this.#at = colon;
    if (colon >= this.#bytes.length) return true;
    return (
      this.#bytes[colon] === COLON && this.#key(frame, this.#bytes.toString('utf8', start, end))
    );
  }

  #key(frame: Frame, quoted: string): boolean {
    try {
      frame.step = JSON.parse(quoted) as string;
      return true;
    } catch {
      return false;
    }
  }
}

/** Offset after the closing quote, or the end of the bytes. */
function stringEnd(bytes: Buffer, from: number): number {
  let quote = bytes.indexOf(QUOTE, from);
  while (quote >= 0) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return bytes.length;
}

/**
 * Builds a document with an empty list at a path: the part before the list's bracket, and after.
 */
export function wrapping(path: JsonPath): { readonly head: string; readonly closing: string } {
  let head = '';
  let closing = '';
  for (const step of path) {
    head += typeof step === 'number' ? `[${'null,'.repeat(step)}` : `{${JSON.stringify(step)}:`;
    closing = (typeof step === 'number' ? ']' : '}') + closing;
  }
  return { head, closing };
}

/** Returns whether a byte is JSON whitespace or an RFC 7464 record separator. */
export function isJsonBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x1e;
}
