/**
 * What a decoder could not read stands as this byte in what is handed on. It occurs nowhere in
 * UTF-8, so the record that holds it turns out invalid, instead of carrying a question mark.
 */
const UNREADABLE: Buffer = Buffer.from([0xff]);
const LONE_SURROGATES = /\p{Surrogate}/u;
const REPLACEMENTS = /\uFFFD/;

/** Text as UTF-8, with half surrogate pairs as an invalid byte. */
export function encodeText(text: string): Buffer {
  return LONE_SURROGATES.test(text)
    ? withUnreadable(text.split(/\p{Surrogate}/u))
    : Buffer.from(text);
}

/** Text as UTF-8, with the mark of what its decoder could not read as an invalid byte. */
export function encodeDecoded(text: string): Buffer {
  return REPLACEMENTS.test(text) ? withUnreadable(text.split(REPLACEMENTS)) : Buffer.from(text);
}

function withUnreadable(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text, index) =>
      index === 0 ? [Buffer.from(text)] : [UNREADABLE, Buffer.from(text)],
    ),
  );
}

/** Holds back the first half of a surrogate pair at the end of a piece of text. */
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
