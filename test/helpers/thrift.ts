/** The compact protocol of Thrift, in which Parquet writes its headers: read, changed, written. */

const STOP = 0;
const BYTE = 3;
export const I32 = 5;
export const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
export const STRUCT = 12;
const LONG_LIST = 15;

/** A value with its type; of truth values the type is the value. */
export interface Thrift {
  readonly type: number;
  value: bigint | Buffer | Struct | readonly Thrift[];
  /** Of lists: the type of what is in them. */
  readonly of?: number;
}

/** Fields by their numbers, in order. */
export type Struct = Map<number, Thrift>;

/** Reads values one after another. */
export class ThriftReader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  struct(): Struct {
    const fields: Struct = new Map();
    let id = 0;
    for (;;) {
      const head = this.#byte();
      const type = head & 0x0f;
      if (type === STOP) return fields;
      id = head >> 4 === 0 ? Number(this.#zigzag()) : id + (head >> 4);
      fields.set(id, this.#value(type));
    }
  }

  #value(type: number): Thrift {
    switch (type) {
      case 1:
      case 2:
        return { type, value: 0n };
      case BYTE:
        return { type, value: BigInt(this.#byte()) };
      case DOUBLE:
        return { type, value: this.#take(8) };
      case BINARY:
        return { type, value: this.#take(Number(this.#varint())) };
      case LIST:
        return this.#list();
      case STRUCT:
        return { type, value: this.struct() };
      default:
        return { type, value: this.#zigzag() };
    }
  }

  #list(): Thrift {
    const head = this.#byte();
    const length = head >> 4 === LONG_LIST ? Number(this.#varint()) : head >> 4;
    const of = head & 0x0f;
    const value = Array.from({ length }, () => this.#value(of <= 2 ? BYTE : of));
    return { type: LIST, of, value };
  }

  #byte(): number {
    return this.#bytes.readUInt8(this.at++);
  }

  #take(length: number): Buffer {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  #zigzag(): bigint {
    const value = this.#varint();
    return (value >> 1n) ^ -(value & 1n);
  }
}

export function structBytes(struct: Struct): Buffer {
  const parts: Buffer[] = [];
  let before = 0;
  for (const [id, field] of struct) {
    const step = id - before;
    const near = step > 0 && step < 16;
    parts.push(Buffer.of(near ? (step << 4) | field.type : field.type));
    if (!near) parts.push(zigzag(BigInt(id)));
    parts.push(valueBytes(field));
    before = id;
  }
  return Buffer.concat([...parts, Buffer.of(STOP)]);
}

function valueBytes({ type, value, of = 0 }: Thrift): Buffer {
  if (type === 1 || type === 2) return Buffer.alloc(0);
  if (type === BYTE) return Buffer.of(Number(value));
  if (value instanceof Map) return structBytes(value);
  if (Buffer.isBuffer(value)) {
    return type === BINARY ? Buffer.concat([varint(BigInt(value.length)), value]) : value;
  }
  if (typeof value === 'bigint') return zigzag(value);
  const head = Buffer.concat([Buffer.of((LONG_LIST << 4) | of), varint(BigInt(value.length))]);
  return Buffer.concat([head, ...value.map(valueBytes)]);
}

function zigzag(value: bigint): Buffer {
  return varint(value < 0n ? -2n * value - 1n : 2n * value);
}

export function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7n) {
    if (left < 0x80n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 0x7fn) | 0x80);
  }
}
