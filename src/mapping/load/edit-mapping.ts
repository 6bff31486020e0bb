/** Edits single values in a mapping's text; comments stay with what they are about. */
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Pair,
  type Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import { stringTag } from 'yaml/util';
import { MappingError } from '../../model/errors.js';
import type { KeyPath } from '../../model/json-path.js';
import { readYaml } from '../../model/read-yaml.js';
import { escapeInvisible } from '../../model/text.js';
import { pathText } from '../../validation/explain-errors.js';
import type { Expectations } from '../mapping.js';
import { flowYaml } from '../mapping-text.js';
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
 * Writes a change into a mapping's text. Comments elsewhere stay; what isn't written as docferry
 * writes mappings is laid out anew, and JSON stays JSON. Removing a value also removes the comment
 * right above it and parents that become empty. The text must be valid YAML; the resulting mapping may
 * have mistakes.
 * @throws MappingError if the text isn't YAML, or if aliases (`*name`) refer to the changed place
 */
export function editMapping(text: string, { path, value }: MappingChange): string {
  const document = parseEditable(text);
  if (isEmpty(document)) document.contents = new YAMLMap();
  if (!isMap(document.contents)) {
    throw new MappingError("the mapping isn't a map of keys, for example `document: { … }`");
  }
  const levels = levelsOf(document.contents, path);
  const shared = isAliased(levels, path);
  if (value !== undefined) putValue(levels, path, JSON.parse(JSON.stringify(value)));
  else if (!removeValue(document, levels, path)) return text;
  if (shared || lacksAnchor(document)) {
    throw new MappingError(
      `${pathText(path)} can't be changed on its own; replace aliases (*name) with their values`,
    );
  }
  return editedText(document, text);
}

/** Lays out a mapping's text as an edit does. */
export function formatMapping(text: string): string {
  const document = parseEditable(text);
  return isEmpty(document) ? text : editedText(document, text);
}

