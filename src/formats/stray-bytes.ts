/** Bytes of a source of UTF-8 that belong to no character: in texts, � stands for them. */
import { isUtf8 } from 'node:buffer';
import { firstStray } from '../input/encoding/detect-encoding.js';
import type { ParsedRecord, Problem, StrayByte } from '../model/record.js';

/**
 * A record that was read from bytes of which some may be stray.
 * @param offset of the first of its bytes in the source
 */
export function withStrayBytes(parsed: ParsedRecord, bytes: Buffer, offset: number): ParsedRecord {
  if (isUtf8(bytes)) return parsed;
  const at = firstStray(bytes);
  const stray = { byte: bytes[at] as number, offset: offset + at };
  // They stand outside of its texts.
  if (parsed.problem?.kind === 'not-json') return { problem: strayBytes('the record', stray) };
  return { ...parsed, stray };
}

/** @param where what of the record can't be read for them */
export function strayBytes(where: string, { byte, offset }: StrayByte): Problem {
  const hex = byte.toString(16).toUpperCase();
  const message = `${where} holds bytes that are not UTF-8, the record's first is 0x${hex} at byte ${offset}: fix the record, or state the file's encoding`;
  return { kind: 'not-utf8', field: null, message };
}
