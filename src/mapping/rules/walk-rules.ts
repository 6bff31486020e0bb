/** The rules of a mapping, each with the place where it stands. */
import { pathText } from '../../validation/explain-errors.js';
import { type Mapping, type Rule, type RuleObject, TEXT_FIELDS } from '../mapping.js';
import { templateColumns } from './template.js';

/** A rule of the document. */
export interface PlacedRule {
  readonly rule: Rule;
  /** Keys and indexes from the top of the mapping. */
  readonly path: readonly (string | number)[];
  /** The same for a reader: `document.metrics.score`. */
  readonly place: string;
}

/** The rules of the document's fields, in the order of the fields; not the rules inside them. */
export function mappingRules({ document }: Pick<Mapping, 'document'>): readonly PlacedRule[] {
  const { author = {} } = document;
  return [
    ...TEXT_FIELDS.map((field) => placed(document[field], ['document', field])),
    ...placedAll(document.detectedLocations, ['document', 'detectedLocations']),
    ...placedAll(document.metrics, ['document', 'metrics']),
    ...placedAll(document.tags, ['document', 'tags']),
    ...(['source', 'sourceId', 'username'] as const).map((field) =>
      placed(author[field], ['document', 'author', field]),
    ),
    ...placedAll(author.annotations, ['document', 'author', 'annotations']),
  ].filter((rule) => rule !== undefined);
}

function placed(
  rule: Rule | undefined,
  path: readonly (string | number)[],
): PlacedRule | undefined {
  return rule === undefined ? undefined : { rule, path, place: pathText(path) };
}

function placedAll(
  rules: Readonly<Record<string, Rule>> | readonly Rule[] | undefined,
  path: readonly (string | number)[],
): readonly (PlacedRule | undefined)[] {
  if (rules === undefined) return [];
  if (Array.isArray(rules)) return rules.map((rule: Rule, index) => placed(rule, [...path, index]));
  return Object.entries(rules).map(([name, rule]) => placed(rule, [...path, name]));
}

type Path = PlacedRule['path'];

/** Every column that the mapping names, in the order of its fields, without repeats. */
export function mappingColumns(mapping: Mapping): readonly string[] {
  return [...columnUses(mapping).keys()];
}

/** Each column with the paths of the rules that name it, such as `document`, `metrics`, `score`. */
export function columnUses(mapping: Mapping): ReadonlyMap<string, readonly Path[]> {
  const uses = new Map<string, Path[]>();
  const add = (columns: readonly string[], path: Path): void => {
    for (const column of new Set(columns)) {
      const paths = uses.get(column);
      if (paths === undefined) uses.set(column, [path]);
      else paths.push(path);
    }
  };
  for (const { rule, path } of mappingRules(mapping)) add(ruleColumns(rule), path);
  for (const [index, { from }] of mapping.skip.entries()) add(asList(from), ['skip', index]);
  return uses;
}

/** The columns that a rule and the rules inside it name. */
export function ruleColumns(rule: Rule): readonly string[] {
  if (typeof rule === 'string') return templateColumns(rule);
  if (typeof rule !== 'object') return [];
  return [...new Set(objectColumns(rule))];
}

function objectColumns(rule: RuleObject): readonly string[] {
  const inner = [
    ...(rule.join ?? []),
    ...(rule.hash ?? []),
    rule.detect,
    rule.unlessStartOf,
    rule.else,
  ];
  if (typeof rule.asOf === 'object') inner.push(rule.asOf);
  return [
    ...(rule.from === undefined ? [] : asList(rule.from)),
    ...templateColumns(rule.text ?? ''),
    ...inner.flatMap((part) => (part === undefined ? [] : ruleColumns(part))),
  ];
}

function asList(from: string | readonly string[]): readonly string[] {
  return typeof from === 'string' ? [from] : from;
}
