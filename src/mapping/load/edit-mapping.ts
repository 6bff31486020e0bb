/** Edits single values in a mapping's text and leaves the rest of the text unchanged. */
import { isDeepStrictEqual } from 'node:util';
import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { MappingError, type MappingMistake } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import { pathText } from '../../validation/explain-errors.js';
import type { Expectations } from '../mapping.js';
import { flow, scalar } from '../rules.js';
import { mappingErrorOf, parseMapping, parseYaml } from './load-mapping.js';

type Path = MappingMistake['path'];

/** A new value for one place of a mapping. */
export interface MappingChange {
  /** Keys and indexes from the top: `['document', 'metrics', 'score']`, `['input', 'delimiter']`. */
  readonly path: Path;
  /** A rule or any other JSON value; if absent, the current value is removed. */
  readonly value?: unknown;
}

/**
 * Writes a change into a mapping's text. Comments and layout elsewhere stay. Removing a value also
 * removes the comment right above it and parents that become empty. The text must be valid YAML;
 * the resulting mapping may have mistakes.
 * @throws MappingError if the text isn't YAML, or if aliases (`*name`) refer to the changed place
 */
export function editMapping(text: string, { path, value }: MappingChange): string {
  const before = parsed(text);
  const root = readYaml(text).document.contents as Content;
  const written = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  const splice =
    written === undefined ? removal(text, root, path) : insertion(text, root, path, written);
  if (splice === undefined) return text;
  const edited = text.slice(0, splice.from) + splice.by + text.slice(splice.to);
  const wanted =
    written === undefined ? withoutValue(before, path) : withValue(before, path, written);
  return checked(edited, wanted ?? {}, path);
}

/**
 * Replaces or adds the expectations in a mapping's text, one line per key.
 * @param name the file's name in messages
 * @throws MappingError if the text isn't a valid mapping, or can't be edited
 */
export function writeExpectations(text: string, name: string, expects: Expectations): string {
  parseMapping(text, name);
  if (isJson(text)) return editMapping(text, { path: ['expects'], value: expects });
  const wanted = { ...(parsed(text) as Keys), expects };
  return checked(withExpectations(text, expects), wanted, ['expects']);
}

function withExpectations(text: string, expects: Expectations): string {
  const { items } = readYaml(text).document.contents as YAMLMap;
  const entry = items.find(({ key }) => isScalar(key) && key.value === 'expects');
  const lineEnd = lineEndOf(text);
  const lines = Object.entries(expects).map(([key, value]) => `${lineEnd}  ${key}: ${flow(value)}`);
  if (entry !== undefined) {
    const from = afterColon(text, entry);
    return text.slice(0, from) + lines.join('') + text.slice(Math.max(from, endOf(text, entry)));
  }
  const gap = text.endsWith('\n') ? lineEnd : `${lineEnd}${lineEnd}`;
  return `${text}${gap}expects:${lines.join('')}${lineEnd}`;
}

/**
 * Checks that an edited text parses to the wanted value.
 * @throws MappingError if it doesn't
 */
function checked(text: string, wanted: unknown, path: Path): string {
  if (readYaml(text).errors.length === 0 && isDeepStrictEqual(parsed(text), wanted)) return text;
  throw new MappingError(
    `${pathText(path)} can't be changed on its own; replace aliases (*name) with their values, and remove document markers ("---", "...")`,
  );
}

function parsed(text: string): unknown {
  if (readYaml(text).document.contents === null) return {};
  const yaml = parseYaml(text);
  if ('mistakes' in yaml) throw mappingErrorOf('the mapping', yaml.mistakes);
  return yaml.value;
}

type Keys = Readonly<Record<string, unknown>>;

function withValue(inside: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(inside)) {
    const index = Number(step);
    return inside.toSpliced(index, 1, withValue(inside[index], rest, value));
  }
  if (typeof inside !== 'object' || inside === null) return nested(path, value);
  const inner = withValue((inside as Keys)[step], rest, value);
  return Object.fromEntries([...Object.entries(inside), [step, inner]]);
}

function withoutValue(inside: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined || typeof inside !== 'object' || inside === null) return undefined;
  const entries = Object.entries(inside).map(
    ([key, inner]) => [key, key === String(step) ? withoutValue(inner, rest) : inner] as const,
  );
  const left = entries.filter(([, inner]) => inner !== undefined);
  if (left.length === 0) return undefined;
  return Array.isArray(inside) ? left.map(([, inner]) => inner) : Object.fromEntries(left);
}

function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    value,
  );
}

type Collection = YAMLMap | YAMLSeq;
type Content = Node | null;
type Entry = Pair | Content;

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

function insertion(text: string, root: Content, path: Path, value: unknown): Splice {
  let parent = root;
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth + 1);
    if (!isCollection(parent)) break;
    const entry = parent.items[indexOf(parent, step)] as Entry | undefined;
    if (entry === undefined) return addition(text, parent, step, nested(rest, value));
    const inner = contentOf(entry);
    if (rest.length === 0 || !isCollection(inner)) {
      return replacement(text, entry, nested(rest, value));
    }
    parent = inner;
  }
  const [top = '', ...rest] = path;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  const by = `${gap}${entryText(text, top, nested(rest, value))}\n`;
  return { from: text.length, to: text.length, by };
}

