/** JSON of which some bytes can't be decoded: the values that hold none of them are still good. */
import type {
  ParsedRecord,
  UndecodableField,
  UndecodableKey,
  UndecodableText,
} from '../../model/record.js';
import {
  type ByteOrigin,
  type Pieces,
  piecesOf,
  undecodableRecord,
  undecodableText,
} from '../undecodable-bytes.js';

/** Reads the text of a record. */
type Parse = (text: string) => ParsedRecord;

/** Characters that mean nothing by definition: one of them can stand for gaps in a text. */
const NONCHARACTERS = Array.from({ length: 32 }, (_, index) => String.fromCharCode(0xfdd0 + index));

/**
 * Reads a record in which each gap is marked with its number, and then puts what can't be decoded
 * in the place of the texts in which marks turn up. A gap outside of all texts costs the record.
 */
export function parseUndecodable(record: Buffer, origin: ByteOrigin, parse: Parse): ParsedRecord {
  const pieces = piecesOf(record, origin);
  const mark = unusedIn(record.toString('utf8'));
  const marked = pieces.texts.reduce(
    (text, piece, index) => `${text}${mark}${index - 1}${mark}${piece}`,
  );
  const parsed = parse(marked);
  if (parsed.problem !== undefined) {
    const text = undecodableText(pieces, origin);
    const undecodable = [{ column: null, bytes: text.bytes }];
    return { problem: undecodableRecord(text), undecodable };
  }
  const restored = new Restored(pieces, mark, origin);
  const value = restored.value(parsed.value, '') as Readonly<Record<string, unknown>>;
  const { fields, keys } = restored;
  return { value, undecodable: fields, ...(keys.length === 0 ? {} : { undecodableKeys: keys }) };
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
  readonly keys: UndecodableKey[] = [];
  readonly #pieces: Pieces;
  readonly #mark: string;
  readonly #origin: ByteOrigin;

  constructor(pieces: Pieces, mark: string, origin: ByteOrigin) {
    this.#pieces = pieces;
    this.#mark = mark;
    this.#origin = origin;
  }

  /** @param path where the value stands in the record */
  value(value: unknown, path: string): unknown {
    if (typeof value === 'string') {
      return value.includes(this.#mark) ? this.#field(this.#text(value), path) : value;
    }
    if (Array.isArray(value)) return value.map((one) => this.value(one, `${path}[]`));
    if (typeof value !== 'object' || value === null) return value;
    const object = value as Record<string, unknown>;
    const prefix = path === '' ? '' : `${path}.`;
    for (const [key, inner] of Object.entries(object)) {
      if (key.includes(this.#mark)) this.#key(object, key, prefix);
      else {
        const restored = this.value(inner, prefix + key);
        if (restored !== inner) object[key] = restored;
      }
    }
    return object;
  }

  /** Nobody can tell what it stands for, so its value is nobody's. */
  #key(object: Record<string, unknown>, key: string, prefix: string): void {
    const text = this.#text(key);
    delete object[key];
    object[String(text)] = this.#field(text, prefix + String(text));
    this.keys.push({ path: prefix + String(text), message: text.message });
  }

  #field(text: UndecodableText, column: string): UndecodableText {
    this.fields.push({ column, bytes: text.bytes });
    return text;
  }

  #text(value: string): UndecodableText {
    const parts = value.split(this.#mark);
    const texts = parts.filter((_, index) => index % 2 === 0);
    const gaps = parts
      .filter((_, index) => index % 2 === 1)
      .flatMap((number) => this.#pieces.gaps[Number(number)] ?? []);
    return undecodableText({ texts, gaps }, this.#origin);
  }
}
