import { parse } from 'lossless-json';

/** Where a text starts in its source. */
export interface TextStart {
  readonly line: number;
  /** From 1; `undefined` if the start of the line is not at hand. */
  readonly column: number | undefined;
}

/** Names for what programs write that JSON lacks, by the text found there. */
const NOT_IN_JSON: readonly (readonly [RegExp, string])[] = [
  [/^(?:\/[/*]|#)/, 'it has a comment'],
  [/^(?:NaN|None|undefined)\b/, 'it has $&, for which JSON has null'],
  [/^Infinity\b/, 'it has $&, which is no number in JSON'],
  [/^(?:True|False)\b/, 'it has $&, which JSON writes in lower case'],
  [/^'/, 'it has single quotes where JSON has double ones'],
  [/^[\p{L}_$][\p{L}\d_$]*\s*:/u, 'it has a key without quotes'],
];

/** Says why a text is not JSON, and where. */
export function jsonFault(text: string, start: TextStart): string {
  if (text === '') return 'there is nothing between two commas, or behind the last one';
  try {
    parse(text, null, { onDuplicateKey: ({ newValue }) => newValue });
    return 'it is malformed';
  } catch (error) {
    if (error instanceof RangeError) return 'its lists and objects are nested too deep';
    const { message } = error as Error;
    const [, says = message, offset = '0'] = /^(.*) at position (\d+)$/s.exec(message) ?? [];
    const at = Number(offset);
    return `${nameOf(text, at) ?? visible(says)}, ${placeIn(text, at, start)}`;
  }
}

function nameOf(text: string, at: number): string | undefined {
  const rest = text.slice(at, at + 100);
  if (/^[\]}]/.test(rest) && /,\s*$/.test(text.slice(0, at))) {
    return `it has a comma before the closing ${rest[0]}`;
  }
  for (const [pattern, name] of NOT_IN_JSON) {
    const [found] = pattern.exec(rest) ?? [];
    if (found !== undefined) return name.replace('$&', found);
  }
  return undefined;
}

function placeIn(text: string, at: number, { line, column }: TextStart): string {
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/);
  const character = (lines.at(-1) ?? '').length + 1;
  if (lines.length > 1) return `on line ${line + lines.length - 1}, column ${character}`;
  if (column === undefined) return `at character ${character} of the record`;
  return `on line ${line}, column ${column + character - 1}`;
}

/** Escapes what nobody would see in a message, such as a no-break space or a line end. */
function visible(message: string): string {
  return message
    .replace(/^./, (first) => first.toLowerCase())
    .replace(/(?! )[\p{C}\p{Z}]/gu, (character) => {
      const hex = (character.codePointAt(0) as number).toString(16);
      return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
    });
}