/** Returns whether a mapping is empty except for comments. */
function isEmpty({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
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

function parseEditable(text: string): Document {
  const { document } = readYaml(text);
  if (document.contents === null) return document;
  const yaml = parseYaml(text);
  if ('mistakes' in yaml) throw mappingErrorOf('the mapping', yaml.mistakes);
  return document;
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
    inner = entry && entryContent(entry);
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

function entryContent(entry: Entry): Content {
  return isPair(entry) ? (entry.value as Content) : entry;
}

/** Puts in a value, with the parents that the mapping lacks. */
function putValue(levels: readonly Level[], path: KeyPath, value: unknown): void {
  const { parent, step, index, entry } = levels.at(-1) as Level;
  const nested = path
    .slice(levels.length)
    .reduceRight<unknown>(
      (inner, key) =>
        typeof key === 'number' || BY_CONTENT.test(key) ? [inner] : { [key]: inner },
      value,
    );
  const node = nodeOf(nested);
  // At the top of a mapping, each key of an object takes a line.
  if (levels.length === 1 && isMap(node) && node.items.length > 0) node.flow = false;
  if (entry !== undefined) replace(parent, index, node);
  else if (isSeq(parent)) parent.items.push(node);
  else {
    const key = nodeOf(String(step)) as Scalar;
    const isSpaced = parent.items.some((pair) => isScalar(pair.key) && pair.key.spaceBefore);
    if (levels.length === 1 && isSpaced) key.spaceBefore = true;
    parent.items.push(new Pair(key, node));
  }
}

/** Reads a value from its text, so that it is quoted as docferry quotes. */
function nodeOf(value: unknown): Node {
  return readYaml(flowYaml(value)).document.contents as Node;
}

/** Replaces a value; keeps the comment behind it, and that above an entry of a list. */
function replace(parent: Collection, index: number, node: Node): void {
  const entry = parent.items[index] as Entry;
  const old = entryContent(entry);
  if (old?.comment) node.comment = old.comment;
  if (isPair(entry)) {
    entry.value = node;
    return;
  }
  if (old?.commentBefore) node.commentBefore = old.commentBefore;
  parent.items[index] = node;
}

/** Removes a value, and parents that would be empty. Returns whether there was one. */
function removeValue(document: Document, levels: readonly Level[], path: KeyPath): boolean {
  if (levels.length < path.length || levels.at(-1)?.entry === undefined) return false;
  const depth = Math.max(
    0,
    levels.findLastIndex(({ parent }) => parent.items.length > 1),
  );
  const { parent, index, entry } = levels[depth] as Level;
  parent.items.splice(index, 1);
  const above = entryKey(entry)?.commentBefore;
  if (index > 0) {
    keepComment(parent, index, above?.split('\n\n').slice(0, -1));
    return true;
  }
  const kept = aboutFile(above);
  if (depth === 0 && kept !== null) {
    document.commentBefore = joinComments(document.commentBefore, kept);
  }
  parent.commentBefore = null;
  const next = entryKey(parent.items[0] as Entry | undefined);
  if (next) next.spaceBefore = false;
  return true;
}

/** Moves paragraphs of a removed entry's comment to the next entry, or to the end after the last one. */
function keepComment(parent: Collection, index: number, paragraphs: readonly string[] = []): void {
  if (paragraphs.length === 0) return;
  const kept = paragraphs.join('\n\n');
  const next = entryKey(parent.items[index] as Entry | undefined);
  if (next) next.commentBefore = joinComments(kept, next.commentBefore);
  else parent.comment = joinComments(parent.comment, kept);
}

function joinComments(...comments: readonly (string | null | undefined)[]): string {
  return comments.filter(Boolean).join('\n\n');
}

function entryKey(entry: Entry | undefined): Content | undefined {
  return isPair(entry) ? (entry.key as Node) : entry;
}

/** The part about the whole file, of the comment above its first key. */
function aboutFile(comment: string | null | undefined): string | null {
  const parts = comment?.split('\n\n') ?? [];
  return (parts.length > 1 ? parts.slice(0, -1) : parts).join('\n\n') || null;
}

/** Returns whether a change would also change what an alias repeats. */
function isAliased(levels: readonly Level[], path: KeyPath): boolean {
  return levels.some(
    ({ parent, entry }, depth) =>
      parent.anchor !== undefined ||
      (depth < path.length - 1 && entry !== undefined && isAlias(entryContent(entry))),
  );
}

/** Returns whether an alias repeats what is no longer there. */
function lacksAnchor(document: Document): boolean {
  let lacks = false;
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) === undefined) lacks = true;
    },
  });
  return lacks;
}

/** Writes each value on one line, as `flowYaml` does. */
const ON_ONE_LINE = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY };

/** Text of an edited mapping, with the line ends that it had before. */
function editedText(document: Document, before: string): string {
  if (isJson(before)) {
    const indent = /\n([ \t]+)/u.exec(before)?.[1] ?? '';
    return JSON.stringify(document.toJS(), null, indent) + (before.endsWith('\n') ? '\n' : '');
  }
  document.setSchema('1.2', {
    schema: 'core',
    customTags: (tags) => tags.map((tag) => (tag === stringTag ? QUOTED : tag)),
  });
  visit(document, {
    Map: (_, map) => pad(map, YAMLMap, ' '),
    Seq: (_, seq) => pad(seq, YAMLSeq, ''),
  });
  const text = document.toString(ON_ONE_LINE);
  const mark = before.startsWith('\ufeff') ? '\ufeff' : '';
  return mark + (before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text);
}

/** Writes maps as `{ a: 1 }` and lists as `[1, 2]`. */
function pad(node: Collection, { prototype }: typeof YAMLMap | typeof YAMLSeq, by: string): void {
  node.toString = (context, ...others) =>
    prototype.toString.call(node, context && { ...context, flowCollectionPadding: by }, ...others);
}

/** Texts, with invisible characters escaped where they are quoted. */
const QUOTED = {
  ...stringTag,
  stringify: (...args: Parameters<NonNullable<typeof stringTag.stringify>>): string => {
    const text = stringTag.stringify?.(...args) ?? '';
    return text.startsWith('"') ? escapeInvisible(text) : text;
  },
};

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
