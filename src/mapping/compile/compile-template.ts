import type { RecordValue } from '../../model/record.js';
import type { Scalar } from '../mapping.js';
import { parseTemplate, type TemplatePart } from '../rules/template.js';
import { trim } from '../steps/trim.js';
import { asText, type CompiledRule, Failure } from '../steps/value.js';
import { columnSubject, columnValue } from './column.js';

/** Ready to run: gives nothing when no placeholder has a value, and a constant when there is none. */
export function compileTemplate(
  template: string,
  columns: readonly string[] | null,
  trimmed: boolean,
): CompiledRule {
  const parsed = parseTemplate(template);
  const parts = 'parts' in parsed ? parsed.parts : [];
  if (!parts.some((part) => 'column' in part)) {
    return constant(parts.map((part) => ('literal' in part ? part.literal : '')).join(''), trimmed);
  }
  const readers = parts.map((part) => partReader(part, columns, trimmed));
  const [first] = readers;
  if (first !== undefined && readers.length === 1) return first;
  const isColumn = parts.map((part) => 'column' in part);
  return (record) => {
    let text = '';
    let filled = false;
    for (let index = 0; index < readers.length; index++) {
      const piece = (readers[index] as PartReader)(record);
      if (piece instanceof Failure) return piece;
      if (piece === undefined) continue;
      text += piece;
      filled ||= isColumn[index] as boolean;
    }
    if (!filled) return undefined;
    return trimmed ? trim(text) : text;
  };
}

type PartReader = (record: RecordValue) => string | Failure | undefined;

function partReader(
  part: TemplatePart,
  columns: readonly string[] | null,
  trimmed: boolean,
): PartReader {
  if ('literal' in part) return () => part.literal;
  const read = columnValue(part.column, columns, trimmed);
  const subject = columnSubject([part.column]);
  return (record) => asText(read(record), subject);
}

/** A value that is the same for each record; a blank text is nothing. */
export function constant(value: Scalar | undefined, trimmed: boolean): CompiledRule {
  const kept = typeof value === 'string' && trimmed ? trim(value) : value;
  return () => (kept === '' ? undefined : kept);
}
