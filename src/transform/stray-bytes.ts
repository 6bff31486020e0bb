import { strayBytes } from '../formats/stray-bytes.js';
import { rawColumn } from '../mapping/compile/column.js';
import { mappingColumns } from '../mapping/rules/walk-rules.js';
import type { Layout } from '../model/chunk.js';
import type { ParsedRecord } from '../model/record.js';
import type { TransformPlan } from './transform-record.js';

/** The record, or a problem if its document needs something in which bytes are not UTF-8. */
export function withoutStrayBytes(
  parsed: ParsedRecord,
  { columns }: Layout,
  { mapping, maker }: Pick<TransformPlan, 'mapping' | 'maker'>,
): ParsedRecord {
  const { value, stray } = parsed;
  if (value === undefined || stray === undefined) return parsed;
  // Nobody knows what a function needs.
  if (maker !== undefined) return { problem: strayBytes('the record', stray) };
  const lacksKey = hasBrokenKey(value);
  for (const column of mappingColumns(mapping)) {
    const found = rawColumn(column, columns ?? null)(value);
    const name = JSON.stringify(column);
    if (found === undefined && lacksKey) {
      return { problem: strayBytes(`a key that may be ${name}`, stray) };
    }
    if (isBroken(found)) return { problem: strayBytes(`column ${name}`, stray) };
  }
  return parsed;
}

function isBroken(found: unknown): boolean {
  return found !== undefined && JSON.stringify(found).includes('\ufffd');
}

function hasBrokenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => isBroken(key) || hasBrokenKey(inner));
}
