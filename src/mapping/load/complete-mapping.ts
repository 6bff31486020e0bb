import { readFileSync } from 'node:fs';
import { isScalar } from 'yaml';
import type { KeyPath } from '../../model/json-path.js';
import { readYaml } from '../../model/read-yaml.js';
import { entriesIn } from './load-mapping.js';

/** Facts about the source that the mapping is for. */
export interface CompleteOptions {
  /** Its columns, or the paths in its records; if absent, none are offered. */
  readonly columns?: readonly string[] | null;
  /** Its lists of records, for `records` under `input`. */
  readonly lists?: readonly string[];
}

/** One suggestion. */
export interface CompletionItem {
  readonly label: string;
  /** Text that replaces the text between `from` and `to`. */
  readonly insert: string;
  /** Description in one sentence; may be empty. */
  readonly detail: string;
  readonly kind: 'key' | 'value' | 'column';
}

/** Suggestions for the text between two offsets. */
export interface Completions {
  readonly from: number;
  readonly to: number;
  /** Matches only; those that begin with the typed text come first. */
  readonly items: readonly CompletionItem[];
}

/**
 * Suggests keys, values (where there are only a few) and columns for the cursor's place in a
 * mapping. The text may be incomplete, and wrong elsewhere. Suggestions come from
 * `schemas/mapping.schema.json`, the schema that mappings are checked with. Never throws.
 * @param offset of the cursor, in UTF-16 code units
 */
