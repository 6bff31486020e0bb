/** What may stand at a place of a mapping's text, for whoever is typing it. */
import { readFileSync } from 'node:fs';
import { isMap, isPair, isScalar, isSeq } from 'yaml';
import { readYaml } from '../../model/read-yaml.js';

/** What is known of the source that a mapping is for. */
export interface CompleteOptions {
  /** Its columns, or the paths that its records have; left out: none are offered. */
  readonly columns?: readonly string[] | null;
}

/** What may be put in. */
export interface CompletionItem {
  readonly label: string;
  /** What to write in place of the text from `from` to `to`. */
  readonly insert: string;
  /** What it means, in a sentence; may be empty. */
  readonly detail: string;
  readonly kind: 'key' | 'value' | 'column';
}

/** What may stand between two offsets of a text. */
export interface Completions {
  readonly from: number;
  readonly to: number;
  /** What begins like the text that is there comes first; what doesn't hold it is left out. */
  readonly items: readonly CompletionItem[];
}

/**
 * Says what may stand where somebody is typing in a mapping: keys, values of which there are only a
 * few, and columns. The text may be wrong in other places, and unfinished in this one. What is
 * offered comes from `schemas/mapping.schema.json`, by which mappings are checked.
 * @param offset of the cursor, in UTF-16 code units
 */
