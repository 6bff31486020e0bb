import { undecodableMark } from '../../model/undecodable-marks.js';

const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Text as UTF-8. No lone surrogate becomes a question mark: a mark stands in its place.
 * @param mark given the lone surrogate, and its index in the text
 */
export function encodeText(text: string, mark: (unit: number, index: number) => Buffer): Buffer {
  if (text.search(LONE_SURROGATES) < 0) return Buffer.from(text);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { index } of text.matchAll(LONE_SURROGATES)) {
    parts.push(Buffer.from(text.slice(from, index)), mark(text.charCodeAt(index), index));
    from = index + 1;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
}

/** The mark of a lone surrogate in text that stands in no file: its two bytes, the high one first. */
export function surrogateMark(unit: number): Buffer {
  return undecodableMark([unit >> 8, unit & 0xff]);
}

/** Holds back the high surrogate of a pair at the end of a piece of text. */
export class SurrogateJoiner {
  #held = '';

  add(piece: string): string {
    const text = this.#held + piece;
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff;
    this.#held = cut ? text.slice(-1) : '';
    return cut ? text.slice(0, -1) : text;
  }

  /** What is still held back at the end. */
  end(): string {
    return this.#held;
  }
}
