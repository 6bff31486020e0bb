/** Which columns a mapping names, and where. */
import type { Mapping, Rule, RuleObject } from './mapping.js';
import { templateColumns } from './template.js';
import { mappingRules } from './walk-rules.js';

/** Every column that the mapping names, in the order of its fields, without repeats. */
export function mappingColumns(mapping: Mapping): readonly string[] {
  return [...columnUses(mapping).keys()];
}

/** Each column with the places that name it, such as `document.metrics.score`. */
export function columnUses(mapping: Mapping): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, Set<string>>();
  const add = (column: string, place: string): void => {
    const places = uses.get(column);
    if (places === undefined) uses.set(column, new Set([place]));
    else places.add(place);
  };
  for (const { rule, place } of mappingRules(mapping)) {
    for (const column of ruleColumns(rule)) add(column, place);
  }
  for (const [index, { from }] of mapping.skip.entries()) {
    for (const column of asList(from)) add(column, `skip[${index}]`);
  }
  return new Map([...uses].map(([column, places]) => [column, [...places]]));
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
