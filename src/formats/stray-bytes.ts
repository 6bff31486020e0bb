/** Invalid bytes in a UTF-8 source, which its texts show as �. */
import { isUtf8 } from 'node:buffer';
import type { ParsedRecord, Problem } from '../model/record.js';

/** Marks a parsed record with invalid bytes. */
export function withStrayBytes(parsed: ParsedRecord, bytes: Buffer): ParsedRecord {
  return isUtf8(bytes) ? parsed : asDamaged(parsed);
}

/** Like {@link withStrayBytes}, for all records in the same bytes, which are looked at once. */
export function allWithStrayBytes(
  records: readonly ParsedRecord[],
  bytes: Buffer,
): readonly ParsedRecord[] {
  return isUtf8(bytes) ? records : records.map(asDamaged);
}

function asDamaged(parsed: ParsedRecord): ParsedRecord {
  // The invalid bytes are outside of its texts.
  if (parsed.problem?.kind === 'not-json') return { problem: strayBytes('the record') };
  return { ...parsed, isDamaged: true };
}

/** @param where part of the record that can't be read */
export function strayBytes(where: string): Problem {
  const message = `${where} has bytes that are not UTF-8: fix the record, or set the file's encoding`;
  return { kind: 'not-utf8', field: null, message };
}
