/** Templates: text with `{Column}` in it, `{{` for a brace. */
import type { RecordValue } from '../model/record.js';
import { columnSubject, columnValue } from './column.js';
import { trim } from './trim.js';
import { asText, type CompiledRule, Failure } from './value.js';

/** A piece of a template. */
type TemplatePart = { readonly literal: string } | { readonly column: string };

/** A template taken apart, or what is wrong with it as a sentence. */
export type ParsedTemplate =
  | { readonly parts: readonly TemplatePart[] }
  | { readonly mistake: string };

/** Takes a template apart. `{{` stands for `{`; `}}` for `}`; a single `}` for itself. */
export function parseTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let literal = '';
  let at = 0;
  while (at < template.length) {
    const pair = template.slice(at, at + 2);
    if (pair === '{{' || pair === '}}') {
      literal += pair.charAt(0);
      at += 2;
    } else if (template[at] === '{') {
      const end = template.indexOf('}', at);
      const mistake = placeholderMistake(template, at, end);
      if (mistake !== undefined) return { mistake };
      if (literal !== '') parts.push({ literal });
      literal = '';
      parts.push({ column: template.slice(at + 1, end) });
      at = end + 1;
    } else {
      literal += template[at];
      at++;
    }
  }
  if (literal !== '') parts.push({ literal });
  return { parts };
}

/** What is wrong with the placeholder between `start` and `end`; nothing when it is right. */
function placeholderMistake(template: string, start: number, end: number): string | undefined {
  const rest = JSON.stringify(template.slice(start, start + 20));
  if (end < 0) return `the brace of ${rest} is never closed; write {{ for a brace that is text`;
  const name = template.slice(start + 1, end);
  if (name.trim() === '') {
    return 'the placeholder {} names no column; write { from: "" } for a column without a name';
  }
  if (name.includes('{')) {
    return `the placeholder at ${rest} holds another brace; write {{ for a brace that is text`;
  }
  return undefined;
}

/** The columns that a template names; none when it is not well-formed. */
export function templateColumns(template: string): readonly string[] {
  const parsed = parseTemplate(template);
  if ('mistake' in parsed) return [];
  return parsed.parts.flatMap((part) => ('column' in part ? [part.column] : []));
}

/** Ready to run: gives nothing when no placeholder has a value, and a constant when there is none. */
export function compileTemplate(
  template: string,
  columns: readonly string[] | null,
  trimmed: boolean,
): CompiledRule {
  const parsed = parseTemplate(template);
  const parts = 'parts' in parsed ? parsed.parts : [];
  if (!parts.some((part) => 'column' in part)) {
    return constant(parts, trimmed);
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

function constant(parts: readonly TemplatePart[], trimmed: boolean): CompiledRule {
  const literal = parts.map((part) => ('literal' in part ? part.literal : '')).join('');
  const text = trimmed ? trim(literal) : literal;
  const value = text === '' ? undefined : text;
  return () => value;
}
