/** Which columns a mapping names, and where. */
import type { Mapping, Rule, RuleObject } from './mapping.js';
import { templateColumns } from './template.js';
import { mappingRules, type PlacedRule } from './walk-rules.js';

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
