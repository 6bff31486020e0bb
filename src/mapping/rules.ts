/** The rules of a mapping, the columns that they name, and templates. */
import type { KeyPath } from '../model/json-path.js';
import { pathText } from '../validation/explain-errors.js';
import { type Mapping, type Rule, type RuleObject, TEXT_FIELDS } from './mapping.js';

export interface PlacedRule {
  readonly rule: Rule;
  readonly path: KeyPath;
}

/** Lists the rules of the document's fields in order, without the rules nested in them. */
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

/** @param rules may be `null` in a text that is being typed */
function placed(
  rules: object | null | undefined,
  path: KeyPath,
  keys: readonly string[] = Object.keys(rules ?? {}),
): readonly PlacedRule[] {
  const holder = rules ?? {};
  return keys.flatMap((key) => {
    const rule = (holder as Readonly<Record<string, Rule>>)[key];
    return rule === undefined ? [] : [{ rule, path: [...path, stepTo(holder, key)] }];
  });
}

function stepTo(holder: object, key: string): string | number {
  return Array.isArray(holder) ? Number(key) : key;
}

/** Lists the columns that a mapping names, in the order of its fields, without repeats. */
export function mappingColumns(mapping: Mapping): readonly string[] {
  return [...new Set(columnUses(mapping).map(({ column }) => column))];
}

/**
 * Maps each column that a mapping names to the document fields that use it, for example
 * `metrics.score`.
 */
export function columnFields(mapping: Mapping): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, Set<string>>();
  for (const { column, rule } of columnUses(mapping)) {
    const fields = uses.get(column) ?? new Set();
    const [top, field, ...inside] = rule;
    if (top === 'document') fields.add(fieldText(`${field}`, inside));
    uses.set(column, fields);
  }
  return new Map([...uses].map(([column, fields]) => [column, [...fields]]));
}

/** Names a field; parts of locations and tags have no names that a reader would know. */
function fieldText(field: string, inside: KeyPath): string {
  const isWhole = field === 'detectedLocations' || field === 'tags';
  return isWhole ? field : pathText([field, ...inside]);
}

export interface ColumnUse {
  readonly column: string;
  /** Path of the rule or condition that reads the column. */
  readonly rule: KeyPath;
  readonly path: KeyPath;
}

/** Lists every place where a mapping names a column, in the order of its fields. */
export function columnUses({
  document,
  skip,
}: Pick<Mapping, 'document' | 'skip'>): readonly ColumnUse[] {
  const rules = [...mappingRules({ document }), ...placed(skip, ['skip'])];
  return rules.flatMap(({ rule, path }) =>
    columnsIn(rule, path).map((named) => ({ ...named, rule: path })),
  );
}

/** Lists the columns that a rule names, nested rules included. */
export function ruleColumns(rule: Rule): readonly string[] {
  return [...new Set(columnsIn(rule, []).map(({ column }) => column))];
}

/** The columns of a rule without those of its fallback. */
export function mainColumns(rule: Rule | undefined): readonly string[] {
  if (rule === undefined) return [];
  if (typeof rule !== 'object') return ruleColumns(rule);
  const { else: _, ...main } = rule;
  return ruleColumns(main);
}

/** Lists the keys of a field's path below `document`, without places in lists: all tags are one field. */
export function fieldKeys(path: KeyPath): readonly string[] {
  return path.slice(1).filter((step) => typeof step === 'string');
}

/** Fields that take one column; `published` may have a column of times as well. */
const OF_ONE_COLUMN =
  /^(?:published|downloaded|sentiment|url|tags|metrics\.|detectedLocations\.|author\.username$)/u;

/** Returns whether several columns can be joined, hashed or looked at together for a field. */
export function takesSeveral(field: string): boolean {
  return !OF_ONE_COLUMN.test(field);
}

/** Makes a rule that takes a column's value: a template, or `from` if a template can't name the column. */
export function columnRule({ name }: { readonly name: string }): Rule {
  return /[{}]/u.test(name) || name.trim() === '' ? { from: name } : `{${name}}`;
}

type ColumnInRule = Omit<ColumnUse, 'rule'>;

function columnsIn(rule: Rule, path: KeyPath): readonly ColumnInRule[] {
  if (typeof rule === 'string') return templateColumns(rule).map((column) => ({ column, path }));
  // A text that is being typed may have `null` anywhere.
  if (typeof rule !== 'object' || rule === null) return [];
  const { from } = rule;
  const named = typeof from === 'string' ? [{ column: from, path: [...path, 'from'] }] : [];
  const listed = Array.isArray(from)
    ? from.map((column, index) => ({ column, path: [...path, 'from', index] }))
    : named;
  const inside = innerRules(rule, path).flatMap((inner) => columnsIn(inner.rule, inner.path));
  return [...listed, ...inside];
}

