import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import {
  about,
  MappingError,
  type MappingMistake,
  nearestName,
  type TextRange,
} from '../../model/errors.js';
import type { KeyPath } from '../../model/json-path.js';
import { omitUndefined } from '../../model/options.js';
import { type ReadYaml, readYaml } from '../../model/read-yaml.js';
import { readSmallText } from '../../model/small-file.js';
import { fileWord, printable } from '../../model/text.js';
import { columnMistakes, missingAsOfMistakes } from '../compile/compile-mapping.js';
import type { Mapping, WrittenMapping } from '../mapping.js';
import {
  type Locate,
  locateMistake,
  storeSourceText,
  type Todo,
  todosIn,
} from '../mapping-text.js';
import { openQuestions, questionsOf, storeOpenQuestions } from '../open-questions.js';
import { readyMappings } from '../ready-mappings.js';
import { findMistakes } from './find-mistakes.js';

/**
 * Reads and checks a mapping file in YAML or JSON.
 *
 * @throws MappingError if it can't be read, or with all its mistakes
 */
export async function loadMapping(file: string): Promise<Mapping> {
  return parseMapping(readMappingText(file), file);
}

/**
 * Reads the text of a mapping file.
 * @throws MappingError if it can't be read
 */
export function readMappingText(file: string): string {
  return readSmallText(file, (reason, missing) => {
    const message = missing
      ? missingFile(file)
      : isExport(file)
        ? notMapping(file)
        : `The mapping file ${file} ${reason}.`;
    return about(new MappingError(message), file);
  });
}

function missingFile(file: string): string {
  if (readyMappings().some(({ name }) => name === file)) {
    return `There is no file ${file}, but a ready-made mapping has that name. Write it to a file first: \`docferry mapping show ${file} > ${file}.yaml\``;
  }
  const folder = path.dirname(file);
  const near = nearestName(path.basename(file), mappingFiles(folder));
  return near === undefined
    ? `There is no mapping file ${file}: check the path.\nTo make one: \`docferry guess FILE -o ${fileWord(file)}\``
    : `There is no mapping file ${file}; did you mean ${printable(path.join(folder, near))}?`;
}

function mappingFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(ya?ml|json)$/i.test(name));
  } catch {
    return [];
  }
}

/** Returns whether a file's name is that of records, not of a mapping. */
function isExport(file: string): boolean {
  return /\.(csv|tsv|jsonl|ndjson|xlsx?|parquet)(\.gz)?$|\.zip$/i.test(file);
}

function notMapping(file: string): string {
  return `${file} looks like an export, and -m needs a mapping. To make one for it: \`docferry guess ${fileWord(file)} -o mapping.yaml\``;
}

/**
 * Parses and checks the text of a mapping; `name` is the file's name in messages.
 *
 * @throws MappingError with a line for each mistake: `name:line:column: …`
 */
export function parseMapping(text: string, name: string): Mapping {
  const read = readMapping(text, name);
  if (!('mistakes' in read)) return read.mapping;
  if (isExport(name)) throw about(new MappingError(notMapping(name)), name);
  throw mappingErrorOf(name, read.mistakes, read.unparsed);
}

