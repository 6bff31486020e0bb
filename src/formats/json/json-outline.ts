import { type JsonPath, showPath } from './json-path.js';
import { isJsonBlank } from './json-scanner.js';

/** A list or object on the way through a document. */
export interface Opening {
  readonly path: JsonPath;
  readonly kind: 'list' | 'object';
  /** Offset behind its bracket. */
  readonly inside: number;
}

/** Tells how far a walk through the start of a document came. */
export interface Outline {
  /** Set when the visitor stopped the walk. */
  readonly stopped?: Opening;
  /** Set when the document makes no sense. */
  readonly malformedAt?: number;
  /** Keys seen, by the path of their object; of lists only the first element is told. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  /** Whether the document's last bracket was reached. */
  readonly closed: boolean;
  /** Offset of what has not been walked through. */
  readonly end: number;
}

interface Frame {
  readonly kind: 'list' | 'object';
  readonly path: JsonPath;
  /** Key or index of the value that comes next or is being read. */
  step: string | number;
  /** In an object: whether a key comes next. */
  wantsKey: boolean;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const CLOSERS: Readonly<Record<number, Frame['kind']>> = { 93: 'list', 125: 'object' };
const OPENERS: Readonly<Record<number, Frame['kind']>> = { 91: 'list', 123: 'object' };
const DEEPEST = 1000;
const MAX_KEYS = 50;

/**
 * Walks through the start of a JSON document, as far as there are bytes, and shows each list and
 * object to a visitor, who stops the walk by returning true.
 */
export function walkJson(bytes: Buffer, visit: (opening: Opening) => boolean): Outline {
  const walk = new Walk(bytes, visit);
  return walk.run();
}

/** Paths of lists of objects, those at the least depth first. */
export function listsIn(bytes: Buffer): string[] {
  const lists = new Map<string, number>();
  const open = new Set<string>();
  walkJson(bytes, ({ path, kind }) => {
    if (kind === 'list' && path.length > 0) open.add(showPath(path));
    const parent = showPath(path.slice(0, -1));
    const isElement = kind === 'object' && path.at(-1) === 0 && open.has(parent);
    if (isElement && !path.slice(0, -1).some((step) => typeof step === 'number' && step > 0)) {
      lists.set(parent, path.length);
    }
    return false;
  });
  return [...lists].toSorted(([, a], [, b]) => a - b).map(([path]) => path);
}

class Walk {
  readonly #bytes: Buffer;
  readonly #visit: (opening: Opening) => boolean;
  readonly #frames: Frame[] = [];
  readonly #keys = new Map<string, string[]>();
  #at = 0;
  #closed = false;

  constructor(bytes: Buffer, visit: (opening: Opening) => boolean) {
    this.#bytes = bytes;
    this.#visit = visit;
  }

  run(): Outline {
    const bytes = this.#bytes;
    for (; this.#at < bytes.length && !this.#closed; this.#at += 1) {
      const byte = bytes[this.#at] as number;
      if (isJsonBlank(byte)) continue;
      const kind = OPENERS[byte];
      if (kind !== undefined) {
        const opening = this.#open(kind);
        if (opening === undefined) return this.#outline({ malformedAt: this.#at });
        if (this.#visit(opening)) return this.#outline({ stopped: opening });
      } else if (!this.#other(byte)) return this.#outline({ malformedAt: this.#at });
    }
    return this.#outline({});
  }

  #outline(how: Pick<Outline, 'stopped' | 'malformedAt'>): Outline {
    return { ...how, keys: this.#keys, closed: this.#closed, end: this.#at };
  }

  #open(kind: Frame['kind']): Opening | undefined {
    const parent = this.#frames.at(-1);
    if (parent?.wantsKey || this.#frames.length === DEEPEST) return undefined;
    const path = parent === undefined ? [] : [...parent.path, parent.step];
    const isObject = kind === 'object';
    this.#frames.push({ kind, path, step: isObject ? '' : 0, wantsKey: isObject });
    return { path, kind, inside: this.#at + 1 };
  }

  /** Anything but an opening bracket. Returns whether it may stand here. */
  #other(byte: number): boolean {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return false;
    if (byte === QUOTE) return this.#string(frame);
    if (byte === COMMA) this.#next(frame);
    const closes = CLOSERS[byte];
    if (closes !== undefined) {
      if (closes !== frame.kind) return false;
      this.#frames.pop();
      this.#closed = this.#frames.length === 0;
    }
    // Keys stand in quotes; anything else is part of a number or a word, checked when it is parsed.
    return byte === COMMA || closes !== undefined || !frame.wantsKey;
  }

  #next(frame: Frame): void {
    if (typeof frame.step === 'number') frame.step += 1;
    else frame.wantsKey = true;
  }

  #string(frame: Frame): boolean {
    const start = this.#at;
    const end = stringEnd(this.#bytes, start + 1);
    this.#at = end - 1;
    if (!frame.wantsKey) return true;
    const colon = this.#skipBlanks(end);
    if (colon >= this.#bytes.length) {
      this.#at = this.#bytes.length;
      return true;
    }
    if (this.#bytes[colon] !== COLON) return false;
    this.#at = colon;
    return this.#key(frame, this.#bytes.toString('utf8', start, end));
  }

  #key(frame: Frame, quoted: string): boolean {
    try {
      frame.step = JSON.parse(quoted) as string;
    } catch {
      return false;
    }
    frame.wantsKey = false;
    if (frame.path.some((step) => typeof step === 'number' && step > 0)) return true;
    const path = showPath(frame.path);
    const keys = this.#keys.get(path) ?? [];
    if (keys.length < MAX_KEYS) keys.push(frame.step);
    this.#keys.set(path, keys);
    return true;
  }

  #skipBlanks(from: number): number {
    let at = from;
    while (isJsonBlank(this.#bytes[at])) at += 1;
    return at;
  }
}

/** Offset behind the closing quote, or the end of the bytes. */
function stringEnd(bytes: Buffer, from: number): number {
  let quote = bytes.indexOf(QUOTE, from);
  while (quote >= 0) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return bytes.length;
}
