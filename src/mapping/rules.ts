/** The rules of a mapping, each with the place where it stands. */
import type { MappingMistake, PlaceInText } from '../model/errors.js';
import { pathText } from '../validation/explain-errors.js';
import { type Mapping, type Rule, type RuleObject, TEXT_FIELDS } from './mapping.js';

/** Keys and indexes from the top of the mapping. */
type Path = readonly (string | number)[];

/** A rule of the document. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly path: Path;
}

/** The rules of the document's fields, in the order of the fields; not the rules inside them. */
export function mappingRules({ document }: Pick<Mapping, 'document'>): readonly PlacedRule[] {
  const { author = {}, detectedLocations, metrics, tags } = document;
  return [
    ...placed(document, ['document'], TEXT_FIELDS),
    ...placed(detectedLocations, ['document', 'detectedLocations']),
    ...placed(metrics, ['document', 'metrics']),
    ...placed(tags, ['document', 'tags']),
    ...placed(author, ['document', 'author'], ['source', 'sourceId', 'username']),
    ...placed(author.annotations, ['document', 'author', 'annotations']),
  ];
}

function placed(
  rules: object = {},
  path: Path,
  keys: readonly string[] = Object.keys(rules),
): readonly PlacedRule[] {
  return keys.flatMap((key) => {
    const rule = (rules as Readonly<Record<string, Rule>>)[key];
    return rule === undefined ? [] : [{ rule, path: [...path, stepTo(rules, key)] }];
  });
}

function stepTo(holder: object, key: string): string | number {
  return Array.isArray(holder) ? Number(key) : key;
}

/** Every column that the mapping names, in the order of its fields, without repeats. */
export function mappingColumns(mapping: Mapping): readonly string[] {
  return [...new Set(columnPlaces(mapping).map(({ column }) => column))];
}

/** Each column that the mapping names, with the fields that are made of it, such as `metrics.score`. */
export function columnFields(mapping: Mapping): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, Set<string>>();
  for (const { column, rule } of columnPlaces(mapping)) {
    const fields = uses.get(column) ?? new Set();
    const [top, field, ...inside] = rule;
    if (top === 'document') fields.add(fieldText(`${field}`, inside));
    uses.set(column, fields);
  }
  return new Map([...uses].map(([column, fields]) => [column, [...fields]]));
}

/** Parts of locations and tags have no name that a reader knows. */
function fieldText(field: string, inside: Path): string {
  const isWhole = field === 'detectedLocations' || field === 'tags';
  return isWhole ? field : pathText([field, ...inside]);
}

/** Where a column is named. */
export interface ColumnPlace {
  readonly column: string;
  /** Path of the rule or condition that reads it. */
  readonly rule: Path;
  /** Path of its name, inside of that. */
  readonly path: Path;
}

/** Every place where a mapping names a column, in the order of its fields. */
export function columnPlaces({
  document,
  skip,
}: Pick<Mapping, 'document' | 'skip'>): readonly ColumnPlace[] {
  const rules = [...mappingRules({ document }), ...placed(skip, ['skip'])];
  return rules.flatMap(({ rule, path }) =>
    namedIn(rule, path).map((named) => ({ ...named, rule: path })),
  );
}

/** The columns that a rule and the rules inside it name. */
export function ruleColumns(rule: Rule): readonly string[] {
  return [...new Set(namedIn(rule, []).map(({ column }) => column))];
}

type Named = Omit<ColumnPlace, 'rule'>;

function namedIn(rule: Rule, path: Path): readonly Named[] {
  if (typeof rule === 'string') return templateColumns(rule).map((column) => ({ column, path }));
  if (typeof rule !== 'object') return [];
  const { from = [] } = rule;
  const listed =
    typeof from === 'string'
      ? [{ column: from, path: [...path, 'from'] }]
      : from.map((column, index) => ({ column, path: [...path, 'from', index] }));
  const inside = innerRules(rule, path).flatMap((inner) => namedIn(inner.rule, inner.path));
  return [...listed, ...inside];
}

/** The rules directly inside a rule. */
function innerRules(rule: RuleObject, path: Path): readonly PlacedRule[] {
  const asOf = typeof rule.asOf === 'object' ? ['asOf'] : [];
  return [
    ...placed(rule, path, ['text']),
    ...placed(rule.join, [...path, 'join']),
    ...placed(rule.hash, [...path, 'hash']),
    ...placed(rule, path, ['detect', 'unlessStartOf', 'else', ...asOf]),
  ];
}

/** Whether a rule can give a hash, whatever else it may give. */
export function givesHash(rule: Rule | undefined): boolean {
  if (typeof rule !== 'object') return false;
  return rule.hash !== undefined || [...(rule.join ?? []), rule.else].some(givesHash);
}

/** In a rule: relative dates are read only if the mapping or the run states what they count from. */
export const IF_STATED = 'if-stated';

/** The rules whose relative dates need the mapping's `asOf`. */
export function relativeDates(mapping: Mapping): readonly PlacedRule[] {
  return mappingRules(mapping).filter(({ rule }) =>
    readsRelative(rule, (asOf) => asOf === undefined),
  );
}

