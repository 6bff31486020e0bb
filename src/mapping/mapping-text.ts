/** A mapping's text: values written as YAML, and the places of mistakes and TODOs in it. */
import type { MappingMistake, TextRange } from '../model/errors.js';
import type { KeyPath } from '../model/json-path.js';
import { escapeInvisible, excerpt, printable, quote } from '../model/text.js';
import type { Mapping, Rule, SkipCondition } from './mapping.js';

export function flowYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowYaml).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, inner]) => `${yamlScalar(key)}: ${flowYaml(inner)}`,
    );
    return `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? yamlScalar(value) : JSON.stringify(value);
}

/** Words that YAML doesn't read as text. */
const YAML_KEYWORDS = /^(?:true|false|null|yes|no|on|off|nan|inf)$/iu;

/** Writes a text as a YAML scalar, quoted if needed. */
export function yamlScalar(text: string): string {
  const plain =
    /^\p{L}[\p{L}\p{N}_ -]*$/u.test(text) && !/\s$/u.test(text) && !YAML_KEYWORDS.test(text);
  return plain ? text : escapeInvisible(JSON.stringify(text));
}

const MAX_RULE_TEXT = 160;

export function ruleText(rule: Rule): string {
  const text = flowYaml(rule);
  return text.length > MAX_RULE_TEXT ? `${text.slice(0, MAX_RULE_TEXT)}…` : text;
}

/** A mistake with its path in the mapping. */
export interface Mistake {
  readonly path: KeyPath;
  /** The wrong key at that path; absent if the value is wrong. */
  readonly key?: string;
  /** States the mistake, the expectation and the nearest name. */
  readonly message: string;
}

/** Finds the place of a value (or its key) in the text. */
export type Locate = (path: KeyPath, key?: string) => TextRange;

interface SourceText {
  readonly name: string;
  readonly text: string;
  readonly locate: Locate;
}

/**
 * Texts that mappings were read from, for messages about places in them. They are stored here
 * because a mapping itself is plain data, compared by content.
 */
const texts = new WeakMap<Mapping, SourceText>();

export function storeSourceText(mapping: Mapping, written: SourceText): void {
  texts.set(mapping, written);
}

/**
 * Returns the text that a mapping was read from; `undefined` if it came as an object or is a copy.
 */
export function sourceTextOf(mapping: Mapping): Pick<SourceText, 'name' | 'text'> | undefined {
  return texts.get(mapping);
}

/**
 * Returns `file:line:column` of a rule; the mapping's name if it came as an object or is a copy.
 */
export function locationText(mapping: Mapping, path: KeyPath): string {
  const written = texts.get(mapping);
  if (written === undefined) return mapping.name;
  const { line, column } = written.locate(path);
  return `${written.name}:${line}:${column}`;
}

/** Returns the line of a rule in its file; `undefined` if the mapping came as an object or is a copy. */
export function mappingLine(mapping: Mapping, path: KeyPath): number | undefined {
  return texts.get(mapping)?.locate(path).line;
}

/** Adds places to mistakes; returns none if the mapping came as an object or is a copy. */
export function locateMistakes(
  mapping: Mapping,
  mistakes: readonly Mistake[],
): readonly MappingMistake[] {
  const written = texts.get(mapping);
  return written === undefined
    ? []
    : mistakes.map((mistake) => locateMistake(mistake, written.locate));
}

export function locateMistake({ path, key, message }: Mistake, locate: Locate): MappingMistake {
  const whole = key === undefined ? path : [...path, key];
  return { message, severity: 'error', ...locate(path, key), path: whole };
}

/** A TODO comment, with the comment lines that continue it, up to the next question, open or not. */
export interface Todo extends TextRange {
  readonly text: string;
}

/** Makes a question comparable with its TODO comment, whose lines are broken and end in a full stop. */
export function plainTodo(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/\.$/u, '');
}

const TODO = /(?<=^|\s)#[ \t]*TODO\b:?(.*)/u;
const CONTINUATION = /^[ \t]*#(?![ \t]*Checked: )(.*)/u;

/** Finds comments that start with TODO, each with the comment lines that continue it. */
export function todosIn(mapping: string): readonly Todo[] {
  const todos: (Omit<Todo, 'text'> & { end: number; readonly texts: string[] })[] = [];
  let isOpen = false;
  for (const [index, { text, offset }] of textLines(mapping).entries()) {
    const end = offset + text.length;
    const todo = TODO.exec(text);
    const continued: RegExpExecArray | null =
      isOpen && todo === null ? CONTINUATION.exec(text) : null;
    const last = todos.at(-1);
    if (continued !== null && last !== undefined) {
      last.texts.push(continued[1] ?? '');
      last.end = end;
    }
    if (todo !== null) {
      const column = todo.index + 1;
      todos.push({
        line: index + 1,
        column,
        offset: offset + todo.index,
        end,
        texts: [todo[1] ?? ''],
      });
    }
    isOpen = todo !== null || continued !== null;
  }
  return todos.map(({ texts, ...place }) => {
    const words = texts.map((text) => text.trim()).filter((text) => text !== '');
    return { ...place, text: words.join(' ') };
  });
}

interface Line {
  readonly text: string;
  readonly offset: number;
}

function textLines(text: string): readonly Line[] {
  return [...text.matchAll(/(.*?)(?:\r\n|\n|\r|$)/gsu)].map(({ 1: line = '', index }) => ({
    text: line,
    offset: index,
  }));
}

/** Turns the TODO on a line into a plain comment; returns the text unchanged if there is none. */
export function dismissTodo(mapping: string, line: number): string {
  const todo = todosIn(mapping).find((one) => one.line === line);
  if (todo === undefined) return mapping;
  const before = mapping.slice(0, todo.offset);
  return before + mapping.slice(todo.offset).replace(/TODO\b:?[ \t]*/u, 'Checked: ');
}

/** Names columns as they are, unless that would be confusing in a sentence. */
export function columnsText(columns: readonly string[]): string {
  return columns
    .map((name) => (/^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,59}$/u.test(name) ? name : quote(name)))
    .join(', ');
}

const MAX_VALUES = 3;

/** Words a condition, as what holds for the records that it skips: `Status is "spam"`. */
export function conditionText(condition: SkipCondition): string {
  const names = [condition.from].flat().map((name) => columnsText([name]));
  if (condition.blank === true) {
    const columns = new Intl.ListFormat('en-GB').format(names);
    return `${columns} ${names.length > 1 ? 'are' : 'is'} ${alternatives(['blank', ...quotedAll(condition.in)])}`;
  }
  return `${names.join(' or ')} ${testText(condition)}`;
}

function testText({ blank, in: values, matches, below, above }: SkipCondition): string {
  if (blank === false) return `isn't ${alternatives(['blank', ...quotedAll(values)])}`;
  if (values !== undefined) return `is ${alternatives(quotedAll(values))}`;
  if (matches !== undefined) return `matches /${printable(excerpt(matches))}/`;
  if (below !== undefined) return `is below ${below}`;
  return `is above ${above}`;
}

function quotedAll(values: SkipCondition['in'] = []): readonly string[] {
  return values.map((value) => quote(String(value)));
}

function alternatives(values: readonly string[]): string {
  const more = values.length - MAX_VALUES;
  const shown = more > 1 ? [...values.slice(0, MAX_VALUES), `${more} other values`] : values;
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)]
    .filter((part) => part !== '')
    .join(' or ');
}
