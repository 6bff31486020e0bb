import type { Annotation, ImportedAuthor, ImportedDocument, Metric } from '../model/document.js';
import { bytesHash, MAX_BYTES_PER_UNIT, type Measurement } from './serialise.js';

const ENCODER = new TextEncoder();
/** Additional bytes that JSON needs to escape a byte, as in `\"`, `\\`, `\n`, `\u0000`. */
const ESCAPES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20) return '\b\t\n\f\r'.includes(String.fromCharCode(byte)) ? 1 : 5;
  return byte === 0x22 || byte === 0x5c ? 1 : 0;
});

/** Quotes and colon around a key, and the comma after its value. */
const KEY_MARKS = '"":,'.length;
const PAIR = '{"name":,"value":}'.length;

/**
 * Measures documents built by a mapping, in half the time of serialising and hashing them.
 *
 * The values are concatenated to one text with a quote before each; a quote is escaped, which takes
 * the same two bytes as the pair of quotes around a JSON text.
 */
export class DocumentMeter {
  #memory = new Uint8Array(4096);
  /** View of the same memory as 32-bit words. */
  #words = new Int32Array(this.#memory.buffer);
  #bytes = 0;
  #values = '';

  measure(document: ImportedDocument): Measurement {
    const { text = '' } = document;
    // Two braces, less the comma that the last field doesn't have (`source` is always present).
    this.#bytes = 1;
    this.#values = '';
    this.#document(document);
    const values = this.#values;
    const capacity = (text.length + values.length) * MAX_BYTES_PER_UNIT;
    if (capacity > this.#memory.length) this.#reserve(2 * capacity);
    const memory = this.#memory;
    // The text is encoded separately: concatenating it would copy it.
    const end = ENCODER.encodeInto(text, memory).written;
    const length = end + ENCODER.encodeInto(values, memory.subarray(end)).written;
    const bytes = this.#bytes + length + escapeBytes(memory, this.#words, length);
    const broken = !(text.isWellFormed() && values.isWellFormed());
    return { bytes, digest: bytesHash(memory.subarray(0, length)), broken };
  }

  #reserve(bytes: number): void {
    this.#words = new Int32Array(Math.ceil(bytes / 4));
    this.#memory = new Uint8Array(this.#words.buffer);
  }

  #document(document: ImportedDocument): void {
    this.#text('source', document.source);
    this.#text('sourceId', document.sourceId);
    this.#text('parentSourceId', document.parentSourceId);
    this.#text('text', document.text === undefined ? undefined : '');
    this.#text('language', document.language);
    this.#text('sentiment', document.sentiment);
    this.#list('detectedLocations', document.detectedLocations);
    this.#text('published', document.published);
    this.#text('url', document.url);
    this.#pairs('metrics', document.metrics);
    this.#list('tags', document.tags);
    if (document.author !== undefined) this.#author(document.author);
    const { downloaded } = document;
    if (downloaded !== undefined) {
      this.#bytes += 'downloaded'.length + KEY_MARKS + downloaded.length + 2;
    }
  }

  #author({ source, sourceId, username, annotations }: ImportedAuthor): void {
    this.#bytes += 'author'.length + KEY_MARKS + 1;
    this.#text('source', source);
    this.#text('sourceId', sourceId);
    this.#text('username', username);
    this.#pairs('annotations', annotations);
  }

  #text(key: string, text: string | null | undefined): void {
    if (typeof text === 'string') {
      this.#bytes += key.length + KEY_MARKS;
      this.#values += `"${text}`;
    } else if (text === null) {
      this.#bytes += key.length + KEY_MARKS;
      this.#values += 'null';
    } else {
      this.#mark();
    }
  }

  #list(key: string, texts: readonly string[] | undefined): void {
    if (texts !== undefined) {
      this.#bytes += key.length + KEY_MARKS + BRACKETS + commas(texts);
      for (let at = 0; at < texts.length; at += 1) this.#values += `"${texts[at]}`;
    }
    this.#mark();
  }

  #pairs(key: string, pairs: readonly (Metric | Annotation)[] = NO_PAIRS): void {
    if (pairs !== NO_PAIRS) this.#bytes += key.length + KEY_MARKS + BRACKETS + commas(pairs);
    for (let at = 0; at < pairs.length; at += 1) {
      const { name, value } = pairs[at] as Metric | Annotation;
      this.#bytes += PAIR;
      this.#values += `"${name}`;
      if (typeof value === 'string') this.#values += `"${value}`;
      else {
        this.#mark();
        this.#values += Number.isFinite(value) ? value : null;
      }
    }
    this.#mark();
  }

  /**
   * Marks an absent value, the end of a list, or a value other than text, so that different
   * documents never concatenate to the same text.
   */
  #mark(): void {
    this.#values += '-';
    this.#bytes -= 1;
  }
}

/**
 * Counts the additional bytes of escapes. Most 4-byte words need none, which a few operations on
 * the word decide.
 */
function escapeBytes(memory: Uint8Array, words: Int32Array, length: number): number {
  const more = (at: number): number => ESCAPES[memory[at] as number] as number;
  let bytes = 0;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    if (!mayEscape(words[at >> 2] as number)) continue;
    bytes += more(at) + more(at + 1) + more(at + 2) + more(at + 3);
  }
  for (; at < length; at += 1) bytes += more(at);
  return bytes;
}

/**
 * Returns whether one of four bytes may be a control character, a quote or a backslash. Subtracting
 * 0x20 from a smaller byte borrows, which sets its highest bit; a quote or backslash is first
 * turned into 0, which borrows when 1 is subtracted. (A borrow may also mark the next higher byte.)
 */
function mayEscape(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const borrowed =
    ((word - 0x20202020) & ~word) |
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes);
  return (borrowed & 0x80808080) !== 0;
}

const BRACKETS = 2;
const NO_PAIRS: readonly never[] = [];

function commas(list: readonly unknown[]): number {
  return Math.max(0, list.length - 1);
}
