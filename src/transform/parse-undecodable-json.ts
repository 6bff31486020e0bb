/** JSON of which some bytes can't be decoded: the values that hold none of them are still good. */
import type { UndecodableText } from '../record.js';
import type { ParsedRecord, UndecodableField } from './parsed-record.js';
import { type Pieces, piecesOf, undecodableRecord, undecodableText } from './undecodable-bytes.js';

/** Reads the text of a record. */
type Parse = (text: string) => ParsedRecord;

/** Characters that mean nothing by definition: one of them can stand for gaps in a text. */
const NONCHARACTERS = Array.from({ length: 32 }, (_, index) => String.fromCharCode(0xfdd0 + index));

/**
 * Reads a record in which each gap is marked with its number, and then puts what can't be decoded
 * in the place of the texts in which marks turn up. A gap anywhere else costs the record.
 * @param offset where the record stands in the source
 */
export function parseUndecodable(record: Buffer, offset: number, parse: Parse): ParsedRecord {
  const pieces = piecesOf(record, offset);
  const mark = unusedIn(record.toString('utf8'));
  const marked = pieces.texts.reduce(
    (text, piece, index) => `${text}${mark}${index - 1}${mark}${piece}`,
  );
  const parsed = parse(marked);
  const restored = new Restored(pieces, mark);
  const value = parsed.problem === undefined ? restored.value(parsed.value, '') : undefined;
  if (parsed.problem !== undefined || restored.key) {
    const text = undecodableText(pieces);
    const undecodable = [{ column: null, bytes: text.bytes }];
    return { problem: undecodableRecord(text), undecodable };
  }
  return { value: value as Readonly<Record<string, unknown>>, undecodable: restored.fields };
}

/** A noncharacter that a text doesn't hold, not even as an escape. */
function unusedIn(text: string): string {
  const mark = NONCHARACTERS.find((one) => {
    const escaped = `\\u${one.charCodeAt(0).toString(16)}`;
    return !text.includes(one) && !text.toLowerCase().includes(escaped);
  });
  return mark ?? '\uffff';
}

/** Looks for marks through a value. */
class Restored {
  readonly fields: UndecodableField[] = [];
  /** Whether there is one in a key: nobody can tell which column that is. */
  key = false;
  readonly #pieces: Pieces;
  readonly #mark: string;

  constructor(pieces: Pieces, mark: string) {
    this.#pieces = pieces;
    this.#mark = mark;
  }

  /** @param path where the value stands in the record */
  value(value: unknown, path: string): unknown {
    if (typeof value === 'string')
      return value.includes(this.#mark) ? this.#text(value, path) : value;
    if (Array.isArray(value)) return value.map((one) => this.value(one, `${path}[]`));
    if (typeof value !== 'object' || value === null) return value;
    for (const [key, inner] of Object.entries(value)) {
      if (key.includes(this.#mark)) this.key = true;
      const restored = this.value(inner, path === '' ? key : `${path}.${key}`);
      if (restored !== inner) (value as Record<string, unknown>)[key] = restored;
    }
    return value;
  }

  #text(value: string, path: string): UndecodableText {
    const parts = value.split(this.#mark);
    const texts = parts.filter((_, index) => index % 2 === 0);
    const gaps = parts
      .filter((_, index) => index % 2 === 1)
      .flatMap((number) => this.#pieces.gaps[Number(number)] ?? []);
    const text = undecodableText({ texts, gaps });
    this.fields.push({ column: path, bytes: text.bytes });
    return text;
  }
}
