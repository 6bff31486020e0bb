/** Puts what a mapping expects into its file, and leaves everything else in it as it is. */
import { isMap, isScalar, type Pair, parseDocument } from 'yaml';
import { MappingError } from '../../model/errors.js';
import type { Expectations } from '../mapping.js';
import { flow } from '../rules.js';
import { parseMapping } from './load-mapping.js';

const KEY = 'expects';

/**
 * A mapping's text with these expectations instead of those that it has, if it has any.
 * @param name the file's name in messages
 * @throws MappingError if the text is no mapping, or one that can't be written into
 */
export function writeExpectations(text: string, name: string, expects: Expectations): string {
  parseMapping(text, name);
  const written = text.trimStart().startsWith('{')
    ? inJson(text, expects)
    : inYaml(text, blockOf(expects));
  return checked(written, name);
}

function inJson(text: string, expects: Expectations): string | undefined {
  try {
    return `${JSON.stringify({ ...JSON.parse(text), [KEY]: expects }, null, 2)}\n`;
  } catch {
    return undefined;
  }
}

function inYaml(text: string, block: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const written = block.replaceAll('\n', lineEnd);
  const [from, to] = placeOf(text);
  const before = text.slice(0, from);
  const gap = before === '' || before.endsWith('\n') ? '' : lineEnd;
  // At the end of the file, a line is left free before it.
  const space = from === text.length ? lineEnd : '';
  return `${before}${gap}${space}${written}${text.slice(to)}`;
}

/** From where to where the expectations stand, whole lines; the end of the text if there are none. */
function placeOf(text: string): readonly [number, number] {
  const root = parseDocument(text, { stringKeys: true }).contents;
  const pairs: readonly Pair[] = isMap(root) ? root.items : [];
  const pair = pairs.find(({ key }) => isScalar(key) && key.value === KEY);
  if (pair === undefined) return [text.length, text.length];
  const from = rangeOf(pair.key)?.[0] ?? text.length;
  const end = rangeOf(pair.value)?.[1] ?? from;
  // A block ends where the next line starts, anything else somewhere in its own line.
  const atLineStart = end > 0 && text[end - 1] === '\n';
  const lineEnd = text.indexOf('\n', end);
  return [from, atLineStart ? end : lineEnd < 0 ? text.length : lineEnd + 1];
}

function rangeOf(node: unknown): readonly number[] | undefined {
  return (node as { readonly range?: readonly number[] | null } | null)?.range ?? undefined;
}

/** A line for each key. */
function blockOf(expects: Expectations): string {
  const lines = Object.entries(expects).map(([key, value]) => `  ${key}: ${flow(value)}\n`);
  return [`${KEY}:\n`, ...lines].join('');
}

function checked(written: string | undefined, name: string): string {
  try {
    if (written !== undefined && parseMapping(written, name).expects !== undefined) return written;
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
  }
  throw new MappingError(
    `${name}: what it expects can't be written into it; write it as a block of keys, one a line, as in docs/mapping.md`,
  );
}
