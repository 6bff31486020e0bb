/** The rules of a mapping, each with the place where it stands. */
import { pathText } from '../validation/explain-errors.js';
import { type Mapping, type Rule, TEXT_FIELDS } from './mapping.js';

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