function isCollection(node: unknown): node is Collection {
  return isMap(node) || isSeq(node);
}

function indexOf(parent: Collection, step: string | number): number {
  if (isSeq(parent)) return Number(step);
  return parent.items.findIndex(({ key }) => isScalar(key) && key.value === String(step));
}

function contentOf(entry: Entry): Content {
  return isPair(entry) ? (entry.value as Content) : entry;
}

function replacement(text: string, entry: Entry, value: unknown): Splice {
  const from = isPair(entry) ? afterColon(text, entry) : startOf(entry);
  const to = Math.max(from, endOf(text, entry));
  const space = isPair(entry) || text[from - 1] === '-' ? ' ' : '';
  return { from, to, by: `${space}${valueText(text, value)}` };
}

function addition(text: string, parent: Collection, step: string | number, value: unknown): Splice {
  const last = parent.items.at(-1) as Entry | undefined;
  if (last === undefined) {
    const to = parent.range?.[1] ?? text.length;
    return { from: startOf(parent), to, by: valueText(text, nested([step], value)) };
  }
  const entry = isSeq(parent) ? valueText(text, value) : entryText(text, step, value);
  const end = endOf(text, last);
  if (parent.flow === true) return { from: end, to: end, by: `, ${entry}` };
  const indent = ' '.repeat(columnOf(text, startOf(parent)));
  const line = `${lineEndOf(text)}${indent}${isSeq(parent) ? '- ' : ''}${entry}`;
  const at = endOfLine(text, end);
  return { from: at, to: at, by: line };
}

function removal(text: string, root: Content, path: Path): Splice | undefined {
  const levels: { readonly parent: Collection; readonly index: number }[] = [];
  let inner = root;
  for (const step of path) {
    const parent = inner;
    const index = isCollection(parent) ? indexOf(parent, step) : -1;
    const entry = isCollection(parent) ? (parent.items[index] as Entry | undefined) : undefined;
    if (!isCollection(parent) || entry === undefined) return undefined;
    levels.push({ parent, index });
    inner = contentOf(entry);
  }
  // Remove parents that would be empty.
  const level = levels.findLast(({ parent }) => parent.items.length > 1) ?? levels[0];
  return level && without(text, level.parent, level.index);
}

function without(text: string, { items, flow: onOneLine }: Collection, index: number): Splice {
  const [last, entry, next] = [items[index - 1], items[index], items[index + 1]] as Entry[];
  const [from, to] = [startOf(entry), endOf(text, entry)];
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const ownLines = onOneLine !== true && /^\ufeff?\s*(?:-\s+)?$/u.test(text.slice(lineStart, from));
  if (ownLines && !(isPair(entry) && text.slice(lineStart, from).includes('-'))) {
    return { from: withComments(text, lineStart), to: startOfNextLine(text, to), by: '' };
  }
  if (next !== undefined) return { from, to: startOf(next), by: '' };
  return { from: last === undefined ? from : endOf(text, last), to, by: '' };
}

/**
 * Offset of the comment right above a line; a comment at the top of the file stays, because it
 * belongs to the file.
 */
function withComments(text: string, lineStart: number): number {
  const indent = /[ \t]*/uy;
  indent.lastIndex = lineStart;
  const comment = `${indent.exec(text)?.[0] ?? ''}#`;
  let from = lineStart;
  for (;;) {
    if (from === 0) return lineStart;
    const above = text.lastIndexOf('\n', from - 2) + 1;
    if (!text.startsWith(comment, above)) return from;
    from = above;
  }
}

function startOf(entry: Entry | undefined): number {
  const node = isPair(entry) ? (entry.key as Node) : entry;
  return node?.range?.[0] ?? 0;
}

/** Offset after an entry's last character, before a comment or line end. */
function endOf(text: string, entry: Entry | undefined): number {
  const content = entry === undefined ? null : contentOf(entry);
  const last = isCollection(content) && content.flow !== true ? content.items.at(-1) : undefined;
  if (last !== undefined) return endOf(text, last as Entry);
  const [start, end] = content?.range ?? [0, 0];
  if (isPair(entry) && start === end) return afterColon(text, entry);
  return text.slice(0, end).trimEnd().length;
}

function afterColon(text: string, { key }: Pair): number {
  return text.indexOf(':', (key as Node).range?.[1]) + 1;
}

function columnOf(text: string, offset: number): number {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return line.replace('\ufeff', '').length;
}

function endOfLine(text: string, offset: number): number {
  const found = /\r?\n/u.exec(text.slice(offset));
  return found === null ? text.length : offset + found.index;
}

function startOfNextLine(text: string, offset: number): number {
  const found = text.indexOf('\n', offset);
  return found < 0 ? text.length : found + 1;
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith('{');
}

function valueText(text: string, value: unknown): string {
  return isJson(text) ? JSON.stringify(value) : flow(value);
}

function entryText(text: string, key: string | number, value: unknown): string {
  const name = String(key);
  return `${isJson(text) ? JSON.stringify(name) : scalar(name)}: ${valueText(text, value)}`;
}