export function completeMapping(
  text: string,
  offset: number,
  { columns = null, lists = [] }: CompleteOptions = {},
): Completions {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (/(?:^|\s)#[^"']*$/u.test(line)) return { from: offset, to: offset, items: [] };
  const typed = parseTyped(line);
  const from = offset - typed.word.length;
  const to = offset + (typed.rest.exec(text.slice(offset))?.[0].length ?? 0);
  const place = { text, from, to };
  const offered = typed.isColumn
    ? columnItems(columns ?? [], (name) => (text[to] === '}' ? name : `${name}}`))
    : [
        ...(expectsValue(line, typed) ? [] : keysAt(place)),
        ...valuesAt(place, { columns: columns ?? [], lists }),
      ];
  return { from, to, items: matching(offered, typed.word) };
}

interface TypedText {
  /** Typed part before the cursor, which the suggestion replaces. */
  readonly word: string;
  /** Matches its rest after the cursor. */
  readonly rest: RegExp;
  /** Whether it is a column in a template, for example `"{Tit`. */
  readonly isColumn: boolean;
}

function parseTyped(line: string): TypedText {
  const quoted = /"[^"\\]*\{([^{}"]*)$/u.exec(line);
  const isOpen = (line.match(/"/gu) ?? []).length % 2 === 1;
  if (isOpen && quoted !== null) {
    return { word: quoted[1] ?? '', rest: /^[^{}"\n]*/u, isColumn: true };
  }
  const word = /(?:^\s*(?:- )*|[{[,]\s*|:\s+|- )((?:[^\s:{}[\],]+ ?)*)$/u.exec(line)?.[1] ?? '';
  return { word, rest: /^[\p{L}\p{N}_."]*/u, isColumn: false };
}

function expectsValue(line: string, { word }: TypedText): boolean {
  const before = line.slice(0, line.length - word.length).trimEnd();
  const open: string[] = [];
  for (const [bracket] of before.matchAll(/[[\]{}]/gu)) {
    if (bracket === '[' || bracket === '{') open.push(bracket);
    else open.pop();
  }
  return before.endsWith(':') || open.at(-1) === '[';
}

interface CursorRange {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Placeholder inserted at the cursor, to find its place in the parsed text. */
const CURSOR_MARK = 'unfinishedhere';

function keysAt({ text, from, to }: CursorRange): readonly CompletionItem[] {
  const isKey = /^\s*:/u.test(text.slice(to));
  const found = findMark(
    `${text.slice(0, from)}${CURSOR_MARK}${isKey ? '' : ': 0'}${text.slice(to)}`,
  );
  if (found?.siblings === undefined) return [];
  const { properties = {} } = schemaAt(found.path) ?? {};
  return Object.entries(properties)
    .filter(([name]) => !found.siblings?.includes(name))
    .map(([name, schema]) => ({
      label: name,
      insert: isKey ? name : `${name}: `,
      detail: schema.description ?? resolveSchema(schema).description ?? '',
      kind: 'key',
    }));
}

function valuesAt(
  { text, from, to }: CursorRange,
  { columns, lists }: { readonly columns: readonly string[]; readonly lists: readonly string[] },
): readonly CompletionItem[] {
  const found = findMark(text.slice(0, from) + CURSOR_MARK + text.slice(to));
  if (found === undefined || found.siblings !== undefined) return [];
  const schema = schemaAt(found.path);
  if (schema === undefined) return [];
  if (schema.name === 'columns') return columnItems(columns, quoteIfNeeded);
  if (schema.name === 'rule') return columnItems(columns, (name) => `"{${name}}"`);
  const values = found.path.join('.') === 'input.records' ? lists : valuesOf(schema);
  return values.map((value) => ({
    label: String(value),
    insert: typeof value === 'string' ? quoteIfNeeded(value) : String(value),
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

/** Quotes a text that YAML could read as something else. */
function quoteIfNeeded(text: string): string {
  const isPlain = /^(?!(?:true|false|null|yes|no|on|off)$)\p{L}[\p{L}\p{N} _./-]*(?<! )$/iu;
  return isPlain.test(text) ? text : JSON.stringify(text);
}

/**
 * Place of the cursor mark. If it is a key: the path of its map, and that map's keys. If it is a
 * value: its own path.
 */
interface FoundMark {
  readonly path: KeyPath;
  readonly siblings?: readonly string[];
}

function findMark(text: string): FoundMark | undefined {
  for (const { path, siblings, value } of entriesIn(readYaml(text).document.contents, [])) {
    if (holdsMark(path.at(-1))) return { path: path.slice(0, -1), siblings };
    if (isScalar(value) && holdsMark(value.value)) return { path };
  }
  return undefined;
}

function holdsMark(value: unknown): boolean {
  return typeof value === 'string' && value.includes(CURSOR_MARK);
}

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

interface NamedSchema extends Schema {
  readonly name: string;
}

let cachedSchema: Schema | undefined;

function mappingSchema(): Schema {
  const file = new URL('../../../schemas/mapping.schema.json', import.meta.url);
  cachedSchema ??= JSON.parse(readFileSync(file, 'utf8')) as Schema;
  return cachedSchema;
}

function schemaAt(path: KeyPath): NamedSchema | undefined {
  let at: NamedSchema | undefined = resolveSchema(mappingSchema());
  for (const step of path) {
    const inner: Schema | undefined = at === undefined ? undefined : innerSchema(at, step);
    at = inner && resolveSchema(inner, at?.name);
  }
  return at;
}

function innerSchema(schema: Schema, step: string | number): Schema | undefined {
  if (typeof step === 'number') return schema.items;
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, step)) return properties[step];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/**
 * Resolves a reference.
 * @param parentName name of the schema around it: elements of `columns` are columns
 */
function resolveSchema(schema: Schema, parentName?: string): NamedSchema {
  const name = schema.$ref?.replace('#/$defs/', '');
  if (name === undefined) return { ...schema, name: parentName === 'columns' ? parentName : '' };
  return { ...mappingSchema().$defs?.[name], name };
}

/** Filters by the typed text; matches at the beginning come first. */
function matching(items: readonly CompletionItem[], typed: string): readonly CompletionItem[] {
  const wanted = typed.replace(/^"\{?/u, '').toLowerCase();
  const containing = items.filter(({ label }) => label.toLowerCase().includes(wanted));
  const begins = ({ label }: CompletionItem): boolean => label.toLowerCase().startsWith(wanted);
  return [...containing.filter(begins), ...containing.filter((item) => !begins(item))];
}
