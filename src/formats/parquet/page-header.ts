/** What a page of a column says of itself. */
export interface PageHeader {
  /** Where the header ends, and the page's data starts. */
  readonly end: number;
  readonly isDictionary: boolean;
  readonly unpackedBytes: number;
  readonly packedBytes: number;
  /** CRC-32 of the data as it lies there. */
  readonly checksum: number | undefined;
  /** How many values there are, nulls among them. */
  readonly values: number;
}

/** Fields by their numbers, of those that are numbers or have others inside of them. */
type Struct = ReadonlyMap<number, number | Struct>;

/** Numbers of fields in the format's definition (parquet.thrift). */
const TYPE = 1;
const UNPACKED_BYTES = 2;
const PACKED_BYTES = 3;
const CHECKSUM = 4;
const DATA_PAGE = 5;
const DATA_PAGE_V2 = 8;
const VALUES = 1;

const DICTIONARY = 2;

/** @throws Error if there is none */
export function readPageHeader(bytes: Buffer, start: number): PageHeader {
  const reader = new CompactReader(bytes, start);
  const header = reader.struct();
  const data = header.get(DATA_PAGE_V2) ?? header.get(DATA_PAGE);
  const checksum = header.get(CHECKSUM);
  return {
    end: reader.at,
    isDictionary: header.get(TYPE) === DICTIONARY,
    unpackedBytes: numberOf(header.get(UNPACKED_BYTES)),
    packedBytes: numberOf(header.get(PACKED_BYTES)),
    checksum: checksum === undefined ? undefined : numberOf(checksum) >>> 0,
    values: typeof data === 'object' ? numberOf(data.get(VALUES)) : 0,
  };
}

function numberOf(field: number | Struct | undefined): number {
  if (typeof field === 'number') return field;
  throw new Error('a page header lacks a field');
}

/** Types of Thrift's compact protocol. */
const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const LAST_INTEGER = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** A list of more elements says so behind its first byte. */
const LONG_LIST = 15;
const LONGEST_VARINT = 10;

class CompactReader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  struct(): Struct {
    const fields = new Map<number, number | Struct>();
    let id = 0;
    for (;;) {
      const head = this.#byte();
      const type = head & 0x0f;
      if (type === STOP) return fields;
      id = head >> 4 === 0 ? this.#zigzag() : id + (head >> 4);
      const value = this.#value(type);
      if (value !== undefined) fields.set(id, value);
    }
  }

  #value(type: number): number | Struct | undefined {
    if (type === TRUE || type === FALSE) return undefined;
    if (type === BYTE) return this.#byte();
    if (type > BYTE && type <= LAST_INTEGER) return this.#zigzag();
    if (type === STRUCT) return this.struct();
    if (type === DOUBLE) this.#pass(8);
    else if (type === BINARY) this.#pass(this.#varint());
    else if (type === LIST) this.#passList();
    else throw new Error(`a page header has a field of an unknown type, ${type}`);
    return undefined;
  }

  #passList(): void {
    const head = this.#byte();
    const type = head & 0x0f;
    const length = head >> 4 === LONG_LIST ? this.#varint() : head >> 4;
    for (let left = length; left > 0; left -= 1) {
      // In a list, truth values take a byte each.
      this.#value(type === TRUE || type === FALSE ? BYTE : type);
    }
  }

  #byte(): number {
    return this.#bytes.readUInt8(this.at++);
  }

  #pass(length: number): void {
    if (this.at + length > this.#bytes.length) throw new Error('a page header ends early');
    this.at += length;
  }

  #varint(): number {
    let value = 0;
    for (let index = 0; index < LONGEST_VARINT; index += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    throw new Error('a page header has a number without an end');
  }

  #zigzag(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