/** Lists a rule and all rules inside it. */
export function nestedRules(rule: Rule, path: KeyPath): readonly PlacedRule[] {
  const inside = typeof rule === 'object' && rule !== null ? innerRules(rule, path) : [];
  return [{ rule, path }, ...inside.flatMap((inner) => nestedRules(inner.rule, inner.path))];
}

function innerRules(rule: RuleObject, path: KeyPath): readonly PlacedRule[] {
  const asOf = typeof rule.asOf === 'object' ? ['asOf'] : [];
  return [
    ...placed(rule, path, ['text']),
    ...placed(rule.join, [...path, 'join']),
    ...placed(rule.hash, [...path, 'hash']),
    ...placed(rule, path, ['detect', 'unlessStartOf', 'else', ...asOf]),
  ];
}

/** Returns whether a rule can give a hash, be it only as part or fallback. */
export function givesHash(rule: Rule | undefined): boolean {
  if (typeof rule !== 'object') return false;
  return rule.hash !== undefined || [...(rule.join ?? []), rule.else].some(givesHash);
}

/** `asOf` of a rule: relative dates are read only if the mapping or the run has an `asOf`. */
export const IF_STATED = 'if-stated';

/** Lists the rules that read relative dates and have this `asOf`, or none of their own. */
export function relativeDates(mapping: Mapping, asOf?: typeof IF_STATED): readonly PlacedRule[] {
  return mappingRules(mapping).filter(({ rule }) => readsRelative(rule, (own) => own === asOf));
}

/** Lists the fields that are left out because neither the mapping nor the run has an `asOf`. */
export function undatedFields(mapping: Mapping, override: string | undefined): readonly string[] {
  if (override !== undefined || mapping.asOf !== undefined) return [];
  return relativeDates(mapping, IF_STATED).map(({ path }) => pathText(path));
}

/**
 * Returns whether a rule reads relative dates.
 * @param counts filters rules by their own `asOf`
 */
export function readsRelative(
  rule: Rule,
  counts: (asOf: RuleObject['asOf']) => boolean = () => true,
): boolean {
  if (typeof rule !== 'object') return false;
  if (counts(rule.asOf) && [rule.date].flat().includes('relative')) return true;
  return innerRules(rule, []).some((inner) => readsRelative(inner.rule, counts));
}

export type TemplatePart = { readonly literal: string } | { readonly column: string };

/** The parts of a template, or its mistake as a sentence. */
type ParsedTemplate = { readonly parts: readonly TemplatePart[] } | { readonly mistake: string };

/** `{{` and `}}`, a placeholder, a brace that opens none, and text between them. */
const PIECE = /\{\{|\}\}|\{(?<column>[^{}]*)\}|(?<open>\{)|\}|[^{}]+/gu;

/** Parses a template. `{{` is a literal `{`, `}}` and a single `}` a literal `}`. */
export function parseTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let literal = '';
  for (const { 0: piece, index, groups: { column, open } = {} } of template.matchAll(PIECE)) {
    if (open !== undefined || column?.trim() === '') {
      return { mistake: placeholderMistake(template, index) };
    }
    if (column === undefined) literal += /^(?:\{\{|\}\})$/u.test(piece) ? piece.charAt(0) : piece;
    else {
      if (literal !== '') parts.push({ literal });
      literal = '';
      parts.push({ column });
    }
  }
  if (literal !== '') parts.push({ literal });
  return { parts };
}

/** Explains why the placeholder that opens at `start` is wrong. */
function placeholderMistake(template: string, start: number): string {
  const rest = JSON.stringify(template.slice(start, start + 20));
  const end = template.indexOf('}', start);
  if (end < 0) return `the brace of ${rest} is never closed; write {{ for a brace that is text`;
  return template.slice(start + 1, end).trim() === ''
    ? 'the placeholder {} names no column; write { from: "" } for a column without a name'
    : `the placeholder at ${rest} holds another brace; write {{ for a brace that is text`;
}

/** Lists the columns that a template names; none if it is malformed. */
function templateColumns(template: string): readonly string[] {
  const parsed = parseTemplate(template);
  if ('mistake' in parsed) return [];
  return parsed.parts.flatMap((part) => ('column' in part ? [part.column] : []));
}
