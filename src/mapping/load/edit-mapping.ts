/** Edits single values in a mapping's text and leaves the rest of the text unchanged. */
import { isDeepStrictEqual } from 'node:util';
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { MappingError } from '../../model/errors.js';
import type { KeyPath } from '../../model/json-path.js';
import { readYaml } from '../../model/read-yaml.js';
import { isObject } from '../../model/record.js';
import { pathText } from '../../validation/explain-errors.js';
import type { Expectations } from '../mapping.js';
import { flowYaml, yamlScalar } from '../mapping-text.js';
import { mappingErrorOf, parseMapping, parseYaml } from './load-mapping.js';

/** A new value for one place of a mapping. */
export interface MappingChange {
  /**
   * Keys and indexes from the top: `['document', 'metrics', 'score']`, `['skip', 0]`. In a list, `-`
   * adds an entry, and `-blank` replaces the first with the key `blank`, or adds one.
   */
  readonly path: readonly (string | number)[];
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
  parsed(text);
  const { document } = readYaml(text);
  const levels = levelsOf(document.contents as Content, path);
  const written = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  const edit =
    written === undefined ? removal(text, levels, path) : insertion(text, levels, path, written);
  if (edit === undefined) return text;
  const { from, to, by, at, inner } = edit;
  const edited = text.slice(0, from) + by + text.slice(to);
  const isShared = levels.some(
    ({ parent, entry }, depth) =>
      parent.anchor !== undefined ||
      (depth < path.length - 1 && entry !== undefined && isAlias(contentOf(entry))),
  );
  if (!isShared && readYaml(edited).errors.length === 0) {
    if (inner === undefined) document.deleteIn(at);
    else document.setIn(at, inner);
    if (isDeepStrictEqual(parsed(edited), document.toJS())) return edited;
  }
  throw new MappingError(
    `${pathText(path)} can't be changed on its own; replace aliases (*name) with their values, and remove document markers ("---", "...")`,
  );
}

/**
 * Replaces or adds the expectations in a mapping's text, one line per key.
 * @param name the file's name in messages
 * @throws MappingError if the text isn't a valid mapping, or can't be edited
 */
export function writeExpectations(text: string, name: string, expects: Expectations): string {
  parseMapping(text, name);
  return editMapping(text, { path: ['expects'], value: expects });
}

function parsed(text: string): unknown {
  if (readYaml(text).document.contents === null) return {};
  const yaml = parseYaml(text);
  if ('mistakes' in yaml) throw mappingErrorOf('the mapping', yaml.mistakes);
  return yaml.value;
}

type Collection = YAMLMap | YAMLSeq;
type Content = Node | null;
type Entry = Pair | Content;

/** A step of a path: the map or list, and its entry if there is one. */
interface Level {
  readonly parent: Collection;
  readonly step: string | number;
  readonly index: number;
  readonly entry: Entry | undefined;
}

/** Follows a path as far as there are maps and lists. */
function levelsOf(root: Content, path: KeyPath): readonly Level[] {
  const levels: Level[] = [];
  let inner: Content | undefined = root;
  for (const step of path) {
    if (!isCollection(inner)) break;
    const index = indexOf(inner, step);
    const entry = inner.items[index] as Entry | undefined;
    levels.push({ parent: inner, step, index, entry });
    inner = entry && contentOf(entry);
  }
  return levels;
}

/** Index after the last entry of a list, as in JSON Pointer, or of the first with a key. */
const BY_CONTENT = /^-(\w*)$/u;

function isCollection(node: unknown): node is Collection {
  return isMap(node) || isSeq(node);
}

function indexOf(parent: Collection, step: string | number): number {
  if (isSeq(parent)) {
    const [, key] = BY_CONTENT.exec(String(step)) ?? [];
    if (key === undefined) return Number(step);
    const at = parent.items.findIndex((item) => isMap(item) && item.has(key));
    return at < 0 ? parent.items.length : at;
  }
  return parent.items.findIndex(({ key }) => isScalar(key) && key.value === String(step));
}

