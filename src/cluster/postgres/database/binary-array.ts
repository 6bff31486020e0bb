/**
 * Arrays as statements take them in binary form, which takes both sides less time to write and read
 * than text: an import's claims are many. The form is that of `array_recv` in Postgres' arrayfuncs.c: how
 * many dimensions, whether there are nulls, the elements' type; the dimension's length and first
 * index; then each element after its length.
 */
import { Buffer } from 'node:buffer';

const UUID = { oid: 2950, bytes: 16 };
const BIGINT = { oid: 20, bytes: 8 };
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/** @param uuids each in 32 hexadecimal digits */
export function uuidArray(uuids: readonly string[]): Buffer {
  return arrayOf(UUID, uuids, (array, uuid, at) => array.write(uuid, at, UUID.bytes, 'hex'));
}

export function bigintArray(values: readonly (bigint | number)[]): Buffer {
  return arrayOf(BIGINT, values, (array, value, at) => array.writeBigInt64BE(BigInt(value), at));
}

function arrayOf<T>(
  { oid, bytes }: typeof UUID,
  elements: readonly T[],
  write: (array: Buffer, element: T, at: number) => void,
): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + elements.length * (LENGTH_BYTES + bytes));
  // One dimension of no elements is an empty array, too.
  for (const [index, field] of [1, 0, oid, elements.length, 1].entries()) {
    array.writeInt32BE(field, index * 4);
  }
  let at = HEADER_BYTES;
  for (const element of elements) {
    array.writeInt32BE(bytes, at);
    write(array, element, at + LENGTH_BYTES);
    at += LENGTH_BYTES + bytes;
  }
  return array;
}
