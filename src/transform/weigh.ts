import type { Annotation, ImportedAuthor, ImportedDocument, Metric } from '../model/document.js';
import { bytesHash, MAX_BYTES_PER_UNIT } from './serialise.js';

/** What is to be known of a document's JSON where nobody will read it. */
export interface Weight {
  /** How many bytes it takes in UTF-8. */
  readonly bytes: number;
  /** A hash of what it says, when it was captured left out. */
  readonly digest: bigint;
  /** Whether a text holds a lone surrogate, which can't be sent. */
  readonly broken: boolean;
}

const ENCODER = new TextEncoder();
/** How many bytes more JSON takes for a byte that it escapes: `\"`, `\\`, `\n`, `\u0000`. */
const ESCAPES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20) return '\b\t\n\f\r'.includes(String.fromCharCode(byte)) ? 1 : 5;
  return byte === 0x22 || byte === 0x5c ? 1 : 0;
});

/** Bytes of a key with what stands around it, the comma behind the value included. */
const keyBytes = (key: string): number => `"${key}":,`.length;
const SOURCE = keyBytes('source');
const SOURCE_ID = keyBytes('sourceId');
const PARENT = keyBytes('parentSourceId');
const TEXT = keyBytes('text');
const LANGUAGE = keyBytes('language');
const SENTIMENT = keyBytes('sentiment');
const LOCATIONS = keyBytes('detectedLocations');
const PUBLISHED = keyBytes('published');
const DOWNLOADED = keyBytes('downloaded');
const URL = keyBytes('url');
const METRICS = keyBytes('metrics');
const TAGS = keyBytes('tags');
const AUTHOR = keyBytes('author');
const USERNAME = keyBytes('username');
const ANNOTATIONS = keyBytes('annotations');
/** Of a metric or annotation, with its braces. */
const PAIR = '{"name":,"value":}'.length;

/**
 * Weighs documents that a mapping has made. That takes half the time in which their JSON is written,
 * hashed and thrown away.
 *
 * What the fields say is put together as one text, a quote before each of its parts: a quote is
 * escaped, so that it takes the two bytes of those around a text.
 */
export class DocumentScale {
  #memory = new Uint8Array(4096);
  /** The same memory, four bytes at a time. */
  #words = new Int32Array(this.#memory.buffer);
  #bytes = 0;
  #said = '';

  weigh(document: ImportedDocument): Weight {
    const { text = '' } = document;
    // Braces, less the comma that isn't there behind the last field: there is one, the source.
    this.#bytes = 1;
    this.#said = '';
    this.#document(document);
    const said = this.#said;
    const room = (text.length + said.length) * MAX_BYTES_PER_UNIT;
    if (room > this.#memory.length) this.#reserve(2 * room);
    const memory = this.#memory;
    // The text by itself: put together with others, it would have to be copied.
    const end = ENCODER.encodeInto(text, memory).written;
    const length = end + ENCODER.encodeInto(said, memory.subarray(end)).written;
    const bytes = this.#bytes + length + escapeBytes(memory, this.#words, length);
    const broken = !(text.isWellFormed() && said.isWellFormed());
    return { bytes, digest: bytesHash(memory.subarray(0, length)), broken };
  }

  #reserve(bytes: number): void {
    this.#words = new Int32Array(Math.ceil(bytes / 4));
    this.#memory = new Uint8Array(this.#words.buffer);
  }

  #document(document: ImportedDocument): void {
    this.#text(SOURCE, document.source);
    this.#text(SOURCE_ID, document.sourceId);
    this.#text(PARENT, document.parentSourceId);
    this.#text(TEXT, document.text === undefined ? undefined : '');
    this.#text(LANGUAGE, document.language);
    this.#text(SENTIMENT, document.sentiment);
    this.#list(LOCATIONS, document.detectedLocations);
    this.#text(PUBLISHED, document.published);
    this.#text(URL, document.url);
    this.#pairs(METRICS, document.metrics);
    this.#list(TAGS, document.tags);
    if (document.author !== undefined) this.#author(document.author);
    const { downloaded } = document;
    if (downloaded !== undefined) this.#bytes += DOWNLOADED + downloaded.length + 2;
  }

  #author({ source, sourceId, username, annotations }: ImportedAuthor): void {
    this.#bytes += AUTHOR + 1;
    this.#text(SOURCE, source);
    this.#text(SOURCE_ID, sourceId);
    this.#text(USERNAME, username);
    this.#pairs(ANNOTATIONS, annotations);
  }

  #text(key: number, text: string | null | undefined): void {
    if (typeof text === 'string') {
      this.#bytes += key;
      this.#said += `"${text}`;
    } else if (text === null) {
      this.#bytes += key;
      this.#said += 'null';
    } else {
      this.#mark();
    }
  }

  #list(key: number, texts: readonly string[] | undefined): void {
    if (texts !== undefined) {
      this.#bytes += key + BRACKETS + commas(texts);
      for (let at = 0; at < texts.length; at += 1) this.#said += `"${texts[at]}`;
    }
    this.#mark();
  }

  #pairs(key: number, pairs: readonly (Metric | Annotation)[] = NO_PAIRS): void {
    this.#bytes += pairs === NO_PAIRS ? 0 : key + BRACKETS + commas(pairs);
    for (let at = 0; at < pairs.length; at += 1) {
      const { name, value } = pairs[at] as Metric | Annotation;
      this.#bytes += PAIR;
      this.#said += `"${name}`;
      if (typeof value === 'string') this.#said += `"${value}`;
      else {
        this.#mark();
        this.#said += Number.isFinite(value) ? value : null;
      }
    }
    this.#mark();
  }

  /** Stands where a value is absent, ends, or is no text, so that nobody takes it for another. */
  #mark(): void {
    this.#said += '-';
    this.#bytes -= 1;
  }
}

/**
 * How many bytes more JSON takes for those that it escapes. Most words of four bytes have none, which
 * a few operations on the whole word tell.
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
 * Whether one of four bytes may be a control character, a quote or a backslash. A byte below 0x20
 * borrows when that is taken off it, which sets its highest bit; a quote or a backslash is first made
 * a zero, which borrows when 1 is taken off. (A borrow may also have the byte above taken for one.)
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
