/** The rules of a mapping, each with the place where it stands. */
import { pathText } from '../../validation/explain-errors.js';
import { type Mapping, type Rule, TEXT_FIELDS } from '../mapping.js';
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
  const uses = new Map<string, Set<Path>>();
  for (const { column, rule } of columnPlaces(mapping)) {
    const paths = uses.get(column) ?? new Set();
    uses.set(column, paths.add(rule));
  }
  return new Map([...uses].map(([column, paths]) => [column, [...paths]]));
}

/** Each column that the mapping names, with the fields that are made of it, such as `metrics.score`. */
export function columnFields(mapping: Mapping): ReadonlyMap<string, readonly string[]> {
  const uses = [...columnUses(mapping)];
  return new Map(uses.map(([column, paths]) => [column, [...new Set(paths.flatMap(fieldOf))]]));
}

/** Fields whose parts have no name that a reader knows. */
const WHOLE_FIELDS = new Set(['detectedLocations', 'tags']);

function fieldOf([top, field, ...inside]: Path): readonly string[] {
  if (top !== 'document' || field === undefined) return [];
  return [WHOLE_FIELDS.has(`${field}`) ? `${field}` : pathText([field, ...inside])];
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
  const ofRules = mappingRules({ document }).flatMap(({ rule, path }) =>
    namedIn(rule, path).map((named) => ({ ...named, rule: path })),
  );
  const ofSkip = skip.flatMap(({ from }, index) => {
    const rule = ['skip', index];
    return listed(from, [...rule, 'from']).map((named) => ({ ...named, rule }));
  });
  return [...ofRules, ...ofSkip];
}

/** The columns that a rule and the rules inside it name. */
export function ruleColumns(rule: Rule): readonly string[] {
  return [...new Set(namedIn(rule, []).map(({ column }) => column))];
}

type Named = Omit<ColumnPlace, 'rule'>;

function namedIn(rule: Rule | undefined, path: Path): readonly Named[] {
  if (typeof rule === 'string') return templateColumns(rule).map((column) => ({ column, path }));
  if (typeof rule !== 'object') return [];
  const { from = [], text, join = [], hash = [], asOf } = rule;
  const inside = (part: Rule | undefined, ...steps: Path): readonly Named[] =>
    namedIn(part, [...path, ...steps]);
  return [
    ...listed(from, [...path, 'from']),
    ...inside(text, 'text'),
    ...join.flatMap((part, index) => inside(part, 'join', index)),
    ...hash.flatMap((part, index) => inside(part, 'hash', index)),
    ...inside(rule.detect, 'detect'),
    ...inside(rule.unlessStartOf, 'unlessStartOf'),
    ...inside(rule.else, 'else'),
    ...(typeof asOf === 'object' ? inside(asOf, 'asOf') : []),
  ];
}

function listed(from: string | readonly string[], path: Path): readonly Named[] {
  if (typeof from === 'string') return [{ column: from, path }];
  return from.map((column, index) => ({ column, path: [...path, index] }));
}
