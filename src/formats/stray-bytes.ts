/** Invalid bytes in a UTF-8 source, which its texts show as �. */
import { isUtf8 } from 'node:buffer';
import { firstStray } from '../input/encoding/utf8.js';
import type { ParsedRecord, Problem, StrayByte } from '../model/record.js';

/**
 * Adds the first invalid byte, if any, to a parsed record.
 * @param offset of `bytes` in the source
 */
export function withStrayBytes(parsed: ParsedRecord, bytes: Buffer, offset: number): ParsedRecord {
  if (isUtf8(bytes)) return parsed;
  const at = firstStray(bytes);
  const stray = { byte: bytes[at] as number, offset: offset + at };
  // The invalid bytes are outside of its texts.
  if (parsed.problem?.kind === 'not-json') return { problem: strayBytes('the record', stray) };
  return { ...parsed, stray };
}

/** @param where part of the record that can't be read */
export function strayBytes(where: string, { byte, offset }: StrayByte): Problem {
  const hex = byte.toString(16).toUpperCase();
  const message = `${where} has bytes that are not UTF-8 (the record's first is 0x${hex} at byte ${offset}): fix the record, or set the file's encoding`;
  return { kind: 'not-utf8', field: null, message };
}