function contentOf(entry: Entry): Content {
  return isPair(entry) ? (entry.value as Content) : entry;
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** A splice, and the same change as data, to check it. */
interface Edit extends Splice {
  readonly at: KeyPath;
  /** The new value there; absent if the value is removed. */
  readonly inner?: unknown;
}

function insertion(text: string, levels: readonly Level[], path: KeyPath, value: unknown): Edit {
  const last = levels.at(-1);
  const at =
    last === undefined
      ? path.slice(0, 1)
      : levels.map(({ parent, step, index }) => (isSeq(parent) ? index : step));
  const inner = path
    .slice(at.length)
    .reduceRight<unknown>(
      (nested, step) =>
        typeof step === 'number' || BY_CONTENT.test(step) ? [nested] : { [step]: nested },
      value,
    );
  const isTop = levels.length < 2;
  if (last === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    const by = `${gap}${pairText(text, at[0] ?? '', inner, isTop)}\n`;
    return { from: text.length, to: text.length, by, at, inner };
  }
  const splice =
    last.entry === undefined
      ? addition(text, last, inner, isTop)
      : replacement(text, last.entry, inner, isTop);
  return { ...splice, at, inner };
}

function replacement(text: string, entry: Entry, value: unknown, isTop: boolean): Splice {
  const from = isPair(entry) ? afterColon(text, entry) : startOf(entry);
  const to = Math.max(from, endOf(text, entry));
  if (isPair(entry)) return { from, to, by: afterColonText(text, value, isTop) };
  return { from, to, by: `${text[from - 1] === '-' ? ' ' : ''}${valueText(text, value)}` };
}

function addition(text: string, { parent, step }: Level, value: unknown, isTop: boolean): Splice {
  const last = parent.items.at(-1) as Entry | undefined;
  if (last === undefined) {
    const to = parent.range?.[1] ?? text.length;
    const only = isSeq(parent) ? [value] : { [step]: value };
    return { from: startOf(parent), to, by: valueText(text, only) };
  }
  const entry = isSeq(parent) ? valueText(text, value) : pairText(text, step, value, isTop);
  const end = endOf(text, last);
  if (parent.flow === true) return { from: end, to: end, by: `, ${entry}` };
  const lineEnd = lineEndOf(text);
  const gap = isTop && /\n\r?\n/u.test(text) ? lineEnd : '';
  const indent = ' '.repeat(columnOf(text, startOf(parent)));
  const at = endOfLine(text, end);
  return { from: at, to: at, by: `${gap}${lineEnd}${indent}${isSeq(parent) ? '- ' : ''}${entry}` };
}

/** Removes a value, and parents that would be empty; `undefined` if there is none. */
function removal(text: string, levels: readonly Level[], path: KeyPath): Edit | undefined {
  if (levels.length < path.length || levels.at(-1)?.entry === undefined) return undefined;
  const depth = Math.max(
    0,
    levels.findLastIndex(({ parent }) => parent.items.length > 1),
  );
  const { parent, index } = levels[depth] as Level;
  return { ...without(text, parent, index), at: path.slice(0, depth + 1) };
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
 * Returns the start of the comment right above a line, or of the line if there is none. A comment
 * at the top of the file doesn't count, because it is about the whole file.
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
  return isJson(text) ? JSON.stringify(value) : flowYaml(value);
}

function pairText(text: string, key: string | number, value: unknown, isTop: boolean): string {
  const name = isJson(text) ? JSON.stringify(String(key)) : yamlScalar(String(key));
  return `${name}:${afterColonText(text, value, isTop)}`;
}

/** Writes a key's value; at the top of a mapping, an object takes a line for each of its keys. */
function afterColonText(text: string, value: unknown, isTop: boolean): string {
  if (!isTop || isJson(text) || !isObject(value)) return ` ${valueText(text, value)}`;
  const lines = Object.entries(value).map(
    ([key, inner]) => `  ${yamlScalar(key)}: ${flowYaml(inner)}`,
  );
  return lines.length === 0 ? ' {}' : lines.map((line) => lineEndOf(text) + line).join('');
}