export function completeMapping(
  text: string,
  offset: number,
  { columns = null }: CompleteOptions = {},
): Completions {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (/(?:^|\s)#[^"']*$/u.test(line)) return { from: offset, to: offset, items: [] };
  const typed = typedIn(line);
  const from = offset - typed.word.length;
  const to = offset + (typed.rest.exec(text.slice(offset))?.[0].length ?? 0);
  const place = { text, from, to };
  const offered = typed.isColumn
    ? columnItems(columns ?? [], (name) => (text[to] === '}' ? name : `${name}}`))
    : [...(isBehind(line, typed) ? [] : keysAt(place)), ...valuesAt(place, columns ?? [])];
  return { from, to, items: sorted(offered, typed.word) };
}

interface Typed {
  /** What stands before the cursor of what is to be replaced. */
  readonly word: string;
  /** What of it stands behind. */
  readonly rest: RegExp;
  /** Whether it is a column in a template, such as `"{Tit`. */
  readonly isColumn: boolean;
}

function typedIn(line: string): Typed {
  const quoted = /"[^"\\]*\{([^{}"]*)$/u.exec(line);
  const isOpen = (line.match(/"/gu) ?? []).length % 2 === 1;
  if (isOpen && quoted !== null) {
    return { word: quoted[1] ?? '', rest: /^[^{}"\n]*/u, isColumn: true };
  }
  const word = /(?:^\s*(?:- )*|[{[,]\s*|:\s+|- )((?:[^\s:{}[\],]+ ?)*)$/u.exec(line)?.[1] ?? '';
  return { word, rest: /^[\p{L}\p{N}_."]*/u, isColumn: false };
}

/** Whether a value is due: behind a key, or in a list on one line. */
function isBehind(line: string, { word }: Typed): boolean {
  const before = line.slice(0, line.length - word.length).trimEnd();
  const open: string[] = [];
  for (const [bracket] of before.matchAll(/[[\]{}]/gu)) {
    if (bracket === '[' || bracket === '{') open.push(bracket);
    else open.pop();
  }
  return before.endsWith(':') || open.at(-1) === '[';
}

interface TextPlace {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Stands for what is not typed yet. */
const MARK = 'unfinishedhere';

function keysAt({ text, from, to }: TextPlace): readonly CompletionItem[] {
  const isKey = /^\s*:/u.test(text.slice(to));
  const found = findMark(`${text.slice(0, from)}${MARK}${isKey ? '' : ': 0'}${text.slice(to)}`);
  if (found?.siblings === undefined) return [];
  const { properties = {} } = schemaAt(found.path) ?? {};
  return Object.entries(properties)
    .filter(([name]) => !found.siblings?.includes(name))
    .map(([name, schema]) => ({
      label: name,
      insert: isKey ? name : `${name}: `,
      detail: schema.description ?? named(schema).description ?? '',
      kind: 'key',
    }));
}

function valuesAt(
  { text, from, to }: TextPlace,
  columns: readonly string[],
): readonly CompletionItem[] {
  const found = findMark(text.slice(0, from) + MARK + text.slice(to));
  if (found === undefined || found.siblings !== undefined) return [];
  const schema = schemaAt(found.path);
  if (schema === undefined) return [];
  if (schema.name === 'columns') return columnItems(columns, plain);
  if (schema.name === 'rule') return columnItems(columns, (name) => `"{${name}}"`);
  return valuesOf(schema).map((value) => ({
    label: String(value),
    insert: typeof value === 'string' ? plain(value) : String(value),
    detail: '',
    kind: 'value',
  }));
}

function valuesOf(schema: NamedSchema): readonly unknown[] {
  if (schema.name === 'zone') return Intl.supportedValuesOf('timeZone');
  if (schema.const !== undefined) return [schema.const];
  return schema.enum ?? ([schema.type].flat().includes('boolean') ? [true, false] : []);
}

function columnItems(
  columns: readonly string[],
  write: (name: string) => string,
): readonly CompletionItem[] {
  return columns.map((name) => ({
    label: name,
    insert: write(name),
    detail: '',
    kind: 'column',
  }));
}

/** Whatever YAML could take for something else is quoted. */
function plain(text: string): string {
  const isPlain = /^(?!(?:true|false|null|yes|no|on|off)$)\p{L}[\p{L}\p{N} _./-]*(?<! )$/iu;
  return isPlain.test(text) ? text : JSON.stringify(text);
}

/** Where the mark stands: the map whose key it is, with its other keys, or the value that it is. */
interface FoundMark {
  readonly path: readonly (string | number)[];
  readonly siblings?: readonly string[];
}

function findMark(text: string): FoundMark | undefined {
  return markIn(readYaml(text).document.contents, []);
}

function markIn(node: unknown, path: FoundMark['path']): FoundMark | undefined {
  if (isScalar(node)) return holdsMark(node.value) ? { path } : undefined;
  if (isSeq(node)) return firstMark(node.items, (item, index) => markIn(item, [...path, index]));
  if (!isMap(node)) return undefined;
  const keys = node.items.map(({ key }) => String(isScalar(key) ? key.value : key));
  return firstMark(node.items, (pair, index) => {
    if (!isPair(pair)) return undefined;
    const key = keys[index] ?? '';
    if (holdsMark(key)) return { path, siblings: keys };
    return markIn(pair.value, [...path, key]);
  });
}

function firstMark(
  items: readonly unknown[],
  look: (item: unknown, index: number) => FoundMark | undefined,
): FoundMark | undefined {
  for (const [index, item] of items.entries()) {
    const found = look(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function holdsMark(value: unknown): boolean {
  return typeof value === 'string' && value.includes(MARK);
}

/** As much of JSON Schema as the mapping's schema uses for its structure. */
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** A schema, and what it is called among the definitions. */
interface NamedSchema extends Schema {
  readonly name: string;
}

let whole: Schema | undefined;

function schemaOfMappings(): Schema {
  const file = new URL('../../../schemas/mapping.schema.json', import.meta.url);
  whole ??= JSON.parse(readFileSync(file, 'utf8')) as Schema;
  return whole;
}

function schemaAt(path: FoundMark['path']): NamedSchema | undefined {
  let at: NamedSchema | undefined = named(schemaOfMappings());
  for (const step of path) {
    const inner: Schema | undefined = at === undefined ? undefined : innerSchema(at, step);
    at = inner && named(inner, at?.name);
  }
  return at;
}

function innerSchema(schema: Schema, step: string | number): Schema | undefined {
  if (typeof step === 'number') return schema.items;
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, step)) return properties[step];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** @param around a list of columns holds columns */
function named(schema: Schema, around?: string): NamedSchema {
  const name = schema.$ref?.replace('#/$defs/', '');
  if (name === undefined) return { ...schema, name: around === 'columns' ? around : '' };
  return { ...schemaOfMappings().$defs?.[name], name };
}

/** Those that begin with what was typed, then those that hold it. */
function sorted(items: readonly CompletionItem[], typed: string): readonly CompletionItem[] {
  const wanted = typed.replace(/^"\{?/u, '').toLowerCase();
  const holding = items.filter(({ label }) => label.toLowerCase().includes(wanted));
  const begins = ({ label }: CompletionItem): boolean => label.toLowerCase().startsWith(wanted);
  return [...holding.filter(begins), ...holding.filter((item) => !begins(item))];
}