/** The fields that are left out because nobody states the `asOf` that they would count from. */
export function undatedFields(mapping: Mapping, override: string | undefined): readonly string[] {
  if (override !== undefined || mapping.asOf !== undefined) return [];
  return mappingRules(mapping)
    .filter(({ rule }) => readsRelative(rule, (asOf) => asOf === IF_STATED))
    .map(({ path }) => pathText(path));
}

/**
 * Whether a rule counts some dates back from the moment of the export.
 * @param counts whether dates count back, in a rule that states this `asOf`
 */
export function readsRelative(
  rule: Rule,
  counts: (asOf: RuleObject['asOf']) => boolean = () => true,
): boolean {
  if (typeof rule !== 'object') return false;
  if (counts(rule.asOf) && [rule.date].flat().includes('relative')) return true;
  return innerRules(rule, []).some((inner) => readsRelative(inner.rule, counts));
}

/** A piece of a template. */
export type TemplatePart = { readonly literal: string } | { readonly column: string };

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

/** A value on one line. */
export function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => `${scalar(key)}: ${flow(inner)}`);
    return `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value);
}

/** Words that YAML takes for something else than text. */
const OTHER = /^(?:true|false|null|yes|no|on|off|nan|inf)$/iu;

/** A text, in quotes where YAML would read it as something else. */
export function scalar(text: string): string {
  const plain = /^\p{L}[\p{L}\p{N}_ -]*$/u.test(text) && !/\s$/u.test(text) && !OTHER.test(text);
  return plain
    ? text
    : JSON.stringify(text).replace(/[\u0080-\u009f\u2028\u2029\ufeff]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Longer rules are cut. */
const MAX_LETTERS = 160;

/** A rule for messages and previews: on one line, and cut where it is long. */
export function ruleText(rule: Rule): string {
  const text = flow(rule);
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}

/** One mistake and where it stands. */
export interface Mistake {
  /** Keys and indexes from the top of the mapping. */
  readonly path: readonly (string | number)[];
  /** The key at the path that is wrong, where it is not the value. */
  readonly key?: string;
  /** What is wrong, what was expected, and the nearest name. */
  readonly message: string;
}

/** Where a value (or its key) stands. */
export type Locate = (path: Mistake['path'], key?: string) => PlaceInText;

/** The text that a mapping was read from. */
interface Written {
  /** The file's name in messages. */
  readonly name: string;
  readonly text: string;
  readonly locate: Locate;
}

/**
 * The texts that mappings were read from, for messages that come later than those of their own
 * mistakes. A mapping is plain data, told from others by what it says: this is kept beside it.
 */
const texts = new WeakMap<Mapping, Written>();

/** Keeps the text that a mapping was read from. */
export function keepText(mapping: Mapping, written: Written): void {
  texts.set(mapping, written);
}

/** The text that a mapping was read from; `undefined` if a program gave it or it is a copy. */
export function textOf(mapping: Mapping): Pick<Written, 'name' | 'text'> | undefined {
  return texts.get(mapping);
}

/** `file:line:column` of a rule, or the mapping's name if a program gave it or it is a copy. */
export function placeOf(mapping: Mapping, path: Mistake['path']): string {
  const written = texts.get(mapping);
  if (written === undefined) return mapping.name;
  const { line, column } = written.locate(path);
  return `${written.name}:${line}:${column}`;
}

/** Mistakes with their places; none if a program gave the mapping or it is a copy. */
export function inText(mapping: Mapping, mistakes: readonly Mistake[]): readonly MappingMistake[] {
  const written = texts.get(mapping);
  return written === undefined ? [] : mistakes.map((mistake) => located(mistake, written.locate));
}

/** A mistake with its place in the text. */
export function located({ path, key, message }: Mistake, locate: Locate): MappingMistake {
  const whole = key === undefined ? path : [...path, key];
  return { message, severity: 'error', ...locate(path, key), path: whole };
}

/** A comment of a mapping's text, with the comment lines that continue it. */
export interface Todo extends PlaceInText {
  readonly text: string;
}

/** The comments of a mapping's text that start with TODO, each with the comment lines that go on. */
export function todosIn(mapping: string): readonly Todo[] {
  const todos: Todo[] = [];
  let open = false;
  let offset = 0;
  for (const [index, part] of mapping.split(/(\r\n|\n|\r)/u).entries()) {
    const start = offset;
    offset += part.length;
    // Every other part is the end of a line.
    if (index % 2 === 1) continue;
    const [, before = '', text = ''] = /^(.*?)(?:^|\s)#\s*(.*)$/u.exec(part) ?? [];
    const todo = /^TODO\b:?\s*(.*)$/u.exec(text)?.[1];
    const last = todos.at(-1);
    if (todo !== undefined) {
      const at = part.indexOf('#', before.length);
      todos.push({
        line: index / 2 + 1,
        column: at + 1,
        offset: start + at,
        end: offset,
        text: todo,
      });
      open = true;
    } else if (open && last !== undefined && before.trim() === '' && part.includes('#')) {
      todos[todos.length - 1] = { ...last, text: `${last.text} ${text}`, end: offset };
    } else open = false;
  }
  return todos;
}

/** A sentence for each TODO of a mapping that was read from a text. */
export function todoNotices(mapping: Mapping): readonly string[] {
  const { name, text } = textOf(mapping) ?? { name: '', text: '' };
  return todosIn(text).map(({ line, text: todo }) => `${name}:${line}: TODO: ${todo}`);
}