/** Line of a mapping; a text without one may be a key, and isn't quoted. */
const DOCUMENT_KEY = /^[\s{]*["']?document["']?[ \t]*:/mu;

/** @param text shown at each mistake, if it is that of a mapping */
export function mappingErrorOf(
  name: string,
  mistakes: readonly MappingMistake[],
  text?: string,
): MappingError {
  const isShown = text !== undefined && DOCUMENT_KEY.test(text);
  const lines = mistakes.map((mistake) => {
    const excerpt = isShown ? lineWithCaret(text, mistake) : '';
    return `${name}:${mistake.line}:${mistake.column}: ${mistake.message}${excerpt}`;
  });
  return about(new MappingError(lines.join('\n'), mistakes), name);
}

/** Length of an excerpt before and after its place. */
const EXCERPT_SIDE = 24;

/** Shows the line of a place, with a caret below it. */
function lineWithCaret(text: string, { line, column }: TextRange): string {
  const whole = text.split(/\r\n|\r|\n/u)[line - 1]?.replaceAll('\t', ' ') ?? '';
  if (whole.trim() === '') return '';
  const from = Math.max(0, column - 1 - EXCERPT_SIDE);
  const shown = whole.slice(from, column - 1 + EXCERPT_SIDE);
  const margin = `  ${line} | `;
  return `\n${margin}${shown}\n${' '.repeat(margin.length + column - 1 - from)}^`;
}

/** A valid mapping: as written, with defaults, and lookups of places in its text. */
interface ReadMapping extends Omit<ParsedYaml, 'value'> {
  readonly written: WrittenMapping;
  readonly mapping: Mapping;
}

/** Reads a mapping from a text, or returns all its mistakes in the text's order. */
export function readMapping(text: string, name: string): ReadMapping | InvalidText {
  const yaml = parseYaml(text);
  if ('mistakes' in yaml) return { ...yaml, unparsed: text };
  const { value, locate, keys } = yaml;
  const mistakes = findMistakes(value).map((mistake) => locateMistake(mistake, locate));
  if (mistakes.length > 0) return { mistakes: mistakes.toSorted((a, b) => a.offset - b.offset) };
  const written = value as WrittenMapping;
  const mapping = withMappingDefaults(written, name);
  storeSourceText(mapping, { name, text, locate });
  const questions = questionsOf(todosIn(text));
  for (const one of [mapping, written]) storeOpenQuestions(one, questions);
  return { written, mapping, locate, keys };
}

/**
 * Checks a mapping given as an object.
 *
 * @throws MappingError with a line for each mistake, which names its path in the object
 */
export function acceptMapping(value: unknown, name: string): Mapping {
  const mistakes = findMistakes(value);
  if (mistakes.length === 0) {
    const mapping = withMappingDefaults(value as WrittenMapping, name);
    storeOpenQuestions(mapping, openQuestions(value as WrittenMapping));
    return mapping;
  }
  throw new MappingError(mistakes.map(({ message }) => `${name}: ${message}`).join('\n'));
}

/** Fills in defaults, in a copy, because the program may change its object later. */
function withMappingDefaults(written: WrittenMapping, name: string): Mapping {
  const { $schema: _, layout: __, document, ...others } = structuredClone(written);
  return {
    name: path.basename(name).replace(/(?:\.mapping)?\.(?:ya?ml|json)$/u, ''),
    input: {},
    profile: 'complete',
    zone: 'UTC',
    locale: 'en',
    document,
    skip: [],
    tests: [],
    ...omitUndefined(others),
  };
}

/** Facts about the run that the mapping is for. */
export interface CheckOptions {
  /** The source's header; `null` or absent if records are objects or it isn't known. */
  readonly columns?: readonly string[] | null;
  /** The run's `asOf`, which relative dates count back from. */
  readonly asOf?: string;
}

/**
 * Finds a mapping's mistakes and TODOs, in the text's order, with the same sentences as {@link
 * MappingError}. Columns are checked once there are no other mistakes. Never throws.
 */
export function checkMapping(text: string, options: CheckOptions = {}): readonly MappingMistake[] {
  const read = readMapping(text, '');
  const mistakes =
    'mistakes' in read
      ? [...read.mistakes, ...todoWarnings(todosIn(text), [])]
      : warningsOf(read, text, options);
  return mistakes.toSorted((a, b) => a.offset - b.offset);
}

/** Checks that need a valid mapping: columns, `asOf`, and the keys that TODOs belong to. */
function warningsOf(
  { mapping, locate, keys }: ReadMapping,
  text: string,
  { columns, asOf }: CheckOptions,
): readonly MappingMistake[] {
  const missing = columns ? columnMistakes(mapping, columns) : [];
  const todos = todosIn(text);
  const known = todos.length === 0 ? [] : keys();
  return [
    ...missing.flatMap(({ message, places }) =>
      places.map(({ path }) => locateMistake({ path, message }, locate)),
    ),
    ...missingAsOfMistakes(mapping, asOf).map(
      (mistake): MappingMistake => ({ ...locateMistake(mistake, locate), severity: 'warning' }),
    ),
    ...todoWarnings(todos, known),
  ];
}

/** A TODO belongs to the key on its line, or else to the next key. */
function todoWarnings(todos: readonly Todo[], keys: readonly Key[]): readonly MappingMistake[] {
  let at = 0;
  return todos.map(({ text, ...place }) => {
    // Both are in the text's order.
    while ((keys[at]?.line ?? place.line) < place.line) at += 1;
    const path = keys[at]?.path ?? [];
    return { message: `TODO: ${text}`, todo: text, severity: 'warning', ...place, path };
  });
}

/** A key or an entry of a list. */
interface Key extends TextRange {
  readonly path: KeyPath;
}

export interface ParsedYaml {
  readonly value: unknown;
  readonly locate: Locate;
  /** All keys and list entries, in the text's order. */
  readonly keys: () => readonly Key[];
}

export interface InvalidText {
  readonly mistakes: readonly MappingMistake[];
  /** The text, if it isn't YAML. */
  readonly unparsed?: string;
}

/**
 * Parses YAML, or returns why it can't be parsed.
 * @param needs what an empty text lacks
 */
export function parseYaml(
  text: string,
  needs = 'write a mapping (docs/mapping.md), or let `docferry guess` propose one',
): ParsedYaml | InvalidText {
  const { document, errors, placed } = readYaml(text);
  if (errors.length > 0) return unreadable(...errors);
  const whole = placed(0, text.length);
  if (document.contents === null) {
    return unreadable({ ...whole, message: `the file is empty; ${needs}` });
  }
  const { contents } = document;
  try {
    return {
      value: document.toJS(),
      locate: locator(contents, placed),
      keys: () =>
        [...entriesIn(contents, [])].map(({ path, key, value }) => {
          const [start = 0, end = 0] = (key ?? value)?.range ?? [];
          return { ...placed(start, end), path };
        }),
    };
  } catch (error) {
    return unreadable({ ...whole, message: explainAliases(error as Error) });
  }
}

function unreadable(...found: readonly (TextRange & { readonly message: string })[]): InvalidText {
  return {
    mistakes: found.map(({ message, ...place }) => ({
      message,
      severity: 'error',
      ...place,
      path: [],
    })),
  };
}

function explainAliases({ message }: Error): string {
  return /^Excessive alias count/.test(message)
    ? 'its aliases (*name) expand to too much data; replace them with their values'
    : message;
}

interface Entry {
  readonly path: KeyPath;
  /** `null` in a list. */
  readonly key: Node | null;
  readonly value: Node | null;
}

/** Yields the keys of maps and the entries of lists, in the text's order. */
function* entriesIn(node: unknown, path: KeyPath): Generator<Entry, void, undefined> {
  if (!isSeq(node) && !isMap(node)) return;
  const keys = isMap(node)
    ? node.items.map(({ key }) => String(isScalar(key) ? key.value : key))
    : [];
  for (const [index, item] of node.items.entries()) {
    const [key, value] = isPair(item) ? [item.key, item.value] : [null, item];
    const at = [...path, keys[index] ?? index];
    yield { path: at, key: key as Node | null, value: value as Node | null };
    yield* entriesIn(value, at);
  }
}

/** Finds places of values and keys, by an index of the whole text. */
function locator(contents: Node, placed: ReadYaml['placed']): Locate {
  let index: Map<string, Entry> | undefined;
  return (path, key) => {
    if (index === undefined) {
      index = new Map();
      for (const entry of entriesIn(contents, [])) index.set(JSON.stringify(entry.path), entry);
    }
    const whole = key === undefined ? path : [...path, key];
    const own = index.get(JSON.stringify(whole));
    let range = key === undefined ? undefined : own?.key?.range;
    // What has no place of its own is reported at the nearest parent.
    for (let depth = whole.length; depth > 0 && !range; depth -= 1) {
      const entry = index.get(JSON.stringify(whole.slice(0, depth)));
      range = entry?.value?.range ?? entry?.key?.range;
    }
    const [start, end] = range ?? contents.range ?? [0, 0];
    return placed(start, end);
  };
}
